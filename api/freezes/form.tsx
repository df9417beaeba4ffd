/** The freezes of a policy in a form. Rows are added and removed by buttons that send the form without saving it. */
import { useContext } from 'preact/hooks'
import { type Freeze, isRecurring } from '../../core/freezes/held-until.ts'
import { CurrentForm, Field, Select, Stored, SubmitTo } from '../pages/components/forms.tsx'
import { REDISPLAY, textsIn } from '../pages/forms.ts'

const ZONES = Intl.supportedValuesOf('timeZone')

/** Freezes that a policy can have. */
const MAX_FREEZES = 20

const UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 }

const FIELDS = ['kind', 'name', 'from', 'until', 'rrule', 'duration', 'unit', 'time_zone'] as const

/** A row, as it is typed. `kind` is `once` or `repeating`; times are UTC. */
export type FreezeRow = Record<(typeof FIELDS)[number], string>

const EMPTY: FreezeRow = { kind: 'once', name: '', from: '', until: '', rrule: '', duration: '', unit: 'hours', time_zone: 'UTC' }

/** A time as fields of browsers take it: `2026-12-23T16:00`. */
const typedTime = (instant: string): string => instant.replace(/(?::00\.000|\.000)?Z$/, '')

export function rowOf(freeze: Freeze): FreezeRow {
  const { name } = freeze
  if (!isRecurring(freeze)) return { ...EMPTY, name, from: typedTime(freeze.from), until: typedTime(freeze.until) }
  const { rrule, time_zone, duration_seconds } = freeze
  const [unit, length] = Object.entries(UNITS).find(([, seconds]) => duration_seconds % seconds === 0) ?? ['seconds', 1]
  return { ...EMPTY, kind: 'repeating', name, rrule, time_zone, duration: String(duration_seconds / length), unit }
}

export function rowsOf(texts: Record<string, string>): FreezeRow[] {
  const rows = new Map<number, FreezeRow>()
  for (const [name, text] of Object.entries(texts)) {
    const [, index, field] = /^(\d{1,3})\/(\w+)$/.exec(name) ?? []
    const known = FIELDS.find((each) => each === field)
    if (index === undefined || known === undefined) continue
    rows.set(Number(index), { ...(rows.get(Number(index)) ?? EMPTY), [known]: text })
  }
  return [...rows].sort(([one], [other]) => one - other).map(([, row]) => row)
}

const PREFIX = 'freezes/'

export const rowsIn = (values: URLSearchParams): FreezeRow[] => rowsOf(textsIn(values, 'freezes'))

/** Adds or removes a row of a form. @param step what its button says: `add once`, `add repeating`, `remove 2` */
export function editRows(values: URLSearchParams, step: string): void {
  const [verb, what = ''] = step.split(' ')
  const rows = rowsIn(values).filter((_, index) => verb !== 'remove' || index !== Number(what))
  if (verb === 'add') rows.push({ ...EMPTY, kind: what })
  for (const name of new Set(values.keys())) if (name.startsWith(PREFIX)) values.delete(name)
  for (const [index, row] of rows.entries()) for (const field of FIELDS) values.set(`${PREFIX}${index}/${field}`, row[field])
}

/** Fields of browsers have no zone; what was typed into others is left to the API. */
const typedInstant = (text: string): string => {
  const [time, seconds] = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(?:\.\d+)?)?$/.exec(text) ?? []
  if (time === undefined) return text
  return seconds === undefined ? `${time}:00Z` : `${time}Z`
}

const isUnit = (text: string): text is keyof typeof UNITS => Object.hasOwn(UNITS, text)

function typedSeconds({ duration, unit }: FreezeRow): number | string {
  const seconds = isUnit(unit) && /^\d+(\.\d+)?$/.test(duration.trim()) ? Number(duration) * UNITS[unit] : Number.NaN
  return Number.isNaN(seconds) ? duration : Math.round(seconds)
}

/** The freeze that a row stands for, as the API takes it, without fields that are empty. */
export function freezeOf(row: FreezeRow): Record<string, unknown> {
  const { name, kind, from, until, rrule, time_zone } = row
  const times =
    kind === 'repeating'
      ? { rrule, duration_seconds: typedSeconds(row), time_zone }
      : { from: typedInstant(from), until: typedInstant(until) }
  return Object.fromEntries(Object.entries({ name, ...times }).filter(([, value]) => value !== ''))
}

/** The field of a form that an error of the API is about, and what it says there. */
export function atRow(field: string, detail: string): [field: string, detail: string] {
  if (field !== 'duration_seconds') return [field || 'name', detail]
  return ['duration', /\d$/.test(detail) ? `${detail} seconds` : detail]
}

const unitOptions = Object.keys(UNITS).map((unit): [string, string] => [unit, unit])

const Once = ({ of: { from, until }, at }: { of: FreezeRow; at: string }) => (
  <div class="pair">
    <Field name={`${at}/from`} label="From, in UTC" type="datetime-local" value={from} required />
    <Field name={`${at}/until`} label="Until, in UTC" type="datetime-local" value={until} required />
  </div>
)

const Repeating = ({ of: { rrule, duration, unit, time_zone }, at }: { of: FreezeRow; at: string }) => (
  <>
    <Field
      name={`${at}/rrule`}
      label="Starts"
      value={rrule}
      maxLength={1000}
      required
      hint={
        <>
          A recurrence rule: <code>FREQ=WEEKLY;BYDAY=FR;BYHOUR=16</code> is each Friday at 16:00,{' '}
          <code>FREQ=MONTHLY;BYMONTHDAY=-1</code> each last day of a month at 0:00.
        </>
      }
    />
    <div class="pair">
      <Field name={`${at}/duration`} label="Duration" inputMode="decimal" value={duration} required />
      <Select name={`${at}/unit`} label="Unit" options={unitOptions} value={unit} required />
      <Field name={`${at}/time_zone`} label="Time zone" value={time_zone} maxLength={64} list="zones" required />
    </div>
  </>
)

interface FreezeFieldsProps {
  rows: FreezeRow[]
  /** What is stored, in words. */
  stored: string
  path: string
  /** Whether the last row was just added. */
  isFocused: boolean
}

export function FreezeFields({ rows, stored, path, isFocused }: FreezeFieldsProps) {
  const isOutdated = useContext(CurrentForm)?.isOutdated
  return (
    <fieldset id="freezes" class="group">
      <legend>Freezes</legend>
      <Stored text={isOutdated ? stored : null} />
      {rows.length === 0 && <p class="hint">None. While a freeze holds, approved deployments wait.</p>}
      {rows.map((row, index) => {
        const at = `freezes/${index}`
        return (
          <fieldset class="group card" aria-label={`Freeze ${index + 1}`}>
            <input type="hidden" name={`${at}/kind`} value={row.kind} />
            <Field
              name={`${at}/name`}
              label="Name"
              value={row.name}
              maxLength={120}
              required
              autofocus={isFocused && index === rows.length - 1}
            />
            {row.kind === 'repeating' ? <Repeating of={row} at={at} /> : <Once of={row} at={at} />}
            <SubmitTo bare action={`${path}#freezes`} name={REDISPLAY} value={`remove ${index}`}>
              Remove <span class="unseen">freeze {index + 1}</span>
            </SubmitTo>
          </fieldset>
        )
      })}
      {rows.length < MAX_FREEZES ? (
        <div class="buttons">
          <SubmitTo bare action={`${path}#freezes`} name={REDISPLAY} value="add once">
            Add dates
          </SubmitTo>
          <SubmitTo bare action={`${path}#freezes`} name={REDISPLAY} value="add repeating">
            Add a repeating freeze
          </SubmitTo>
        </div>
      ) : (
        <p class="hint">A policy has at most {MAX_FREEZES} freezes.</p>
      )}
      {rows.some(({ kind }) => kind === 'repeating') && (
        <datalist id="zones">
          {ZONES.map((zone) => (
            <option value={zone} />
          ))}
        </datalist>
      )}
    </fieldset>
  )
}
