/** What a deprecation asks of users, from the description of its requirement. */
import { enumerated } from '../format.ts'
import { flat, shortened, strong, withCode } from '../markdown.ts'
import type { Requirement } from '../project-data.ts'

const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'
const DATE = String.raw`\d{4}-\d{2}-\d{2}|\d{1,2}\.? (?:${MONTHS}) \d{4}|(?:${MONTHS}) \d{1,2}(?:st|nd|rd|th)?,? \d{4}|(?:the )?end of (?:(?:${MONTHS}) )?\d{4}|(?:${MONTHS}) \d{4}|(?:version |v)\d+(?:\.\d+)*`
const LIMIT = new RegExp(
  String.raw`\b(?:until|by|before|(?:removed|ends|stops)(?: working)? (?:in|with|on))\s+(${DATE})(?![\w-])`,
  'iu',
)
const ANY_DATE = /\b(\d{4}-\d{2}-\d{2})(?![\w-])/u
const MAX_LENGTH = 600

interface Deprecation {
  /** What to do instead, as text; null if the requirement has no description. */
  advice: string | null
  /** Until when it works, as the description says it; null if it does not. */
  until: string | null
}

export function deprecationOf({ description }: Requirement): Deprecation {
  const text = flat(description ?? '')
  const [, until] = LIMIT.exec(text) ?? ANY_DATE.exec(text) ?? []
  return { advice: text === '' ? null : shortened(text, MAX_LENGTH), until: until ?? null }
}

/** What to do and until when, as Markdown to follow the title of a deprecation; empty if nothing is known. */
export function deprecationAdvice(requirement: Requirement): string {
  const { advice, until } = deprecationOf(requirement)
  if (advice === null) return ''
  return `: ${until === null ? '' : `${strong(`until ${withCode(until)}.`)} `}${withCode(advice)}`
}

/** Requirements that are named one by one. */
const MAX_NAMED = 5

/** Sentences for `source.missing` on deprecations that do not say what to do, or until when. */
export function missingAdvice(requirements: Requirement[]): string[] {
  const known = requirements.map((requirement) => ({ number: requirement.number, ...deprecationOf(requirement) }))
  const which = (found: { number: number }[]): string => {
    const numbers = found.slice(0, MAX_NAMED).map(({ number }) => `#${number}`)
    const more = found.length - numbers.length
    return `${found.length === 1 ? 'The deprecation' : 'The deprecations'} ${enumerated(more > 0 ? [...numbers, `${more} more`] : numbers)}`
  }
  const silent = known.filter(({ advice }) => advice === null)
  const endless = known.filter(({ advice, until }) => advice !== null && until === null)
  return [
    ...(silent.length > 0
      ? [`${which(silent)} ${silent.length === 1 ? 'has' : 'have'} no description: say what to do instead, and until when.`]
      : []),
    ...(endless.length > 0
      ? [
          `${which(endless)} ${endless.length === 1 ? 'does' : 'do'} not say until when: name a date in the description, such as "until 2027-01-31".`,
        ]
      : []),
  ]
}
