/** Freezes as requests have them. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Freeze, holdAt } from '../../core/freezes/held-until.ts'
import { parseParts, RuleError } from '../../core/freezes/rule-parts.ts'
import { parseRule } from '../../core/freezes/rules.ts'
import { DAY_MS, inUtc } from '../../core/values/instants.ts'
import { InstantInput, Name, optional, Shape, type Static, Text, Type } from '../../core/values/schema.ts'
import { type FieldError, invalidFields } from '../problems.ts'

const isZone = (text: string): boolean => {
  try {
    // Offsets such as +01:00 are no names.
    return /^[A-Za-z]/.test(text) && new Temporal.ZonedDateTime(0n, text).timeZoneId === text
  } catch {
    return false
  }
}

const TimeZone = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'The name of a time zone in the IANA database, as it is spelled there.',
    examples: ['Europe/Berlin'],
  }),
  isZone,
  () => 'must be the name of a time zone in the IANA database, such as Europe/Berlin',
)

const name = Name(120, { examples: ['Weekend'] })

const rrule = Text(1000, {
  description:
    'When it starts: an `RRULE` of RFC 5545 without `DTSTART`. `BY…` parts count by the clock of the zone; `BYHOUR`, `BYMINUTE` and `BYSECOND` are 0 where they are absent and `FREQ` does not count them. `COUNT`, `UNTIL`, an `INTERVAL` above 1 and more than 24 starts a day are refused. A start in an hour that a clock change skips has the offset from before it: 02:30 is 03:30. In an hour that is repeated, the first counts.',
  examples: ['FREQ=WEEKLY;BYDAY=FR;BYHOUR=16'],
})

const duration_seconds = Type.Integer({
  minimum: 60,
  maximum: 31_536_000,
  description: 'How long it holds from each start. Exact time: clock changes do not alter it.',
  examples: [230_400],
})

const FORMS = 'Once, with `from` and `until`; or again and again, with `rrule`, `duration_seconds` and `time_zone`.'

export const FreezeInput = Shape(
  'FreezeInput',
  {
    name,
    ...optional({ from: InstantInput, until: InstantInput, rrule, duration_seconds, time_zone: TimeZone }),
  },
  {
    description: FORMS,
    examples: [
      { name: 'Weekend', rrule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16', duration_seconds: 230_400, time_zone: 'Europe/Berlin' },
    ],
  },
)
export type FreezeInput = Static<typeof FreezeInput>

export const ShownFreeze = Shape(
  'Freeze',
  {
    name: Type.String({ examples: ['Weekend'] }),
    ...optional({
      from: Type.String({ format: 'date-time' }),
      until: Type.String({ format: 'date-time' }),
      rrule: Type.String({ examples: ['FREQ=WEEKLY;BYDAY=FR;BYHOUR=16'] }),
      duration_seconds: Type.Integer({ examples: [230_400] }),
      time_zone: Type.String({ examples: ['Europe/Berlin'] }),
    }),
  },
  { description: FORMS },
)

/** Leap days can be eight years apart. */
const SEARCHED_DAYS = 9 * 366

/** Numbers that BYSETPOS can have. */
const MAX_POSITIONS = 31

/** When freezes must be over: others may hold for another year. */
const END = '9999'

/** What is wrong with a rule; null if nothing is. @param today days since 1970 */
function ruleFault(rrule: string, today: number): string | null {
  try {
    const { timesOf } = parseRule(rrule)
    if ((parseParts(rrule).numbers.BYSETPOS?.length ?? 0) > MAX_POSITIONS)
      return `must not have more than ${MAX_POSITIONS} numbers in BYSETPOS`
    for (let day = today; day < today + SEARCHED_DAYS; day++) if (timesOf(day).length > 0) return null
    return 'does not start within the next nine years: no day has what it asks for'
  } catch (error) {
    if (error instanceof RuleError) return error.message
    throw error
  }
}

/** A freeze, or what is wrong with its fields. */
function readFreeze({ name, ...given }: FreezeInput, today: number): Freeze | [field: string, code: string, detail: string][] {
  const { from, until, rrule, duration_seconds, time_zone } = given
  const isRecurring = rrule !== undefined || duration_seconds !== undefined || time_zone !== undefined
  const needed = isRecurring ? (['rrule', 'duration_seconds', 'time_zone'] as const) : (['from', 'until'] as const)
  const excess = isRecurring ? (['from', 'until'] as const) : []
  const faults: [string, string, string][] = []
  for (const field of needed) {
    const others = needed.filter((each) => each !== field).join(' and ')
    if (given[field] === undefined) faults.push([field, 'required', `is required with ${others}`])
  }
  for (const field of excess) if (given[field] !== undefined) faults.push([field, 'not_allowed', 'is not allowed with rrule'])
  if (faults.length > 0) return faults
  if (rrule !== undefined && duration_seconds !== undefined && time_zone !== undefined) {
    const fault = ruleFault(rrule, today)
    return fault === null ? { name: name.trim(), rrule, duration_seconds, time_zone } : [['rrule', 'malformed', fault]]
  }
  const [begin, end] = [inUtc(from ?? ''), inUtc(until ?? '')]
  if (end >= END) return [['until', 'too_large', 'must be before the year 9999']]
  return end > begin ? { name: name.trim(), from: begin, until: end } : [['until', 'too_small', 'must be after from']]
}

/**
 * The freezes of a policy. Each takes a turn of the event loop: twenty rules that start in years only would hold up other requests.
 * @param at the time of the request
 * @throws Problem `validation_failed`
 */
export async function readFreezes(inputs: FreezeInput[], at: Date): Promise<Freeze[]> {
  const errors: FieldError[] = []
  const freezes: Freeze[] = []
  for (const [index, input] of inputs.entries()) {
    const read = readFreeze(input, Math.floor(at.getTime() / DAY_MS))
    if (!Array.isArray(read)) freezes.push(read)
    else errors.push(...read.map(([field, code, detail]) => ({ pointer: `/freezes/${index}/${field}`, code, detail })))
    // One rule that never starts takes long enough to look at.
    if (errors.length > 0) break
    await nextTurn()
  }
  if (errors.length > 0) throw invalidFields(errors)
  if (holdAt(freezes, at)?.ends === false) {
    const detail = 'leave no moment free: nothing could ever be deployed. Shorten one, or leave out a day'
    throw invalidFields([{ pointer: '/freezes', code: 'never_ends', detail }])
  }
  return freezes
}
