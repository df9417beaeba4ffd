/** The parts of a recurrence rule (RFC 5545, section 3.3.10), as they are written. */

/** What is wrong with a rule; the message continues "The rule …". */
export class RuleError extends Error {}

const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
type Frequency = (typeof FREQUENCIES)[number]

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** A weekday and, for one of those in a month or year, which one: from 1, or from -1 backwards. */
export type Weekday = { weekday: number; nth: number | null }

/** The numbers that a part can have. A signed one also counts backwards from -1. */
const NUMBERS = {
  BYSECOND: { least: 0, most: 59, signed: false },
  BYMINUTE: { least: 0, most: 59, signed: false },
  BYHOUR: { least: 0, most: 23, signed: false },
  BYMONTHDAY: { least: 1, most: 31, signed: true },
  BYYEARDAY: { least: 1, most: 366, signed: true },
  BYWEEKNO: { least: 1, most: 53, signed: true },
  BYMONTH: { least: 1, most: 12, signed: false },
  BYSETPOS: { least: 1, most: 366, signed: true },
} as const

export type NumberPart = keyof typeof NUMBERS

export interface RuleParts {
  frequency: Frequency
  numbers: Partial<Record<NumberPart, number[]>>
  weekdays: Weekday[] | null
  week_start: number
}

const isNumberPart = (name: string): name is NumberPart => Object.hasOwn(NUMBERS, name)
const isFrequency = (text: string): text is Frequency => FREQUENCIES.includes(text as Frequency)

function numbersOf(name: NumberPart, text: string): number[] {
  const { least, most, signed } = NUMBERS[name]
  const values = text.split(',').map((each) => {
    const value = /^[+-]?\d{1,3}$/.test(each) && (signed || /^\d/.test(each)) ? Number(each) : Number.NaN
    const size = signed ? Math.abs(value) : value
    if (!(size >= least && size <= most)) {
      throw new RuleError(`has ${name}=${each}: it takes ${least} to ${most}${signed ? `, and -${most} to -${least}` : ''}`)
    }
    return value
  })
  return [...new Set(values)].sort((one, other) => one - other)
}

function weekdaysOf(text: string): Weekday[] {
  return text.split(',').map((each) => {
    const [, nth, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(each) ?? []
    const weekday = WEEKDAYS.indexOf(name)
    const size = Math.abs(Number(nth ?? 1))
    if (weekday === -1 || size < 1 || size > 53) {
      throw new RuleError(`has BYDAY=${each}: it takes ${WEEKDAYS.join(', ')}, each also with a number such as 1MO or -1FR`)
    }
    return { weekday, nth: nth === undefined ? null : Number(nth) }
  })
}

/** Why a part is refused that the standard knows. */
const REFUSED: Record<string, string> = {
  COUNT: 'must not have COUNT: a freeze that recurs has no end; delete it when it is over',
  UNTIL: 'must not have UNTIL: a freeze that recurs has no end; delete it when it is over',
  DTSTART: 'must not have DTSTART: name weekdays, days, months and times with BYDAY, BYMONTHDAY, BYMONTH and BYHOUR',
}

/** The values by name, in capitals. */
function splitParts(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().split(';')) {
    const [, name = '', value = ''] = /^(\w+)[=:](.+)$/.exec(part) ?? []
    const refused = REFUSED[name]
    if (refused) throw new RuleError(refused)
    if (!/^[A-Z]+=/.test(part) || value === '')
      throw new RuleError('must consist of parts such as FREQ=WEEKLY;BYDAY=FR;BYHOUR=16')
    if (parts.has(name)) throw new RuleError(`has ${name} twice`)
    parts.set(name, value)
  }
  return parts
}

export function parseParts(text: string): RuleParts {
  const { FREQ, INTERVAL = '1', WKST = 'MO', BYDAY, ...others } = Object.fromEntries(splitParts(text))
  if (FREQ === undefined || !isFrequency(FREQ)) throw new RuleError(`needs FREQ, one of ${FREQUENCIES.join(', ')}`)
  if (INTERVAL !== '1') throw new RuleError('must not have an INTERVAL above 1: there is no DTSTART to count from')
  const week_start = WEEKDAYS.indexOf(WKST)
  if (week_start === -1) throw new RuleError(`has WKST=${WKST}: it takes ${WEEKDAYS.join(', ')}`)
  const numbers: RuleParts['numbers'] = {}
  for (const [name, value] of Object.entries(others)) {
    if (!isNumberPart(name)) throw new RuleError(`has ${name}, which RFC 5545 does not define`)
    numbers[name] = numbersOf(name, value)
  }
  return { frequency: FREQ, numbers, weekdays: BYDAY === undefined ? null : weekdaysOf(BYDAY), week_start }
}
