/** Reads the usual forms of requirements: user stories, and criteria such as "Given ..., when ..., then ...". */
import { flat } from '../markdown.ts'
import { isTechnical } from './audience.ts'

const capitalized = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())

/** A clause as a sentence of its own. */
export const asSentence = (clause: string): string => {
  const text = capitalized(clause.trim())
  return /[.!?:;…。！？]["'”’)]*$/u.test(text) ? text : `${text}.`
}

const YOURS: Record<string, string> = { i: 'you', we: 'you', my: 'your', our: 'your', me: 'you', their: 'your' }

/** Speaks to the reader instead of about somebody. */
const addressed = (text: string): string =>
  text.replaceAll(/(?<![\p{L}'’-])(?:I|we|my|our|me|their)(?![\p{L}'’-])/gu, (word) => YOURS[word.toLowerCase()] ?? word)

/** A user story: what somebody wants to do, and why. */
export interface Story {
  task: string
  benefit: string | null
}

const STORY =
  /^as (?:an? |the )?[^,.]{1,80}?,? i (?:want|need|would like|wish)(?: to be able)? to (?<task>.+?)(?:,? (?:so that|in order to) (?<benefit>.+?))?\.?$/iu

/** The story that a sentence tells; null if it tells none. */
export function storyOf(text: string): Story | null {
  const { task, benefit } = STORY.exec(flat(text))?.groups ?? {}
  return task === undefined
    ? null
    : { task: capitalized(addressed(task.trim())), benefit: benefit ? addressed(benefit.trim()) : null }
}

const OFFERS = [
  /^(?:allow|enable|let) (?:(?:all|our|the) )?\p{L}+ (?:to )?(?<task>.+)$/iu,
  /^(?:(?:all|our|the) )?(?:users?|customers?|clients?|visitors?|members?|admins?) can (?<task>.+)$/iu,
  /^make it possible to (?<task>.+)$/iu,
]
const THING = /^(?:(?:implement|introduce|support)|add support for) (?<thing>.+)$/iu

/** What a user does, from the title of a requirement, which often says what a developer does. */
export function taskTitle(title: string): string {
  const story = storyOf(title)
  if (story) return story.task
  for (const offer of OFFERS) {
    const { task } = offer.exec(title)?.groups ?? {}
    if (task !== undefined) return capitalized(addressed(task))
  }
  const { thing } = THING.exec(title)?.groups ?? {}
  return thing === undefined ? title : `Use ${thing}`
}

/** What a criterion says to a user. Without a step it is a result, or what the product does. */
export interface Reading {
  before: string | null
  step: string | null
  result: string | null
  isTechnical: boolean
}

const GIVEN = /^given (?<before>.+?)[,;.]? when (?<step>.+?)[,;.]? then (?<result>.+)$/iu
const WHEN = /^when (?<step>[^,]+?),? then (?<result>.+)$/iu
const ACTOR = String.raw`(?:i|you|they|(?:the|an?) (?:\p{L}+ )?(?:user|customer|client|admin|administrator|visitor|member|buyer|guest|owner|manager|operator|editor|developer|person))`
const ACTION = new RegExp(`^(?:when|once|after) (?<step>${ACTOR} [^,]+), (?:then )?(?<result>.+)$`, 'iu')
const INSTRUCTION =
  /^(?:open|click|choose|select|enter|type|press|go to|log in|sign in|send|upload|call|run|fill in|confirm|submit|tap|drag|copy|paste|install|visit|scroll|pick|navigate to|switch to|turn (?:on|off)|(?:write|add|save|set|create|remove|delete|change|download|print|follow|check|pay|use|start|stop) (?:the|an?|one|all|your|it|up to))\b/iu

const USER = new RegExp(`^${ACTOR}\\b`, 'iu')

/** Whether a clause says what a user does, and is no condition such as `the order is shipped`. */
const isAction = (clause: string): boolean => USER.test(clause) || INSTRUCTION.test(clause)

/** Sorts the parts of a criterion: what must be so before, what to do, and what happens then. */
export function readingOf(text: string): Reading {
  // One space between words: for each more, the patterns would try all ways to share them.
  const criterion = flat(text.replace(/^\s*scenario[^\n]*\n/i, ''))
  const whole: Reading = { before: null, step: null, result: criterion, isTechnical: isTechnical(criterion) }
  if (whole.isTechnical) return whole
  for (const form of [GIVEN, WHEN, ACTION]) {
    const { before = null, step, result } = form.exec(criterion)?.groups ?? {}
    if (step === undefined || result === undefined || !isAction(step)) continue
    return { ...whole, before: before && asSentence(before), step: asSentence(step), result: asSentence(result) }
  }
  return INSTRUCTION.test(criterion) ? { ...whole, step: criterion, result: null } : whole
}

const STEP = /^\s*\d{1,3}[.)]\s+(?<step>\S.*)$/u

/** Numbered lines of a text, and the text without them. A single one is no list of steps. */
export function numberedLines(text: string): { steps: string[]; rest: string } {
  const lines = text.split(/\r\n|\r|\n/)
  const steps = lines.flatMap((each) => STEP.exec(each)?.groups?.step ?? [])
  if (steps.length < 2) return { steps: [], rest: text }
  return { steps, rest: lines.filter((each) => !STEP.test(each)).join('\n') }
}
