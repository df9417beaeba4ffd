/** What a description says beyond its title. */
import { flat, shortened } from './markdown.ts'

const MAX_LENGTH = 200

/** Words that say nothing of their own beside a title. */
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
export function addsTo(title: string, text: string): boolean {
  const known = new Set(wordsOf(title))
  return wordsOf(text).some((word) => !known.has(word))
}

const FIRST = /^.+?[.!?。！？](?=\s|$)|^.+/u

/** The first sentence of a text, of its first paragraph. */
export function firstSentence(text: string): string {
  const [sentence = ''] = FIRST.exec(flat(text.split(/\n\s*\n/)[0] ?? '')) ?? []
  return shortened(sentence, MAX_LENGTH)
}

/** The first sentence of a text, if it says more than a title; else nothing. */
export function sentenceBeside(title: string, text: string): string {
  const sentence = firstSentence(text)
  return addsTo(title, sentence) ? sentence : ''
}

/** A text without its first sentence if that only repeats a title. Paragraphs are kept. */
export function withoutTitle(title: string, text: string): string {
  const start = text.trimStart()
  const [sentence = ''] = /^[^\n]+?[.!?。！？](?=\s|$)|^[^\n]+/u.exec(start) ?? []
  return sentence === '' || addsTo(title, sentence) ? text : start.slice(sentence.length).trimStart()
}
