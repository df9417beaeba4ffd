/**
 * When a recurrence rule (RFC 5545) starts a freeze. Without COUNT, UNTIL, INTERVAL and DTSTART, whether a rule selects a day does not
 * depend on other periods: each day is judged by itself, at a cost that its author cannot raise.
 */
import { DAY_MS } from '../values/instants.ts'
import { memoize } from '../values/memoize.ts'
import { type NumberPart, parseParts, RuleError, type RuleParts, type Weekday } from './rule-parts.ts'

/** Days are numbers, counted from 1970-01-01: a rule is evaluated for thousands of them in a row. */
type CalendarDate = { year: number; month: number; day: number }

export function dateOf(day: number): CalendarDate {
  const date = new Date(day * DAY_MS)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The number of a day. Months and days may be out of range: day 0 is the last of the month before. */
export const dayOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day) / DAY_MS

/** From 0, Monday. 1970-01-01 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

/** Days since the last beginning of a week. @param first the day that weeks begin with */
const daysIntoWeek = (day: number, first: number): number => (weekdayOf(day) - first + 7) % 7

const weekStart = (day: number, first: number): number => day - daysIntoWeek(day, first)

/** The week of a year that a day is in, and how many weeks that year has. The first has at least four days of the year. */
function weekOf(day: number, first: number): { week: number; weeks: number } {
  const { year } = dateOf(weekStart(day, first) + 3)
  const begin = weekStart(dayOf(year, 1, 4), first)
  const numberOf = (other: number) => Math.floor((other - begin) / 7) + 1
  return { week: numberOf(day), weeks: numberOf(dayOf(year, 12, 28)) }
}

const MAX_STARTS_PER_DAY = 24

export interface Rule {
  /** The times of a day, in seconds from midnight by the clock of its zone, earliest first. */
  timesOf: (day: number) => number[]
}

/** Parts that are not allowed with a frequency (RFC 5545, section 3.3.10). */
function requireAllowed({ frequency, numbers, weekdays }: RuleParts): void {
  const not = (name: NumberPart, frequencies: string) => {
    if (numbers[name] && new RegExp(`^(${frequencies})$`).test(frequency)) {
      throw new RuleError(`must not have ${name} with FREQ=${frequency}`)
    }
  }
  not('BYWEEKNO', 'SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY')
  not('BYYEARDAY', 'DAILY|WEEKLY|MONTHLY')
  not('BYMONTHDAY', 'WEEKLY')
  const hasNth = weekdays?.some(({ nth }) => nth !== null)
  if (hasNth && !(frequency === 'MONTHLY' || (frequency === 'YEARLY' && !numbers.BYWEEKNO))) {
    throw new RuleError('must number weekdays, such as 1MO, only with FREQ=MONTHLY, or FREQ=YEARLY without BYWEEKNO')
  }
  const { BYSETPOS, ...others } = numbers
  if (BYSETPOS && !weekdays && Object.keys(others).length === 0) throw new RuleError('must have another BY part with BYSETPOS')
}

/** There is no DTSTART that the weekday or the day could be taken from. */
function requireDays({ frequency, numbers, weekdays }: RuleParts): void {
  const hasDay = weekdays !== null || numbers.BYMONTHDAY !== undefined
  if (frequency === 'WEEKLY' && !hasDay) throw new RuleError('must name weekdays with BYDAY')
  if (frequency === 'MONTHLY' && !hasDay) throw new RuleError('must name days with BYMONTHDAY or BYDAY')
  if (frequency === 'YEARLY' && !hasDay && !numbers.BYYEARDAY) {
    throw new RuleError('must name days with BYMONTHDAY, BYDAY or BYYEARDAY')
  }
}

const upTo = (count: number): number[] => [...Array(count).keys()]

/** Seconds of the period in which BYSETPOS selects, for frequencies of at most a day. */
const PERIOD_SECONDS = { SECONDLY: 1, MINUTELY: 60, HOURLY: 3600, DAILY: 86_400 } as const

function atPositions<Item>(items: Item[], positions: number[] | undefined): Item[] {
  if (positions === undefined) return items
  const selected = new Set(positions)
  return items.filter((_, index) => selected.has(index + 1) || selected.has(index - items.length))
}

/** The times of each day. @throws RuleError if there are too many */
function timesIn({ frequency, numbers }: RuleParts): number[] {
  const isWithin = (...finer: string[]) => finer.includes(frequency)
  const hours = numbers.BYHOUR ?? (isWithin('HOURLY', 'MINUTELY', 'SECONDLY') ? upTo(24) : [0])
  const minutes = numbers.BYMINUTE ?? (isWithin('MINUTELY', 'SECONDLY') ? upTo(60) : [0])
  const seconds = numbers.BYSECOND ?? (isWithin('SECONDLY') ? upTo(60) : [0])
  const count = hours.length * minutes.length * seconds.length
  if (count > MAX_STARTS_PER_DAY) {
    throw new RuleError(
      `starts ${count.toLocaleString('en')} times a day, and at most ${MAX_STARTS_PER_DAY} are allowed: start once, with a longer duration_seconds`,
    )
  }
  const times = hours.flatMap((hour) => minutes.flatMap((minute) => seconds.map((second) => hour * 3600 + minute * 60 + second)))
  const length = PERIOD_SECONDS[frequency as keyof typeof PERIOD_SECONDS]
  if (length === undefined) return times
  const periods = Map.groupBy(times, (time) => Math.floor(time / length))
  return [...periods.values()].flatMap((period) => atPositions(period, numbers.BYSETPOS))
}

/** Whether a number is listed, or counted backwards from the last one. */
const isListed = (list: number[] | undefined, value: number, last: number): boolean =>
  list === undefined || list.includes(value) || list.includes(value - last - 1)

/** Whether a weekday is listed; a numbered one within the days from `first` to `last`. */
const isWeekday = (list: Weekday[] | null, day: number, first: number, last: number): boolean =>
  list === null ||
  list.some(
    ({ weekday, nth }) =>
      weekday === weekdayOf(day) &&
      (nth === null || nth === (nth > 0 ? Math.floor((day - first) / 7) + 1 : -Math.floor((last - day) / 7) - 1)),
  )

const monthOf = ({ year, month }: CalendarDate) => ({ first: dayOf(year, month, 1), last: dayOf(year, month + 1, 0) })
const yearOf = ({ year }: CalendarDate) => ({ first: dayOf(year, 1, 1), last: dayOf(year, 12, 31) })

/** Whether the parts of a rule select a day, but for BYSETPOS. */
function selects({ frequency, numbers, weekdays, week_start }: RuleParts, day: number): boolean {
  const date = dateOf(day)
  if (numbers.BYMONTH && !numbers.BYMONTH.includes(date.month)) return false
  const [month, year] = [monthOf(date), yearOf(date)]
  // Numbered weekdays of a year with BYMONTH are those of its months.
  const numbered = frequency === 'MONTHLY' || numbers.BYMONTH ? month : year
  if (!isWeekday(weekdays, day, numbered.first, numbered.last)) return false
  if (!isListed(numbers.BYMONTHDAY, date.day, month.last - month.first + 1)) return false
  if (!isListed(numbers.BYYEARDAY, day - year.first + 1, year.last - year.first + 1)) return false
  if (numbers.BYWEEKNO === undefined) return true
  const { week, weeks } = weekOf(day, week_start)
  return isListed(numbers.BYWEEKNO, week, weeks)
}

/** The days of the period in which BYSETPOS selects, for frequencies above a day. */
function periodOf({ frequency, week_start }: RuleParts, day: number): { first: number; last: number } {
  if (frequency === 'MONTHLY') return monthOf(dateOf(day))
  if (frequency === 'YEARLY') return yearOf(dateOf(day))
  const first = weekStart(day, week_start)
  return { first, last: first + 6 }
}

/** The times of the days of a period from which BYSETPOS has selected, by day. */
function selectedIn(parts: RuleParts, times: number[], first: number, last: number): Map<number, number[]> {
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter((day) => selects(parts, day))
  const starts = days.flatMap((day) => times.map((time) => ({ day, time })))
  const selected = new Map<number, number[]>()
  for (const { day, time } of atPositions(starts, parts.numbers.BYSETPOS)) {
    selected.set(day, [...(selected.get(day) ?? []), time])
  }
  return selected
}

/** Reads a rule. A period that one has selected from is kept with it. @throws RuleError */
export const parseRule = memoize(1_000, readRule)

function readRule(text: string): Rule {
  const parts = parseParts(text)
  requireAllowed(parts)
  requireDays(parts)
  const times = timesIn(parts)
  if (!parts.numbers.BYSETPOS || parts.frequency in PERIOD_SECONDS)
    return { timesOf: (day) => (selects(parts, day) ? times : []) }
  let [first, last, selected] = [0, -1, new Map<number, number[]>()]
  return {
    timesOf(day) {
      // Days are evaluated in a row: the period is the one of the day before.
      if (day < first || day > last) {
        ;({ first, last } = periodOf(parts, day))
        selected = selectedIn(parts, times, first, last)
      }
      return selected.get(day) ?? []
    },
  }
}
