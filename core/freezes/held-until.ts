/** Until when the freezes of an environment hold its deployments. */
import { DAY_MS, LAST_MS } from '../values/instants.ts'
import { parseRule, type Rule } from './rules.ts'

/** Once: from a time until another. */
interface SingleFreeze {
  name: string
  from: string
  until: string
}

/** Again and again: from each start of a rule, by the clock of a zone, for an exact time. */
interface RecurringFreeze {
  name: string
  rrule: string
  duration_seconds: number
  time_zone: string
}

export type Freeze = SingleFreeze | RecurringFreeze

export const isRecurring = (freeze: Freeze): freeze is RecurringFreeze => 'rrule' in freeze

/**
 * What one question may cost, in about microseconds. A policy with freezes that overlap in thousands of pieces gets an earlier answer,
 * not a slow one.
 */
const BUDGET = 4_000
const COST = { day: 0.5, start: 4, zone: 6, step: 1 }

/** The cost of a question, so far. */
class Work {
  spent = 0

  constructor(readonly budget: number) {}

  get isLeft(): boolean {
    return this.spent < this.budget
  }
}

/** How far the clock of a zone can be from UTC; and how far it is moved at once, but by countries that move the date line. */
const [OFFSET_MS, CHANGE_MS] = [DAY_MS, DAY_MS / 8]

const offsetAt = (time_zone: string, at: number): number =>
  new Temporal.ZonedDateTime(BigInt(at) * 1_000_000n, time_zone).offsetNanoseconds / 1_000_000

/**
 * The instant of a time by the clock of a zone: of a repeated hour the first one. Null if the clock skips it: RFC 5545 (section 3.3.10)
 * ignores such starts.
 */
export function instantIn(time_zone: string, day: number, seconds: number): number | null {
  const wall = new Date(day * DAY_MS + seconds * 1000)
  const [hour, minute, second] = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()]
  const local = new Temporal.PlainDateTime(wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate(), hour, minute, second)
  const zoned = local.toZonedDateTime(time_zone)
  return zoned.hour === hour && zoned.minute === minute ? zoned.epochMilliseconds : null
}

/** A freeze that holds at a time: until when; null if it does not hold. Questions must be about later and later times. */
type Asked = (at: number, work: Work) => number | null

function askSingle({ from, until }: SingleFreeze): Asked {
  const [begin, end] = [Date.parse(from), Date.parse(until)]
  return (at) => (at >= begin && at < end ? end : null)
}

/** The last start of a rule after one time and at or before another. All starts last equally long, so the last one ends last. */
function lastStart(rule: Rule, time_zone: string, after: number, at: number, work: Work): number | null {
  work.spent += COST.zone
  const latest = at + offsetAt(time_zone, at) + CHANGE_MS
  for (let day = Math.floor(latest / DAY_MS); (day + 1) * DAY_MS + OFFSET_MS > after && work.isLeft; day--) {
    work.spent += COST.day
    const times = rule.timesOf(day)
    for (let index = times.length - 1; index >= 0 && work.isLeft; index--) {
      const time = times[index] as number
      if (day * DAY_MS + time * 1000 > latest) continue
      work.spent += COST.start
      const start = instantIn(time_zone, day, time)
      if (start === null || start > at) continue
      return start > after ? start : null
    }
  }
  return null
}

function askRecurring({ rrule, duration_seconds, time_zone }: RecurringFreeze): Asked {
  const rule = parseRule(rrule)
  const duration = duration_seconds * 1000
  let asked = Number.NEGATIVE_INFINITY
  let end = Number.NEGATIVE_INFINITY
  return (at, work) => {
    const start = lastStart(rule, time_zone, Math.max(asked, at - duration), at, work)
    asked = at
    if (start !== null) end = start + duration
    return end > at ? end : null
  }
}

/** How far `nextStart` looks ahead by default. */
const HORIZON_MS = DAY_MS

/** The first start of a recurring freeze after a time, up to a limit. */
function nextRecurring({ rrule, time_zone }: RecurringFreeze, at: number, limit: number): number {
  const rule = parseRule(rrule)
  const earliest = at + offsetAt(time_zone, at) - CHANGE_MS
  for (let day = Math.floor(earliest / DAY_MS); day * DAY_MS - OFFSET_MS < limit; day++) {
    for (const time of rule.timesOf(day)) {
      if (day * DAY_MS + time * 1000 < earliest) continue
      const start = instantIn(time_zone, day, time)
      if (start !== null && start > at) return Math.min(start, limit)
    }
  }
  return limit
}

/** The first moment after a time when one of the freezes begins, or, if none does by then, the end of the time that is looked at. */
export function nextStart(freezes: Freeze[], after: Date, horizon_ms = HORIZON_MS): Date {
  const at = after.getTime()
  return new Date(
    freezes.reduce((limit, freeze) => {
      if (isRecurring(freeze)) return nextRecurring(freeze, at, limit)
      const begin = Date.parse(freeze.from)
      return begin > at ? Math.min(begin, limit) : limit
    }, at + horizon_ms),
  )
}

/** When freezes end. */
interface Hold {
  until: Date
  /** False if they hold longer, maybe for ever: then `until` is as far as one question looks. */
  ends: boolean
}

/** Whether and until when freezes hold at a time, overlapping and adjacent ones included. Null if none does. */
export function holdAt(freezes: Freeze[], at: Date): Hold | null {
  // Whether they hold at all is always found out.
  let work = new Work(Number.POSITIVE_INFINITY)
  const all = freezes.map((freeze) => (isRecurring(freeze) ? askRecurring(freeze) : askSingle(freeze)))
  let until = at.getTime()
  for (;;) {
    const ends = all.map((ask) => {
      work.spent += COST.step
      return ask(until, work) ?? until
    })
    const end = Math.max(until, ...ends)
    const isOver = end === until && work.isLeft
    if (isOver && end === at.getTime()) return null
    if (isOver || !work.isLeft) return { until: new Date(Math.min(end, LAST_MS)), ends: isOver }
    if (until === at.getTime()) work = new Work(BUDGET)
    until = end
  }
}

/**
 * The moment when no freeze holds any more, overlapping and adjacent ones included; null if none holds.
 *
 * Freezes that hold in thousands of pieces are followed only so far: ask again at the moment that was returned, as for every other one,
 * because the freezes may have changed by then.
 */
export const heldUntil = (freezes: Freeze[], at: Date): Date | null => holdAt(freezes, at)?.until ?? null
