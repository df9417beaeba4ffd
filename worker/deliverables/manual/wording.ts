/**
 * Reads the usual forms of requirements: user stories, and criteria such as "Given ..., when ..., then ...". Clauses are told apart
 * only where there is one way to do so, and no word is replaced by another: anything else is shown as it was written.
 */
import { flat } from '../markdown.ts'
import { numberedLines } from '../sentences.ts'
import { isTechnical } from './audience.ts'

/** Capitalized, unless its first word has a capital already, such as `iOS`. */
const capitalized = (text: string): string => text.replace(/^\p{Ll}(?!\p{Ll}*[\p{Lu}\p{N}])/u, (letter) => letter.toUpperCase())

/** A clause as a sentence of its own. */
const asSentence = (clause: string): string => {
  const text = capitalized(clause.trim())
  return /[.!?:;…。！？]["'”’)]*$/u.test(text) ? text : `${text}.`
}

/** Words that mean someone else once a clause stands alone. */
const PRONOUN =
  /(?<![\p{L}'’-])(?:I|we|us|my|our|mine|ours|me|myself|they|them|their|theirs|he|him|his|she|her|it|its)(?![\p{L}-])/iu

const STORY =
  /^as (?:an? |the )?[^,.]{1,80}?,? i (?:want|need|would like|wish)(?: to be able)? to (?<task>.+?)(?:,? (?:so that|in order to) .+?)?\.?$/iu

/** Whether a sentence is a user story. */
export const isStory = (sentence: string): boolean => STORY.test(flat(sentence))

const TASKS = [
  STORY,
  /^(?:allow|enable) (?:(?:all|our|the) )?(?:users?|customers?|clients?|visitors?|members?|admins?) to (?<task>.+)$/iu,
  /^let (?:(?:all|our|the) )?(?:users|customers|clients|visitors|members|admins) (?<task>.+)$/iu,
  /^make it possible to (?<task>.+)$/iu,
]

/** What a user does, from the title of a requirement; the title if it cannot be told. */
export function taskTitle(title: string): string {
  for (const form of TASKS) {
    const { task } = form.exec(flat(title))?.groups ?? {}
    if (task !== undefined) return PRONOUN.test(task) ? title : capitalized(task.trim())
  }
  return title
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
const ACTION = new RegExp(`^(?:when|once|after) (?<step>${ACTOR} [^,]+), (?<result>[^,]+)$`, 'iu')
const INSTRUCTION =
  /^(?:open|click|choose|select|enter|type|press|go to|log in|sign in|send|upload|call|run|fill in|confirm|submit|tap|drag|copy|paste|install|visit|scroll|pick|navigate to|switch to|turn (?:on|off)|(?:write|add|save|set|create|remove|delete|change|download|print|follow|check|pay|use|start|stop) (?:the|an?|one|all|your|it|up to))\b/iu

const USER = new RegExp(`^${ACTOR}\\b`, 'iu')

/** Whether a clause says what a user does, and is no condition such as `the order is shipped`. */
const isAction = (clause: string): boolean => USER.test(clause) || INSTRUCTION.test(clause)

const occurrences = (text: string, word: RegExp): number => text.match(word)?.length ?? 0

/** Whether `when` and `then` occur once at most, so that they can only separate the clauses. */
const isClear = (text: string): boolean => occurrences(text, /\bwhen\b/giu) <= 1 && occurrences(text, /\bthen\b/giu) <= 1

/** Sorts the parts of a criterion: what must be so before, what to do, and what happens then. */
export function readingOf(text: string): Reading {
  // One space between words: for each more, the patterns would try all ways to share them.
  const criterion = flat(text.replace(/^\s*scenario[^\n]*\n/i, ''))
  const isList = numberedLines(text).steps.length > 0
  const whole: Reading = { before: null, step: null, result: isList ? text : criterion, isTechnical: isTechnical(criterion) }
  if (whole.isTechnical || isList) return whole
  if (!isClear(criterion)) return whole
  for (const form of [GIVEN, WHEN, ACTION]) {
    const { before = null, step, result } = form.exec(criterion)?.groups ?? {}
    if (step === undefined || result === undefined || !isAction(step)) continue
    return { ...whole, before: before && asSentence(before), step: asSentence(step), result: asSentence(result) }
  }
  return INSTRUCTION.test(criterion) ? { ...whole, step: criterion, result: null } : whole
}
