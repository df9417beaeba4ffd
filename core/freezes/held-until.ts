/** Until when the freezes of an environment hold its deployments. */
import type { Fragment } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { DAY_MS, LAST_MS } from '../values/instants.ts'
import { parseRule, type Rule } from './rules.ts'

/** Once: from a time until another. */
type SingleFreeze = { name: string; from: string; until: string }

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
const BUDGET = 5_000
const COST = { day: 0.5, start: 4, zone: 6, step: 1 }

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
 * The instant of a time by the clock of a zone: of a repeated hour the first one. A time that the clock skips has the offset from before
 * the gap (RFC 5545, section 3.3.5), so it is later than times of the clock that follow it.
 */
export function instantIn(time_zone: string, day: number, seconds: number): number {
  const wall = new Date(day * DAY_MS + seconds * 1000)
  const [hour, minute, second] = [wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds()]
  const local = new Temporal.PlainDateTime(wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate(), hour, minute, second)
  return local.toZonedDateTime(time_zone).epochMilliseconds
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
  let last: number | null = null
  // After a gap, starts at earlier times of the clock can be later.
  let earliest = Number.NEGATIVE_INFINITY
  for (let day = Math.floor(latest / DAY_MS); (day + 1) * DAY_MS + OFFSET_MS > after && work.isLeft; day--) {
    if ((day + 1) * DAY_MS <= earliest) break
    work.spent += COST.day
    const times = rule.timesOf(day)
    for (let index = times.length - 1; index >= 0 && work.isLeft; index--) {
      const time = times[index] as number
      const wall = day * DAY_MS + time * 1000
      if (wall > latest || wall < earliest) continue
      work.spent += COST.start
      const start = instantIn(time_zone, day, time)
      if (start > at) continue
      if (last === null) earliest = wall - CHANGE_MS
      last = Math.max(last ?? start, start)
    }
  }
  return last !== null && last > after ? last : null
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

function nextRecurring({ rrule, time_zone }: RecurringFreeze, at: number, limit: number): number {
  const rule = parseRule(rrule)
  const earliest = at + offsetAt(time_zone, at) - CHANGE_MS
  let next = limit
  // By the clock: a start in a gap is followed by times that are earlier.
  let latest = limit + OFFSET_MS
  for (let day = Math.floor(earliest / DAY_MS); day * DAY_MS <= latest; day++) {
    for (const time of rule.timesOf(day)) {
      const wall = day * DAY_MS + time * 1000
      if (wall < earliest || wall > latest) continue
      const start = instantIn(time_zone, day, time)
      if (start <= at || start >= next) continue
      next = start
      latest = start + offsetAt(time_zone, start)
    }
  }
  return next
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

/** The freezes of a policy, as `freezeColumns` reads them. All are null without a policy that has freezes. */
export interface FreezesRow {
  policy_id: string | null
  policy_version: string | null
  freezes: Freeze[] | null
  /** The time of the database. */
  now: string
}

/** SQL: the columns of a `FreezesRow`, of `policy`. */
export const freezeColumns = sql`
  policy.id as policy_id, policy.updated_at as policy_version, policy.freezes, now()::timestamptz(3) as now
`

/** SQL: joins the `policy` of the environment of a hook, if it has freezes. */
export const joinFreezes = (hook: Fragment): Fragment => sql`
  left join environment_policies as policy
    on policy.project_id = ${hook}.project_id
    and policy.environment = ${hook}.environment
    and policy.organization_id = ${hook}.organization_id
    and policy.freezes <> '[]'
`

/** A time in which freezes hold all the time, or not at all. */
export interface FreezeWindow {
  holds: boolean
  /** When that ends, or has to be computed again. */
  until: string
  /** The version of the policy that it follows from. */
  policy_id: string
  policy_version: string
}

/** Of a thousand policies. Each answer is kept until it changes, at most a day. */
const MAX_KEPT = 1_000

const kept = new Map<string, FreezeWindow & { from: string }>()

/** The window that a time is in; null without freezes. Computed once for each version of a policy and window. */
export function freezeWindow({ policy_id, policy_version, freezes, now }: FreezesRow): FreezeWindow | null {
  if (policy_id === null || policy_version === null || freezes === null) return null
  const known = kept.get(policy_id)
  if (known?.policy_version === policy_version && known.from <= now && now < known.until) return known
  const at = new Date(now)
  const held = heldUntil(freezes, at)
  const until = (held ?? nextStart(freezes, at)).toISOString()
  const window = { holds: held !== null, from: now, until, policy_id, policy_version }
  kept.delete(policy_id)
  kept.set(policy_id, window)
  const [oldest] = kept.keys()
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest)
  return window
}

export function heldUntilOf(row: FreezesRow | undefined): string | null {
  const window = row ? freezeWindow(row) : null
  return window?.holds ? window.until : null
}
