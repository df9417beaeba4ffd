/** What a deprecation asks of users, from the description of its requirement. */
import { enumerated } from '../format.ts'
import { type Block, flat, shortened, strong, withCode } from '../markdown.ts'
import type { Requirement } from '../project-data.ts'

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const DATE = String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}\.? (?:${MONTHS}) \d{4}|(?:${MONTHS}) \d{1,2}(?:st|nd|rd|th)?,? \d{4}|(?:the )?end of (?:(?:${MONTHS}) )?\d{4}|(?:${MONTHS}) \d{4}|(?:version |v)\d+(?:\.\d+)*`
const END = String.raw`remov|end|stop|retir|discontinu|expir|switch(?:ed)?[ -]off|shut|turned off|drop|delet|disappear|withdraw|gone|no longer|support|available|works?\b`
const ACT = String.raw`${END}|use\b|switch|migrat|mov|upgrad|updat|chang|replac|convert`

/** Sentences say a limit as `until <date>`, as `by <date>` next to what to do or what ends, or as `on <date>` next to what ends. */
const LIMITS: [when: RegExp, beside: RegExp | null][] = [
  [new RegExp(String.raw`\b(?:until|till|through)\s+(${DATE})(?![\w-])`, 'iu'), null],
  [new RegExp(String.raw`\b(?:by|before)\s+(${DATE})(?![\w-])`, 'iu'), new RegExp(String.raw`\b(?:${ACT})`, 'iu')],
  [
    new RegExp(String.raw`\b(?:on|in|with|from|after|as of|at)\s+(${DATE})(?![\w-])`, 'iu'),
    new RegExp(String.raw`\b(?:${END})`, 'iu'),
  ],
]
const MAX_LENGTH = 600

interface Deprecation {
  /** What to do instead, as text; null if the requirement has no description. */
  advice: string | null
  /** Until when it works, as the description says it; null if it does not. */
  until: string | null
}

/** The date that a sentence says as a limit. Other dates are about something else, such as when the deprecation was decided. */
function limitIn(sentence: string): string[] {
  if (!/\d/.test(sentence)) return []
  for (const [when, beside] of LIMITS) {
    const [, date] = when.exec(sentence) ?? []
    if (date !== undefined && (beside === null || beside.test(sentence))) return [date]
  }
  return []
}

const known = new WeakMap<Requirement, Deprecation>()

/** Read once: the patterns take time in a large project. */
export function deprecationOf(requirement: Requirement): Deprecation {
  const deprecation = known.get(requirement) ?? readDeprecation(requirement)
  known.set(requirement, deprecation)
  return deprecation
}

function readDeprecation({ description }: Requirement): Deprecation {
  const text = flat(description ?? '')
  const [until] = text.split(/(?<=[.!?;])\s+(?=\p{Lu}|\p{Lo})/u).flatMap(limitIn)
  return { advice: text === '' ? null : shortened(text, MAX_LENGTH), until: until ?? null }
}

/** Text with its first occurrence of a phrase in bold. Within code, it stays as it is. */
function emphasized(text: string, phrase: string): string {
  const at = text.indexOf(phrase)
  const before = text.slice(0, at)
  if (at === -1 || before.split('`').length % 2 === 0) return withCode(text)
  const rest = text.slice(at + phrase.length)
  return [
    before === '' ? '' : `${withCode(before)}${/\s$/.test(before) ? ' ' : ''}`,
    strong(withCode(phrase)),
    rest.startsWith(' ') ? ' ' : '',
    withCode(rest),
  ].join('')
}

/** What to do and until when, as Markdown to follow the title of a deprecation; empty if nothing is known. */
export function deprecationAdvice(requirement: Requirement): string {
  const { advice, until } = deprecationOf(requirement)
  if (advice === null) return ''
  return `: ${until === null ? withCode(advice) : emphasized(advice, until)}`
}

const MAX_NAMED = 5

/** Sentences for `source.missing` on deprecations that do not say what to do, or until when. */
export function missingAdvice(requirements: Requirement[]): Block[] {
  const known = requirements.map((requirement) => ({ number: requirement.number, ...deprecationOf(requirement) }))
  const which = (found: { number: number }[]): string => {
    const numbers = found.slice(0, MAX_NAMED).map(({ number }) => `#${number}`)
    const more = found.length - numbers.length
    return `${found.length === 1 ? 'The deprecation' : 'The deprecations'} ${enumerated(more > 0 ? [...numbers, `${more} more`] : numbers)}`
  }
  const withoutAdvice = known.filter(({ advice }) => advice === null)
  const endless = known.filter(({ advice, until }) => advice !== null && until === null)
  return [
    withoutAdvice.length > 0 &&
      `${which(withoutAdvice)} ${withoutAdvice.length === 1 ? 'has' : 'have'} no description: say what to do instead, and until when.`,
    endless.length > 0 &&
      `${which(endless)} ${endless.length === 1 ? 'does' : 'do'} not say until when: name a date in the description, such as "until 2027-01-31".`,
  ]
}
