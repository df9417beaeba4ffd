/** How texts of requirements are read: their numbered lines, and what a description says beyond its title. */
import { flat, indented, shortened, steps, withCode } from './markdown.ts'

const MAX_LENGTH = 200

/** Words that say nothing of their own next to a title. */
const COMMON = new Set(
  'a all an and are as at be been by can customer customers for has have i in is it its let lets may members now of on or our that the their them they this to user users visitors was we were will with you your add adds added allow allows'.split(
    ' ',
  ),
)

/** The words of a text that carry its meaning. The plural of a word counts as the word. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .filter((word) => !COMMON.has(word))
    .map((word) => word.replace(/(?<=..)s$/, ''))

/** Whether a text says more than a title: it has a word that the title does not have. */
function addsTo(title: string, text: string): boolean {
  const known = new Set(wordsOf(title))
  return wordsOf(text).some((word) => !known.has(word))
}

const FIRST = /^.+?[.!?。！？](?=\s|$)|^.+/u

const STEP = /^\s*\d{1,3}[.)]\s+(?<step>\S.*)$/u

/** Numbered lines of a text, and the text without them. A single one is no list of steps. */
function numberedLines(text: string): { steps: string[]; rest: string } {
  const steps: string[] = []
  const rest: string[] = []
  let isStep = false
  for (const each of text.split(/\r\n|\r|\n/)) {
    const step = STEP.exec(each)?.groups?.step
    // An indented line continues the step above it.
    isStep = step !== undefined || (isStep && /^\s+\S/.test(each))
    if (step !== undefined) steps.push(step)
    else if (isStep) steps.push(`${steps.pop()} ${each.trim()}`)
    else rest.push(each)
  }
  return steps.length < 2 ? { steps: [], rest: text } : { steps, rest: rest.join('\n') }
}

/** The first sentence of a text, of its first paragraph. Steps are no sentences. */
function firstSentence(text: string): string {
  const [paragraph = ''] = numberedLines(text)
    .rest.trim()
    .split(/\n\s*\n/)
  const [sentence = ''] = FIRST.exec(flat(paragraph)) ?? []
  return shortened(sentence, MAX_LENGTH)
}

/** The first sentence of a text, if it says more than a title; else nothing. */
export function sentenceBeside(title: string, text: string): string {
  const sentence = firstSentence(text)
  return addsTo(title, sentence) ? sentence : ''
}

/** A criterion as the Markdown of an item of `bullets`. Its numbered lines stay steps, below it. */
export function criterionItem(criterion: string): string {
  const { steps: todo, rest } = numberedLines(criterion)
  if (todo.length === 0) return withCode(criterion)
  return `${withCode(rest) || 'In this order:'}\n${indented(steps(todo.map(withCode)))}`
}
