/** What an update changes: the fields whose value becomes another one, and how the audit log names them. */
import { isDeepStrictEqual } from 'node:util'
import type { Actor, Place } from '../../core/actors.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'

/** A field that gets another value. Of a secret, the values are never part of it. */
export type FieldChange =
  | { field: string; from: unknown; to: unknown }
  | { field: string; secret: 'added' | 'changed' | 'removed' }

/** A value as JSON keeps it: -0 is 0 there, and what is absent is null. */
const asJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)))

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(asJson(one), asJson(other))

/**
 * The given fields that differ from what is stored. Call it under the lock of the row: the answer holds until the commit.
 *
 * @returns null where nothing differs: then nothing may be written
 */
export function changedFields<Fields extends object>(
  before: { [Name in keyof Fields]?: unknown },
  given: Fields,
): Partial<Fields> | null {
  const changed = Object.entries(given).filter(([name, value]) => !isSame(before[name as keyof Fields], value))
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>)
}

/** The same as a list, with both values. */
export function fieldChanges(before: object, given: object): FieldChange[] {
  const stored = before as Record<string, unknown>
  return Object.entries(changedFields(stored, given as Record<string, unknown>) ?? {}).map(([field, to]) => ({
    field,
    from: stored[field],
    to,
  }))
}

/** The change of one secret, as a list of one, or of none. */
export function secretChange(field: string, from: string | null | undefined, to: string | null | undefined): FieldChange[] {
  if ((from ?? null) === (to ?? null)) return []
  return [{ field, secret: from == null ? 'added' : to == null ? 'removed' : 'changed' }]
}

/** The changes of secrets that have names, such as the values of headers. */
export function secretChanges(field: string, from: Record<string, string>, to: Record<string, string>): FieldChange[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((name) => secretChange(`${field}.${name}`, from[name], to[name]))
}

/** Of a longer value an entry shows this many characters, from just before the place where old and new value differ. */
const LONGEST = 80
const BEFORE_DIFFERENCE = 20

/** Part of a text. It never begins or ends with half of a surrogate pair. */
function excerpt(text: string, begin: number): string {
  const part = text.slice(begin, begin + LONGEST).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${begin > 0 ? '…' : ''}${part}${begin + LONGEST < text.length ? '…' : ''}`
}

function describe(change: FieldChange): string {
  if ('secret' in change) return `${change.field} ${change.secret}`
  const values = [change.from ?? null, change.to ?? null]
  const [from = '', to = ''] = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  const begin = Math.max(from.length, to.length) > LONGEST ? Math.max(0, same - BEFORE_DIFFERENCE) : 0
  const [old, now] = [from, to].map((text, index) => {
    if (values[index] === null) return 'none'
    const shown = excerpt(text, begin)
    return typeof values[index] === 'string' ? JSON.stringify(shown) : shown
  })
  return `${change.field} from ${old} to ${now}`
}

/** Changes in words: `name from "Pay" to "Checkout"; description from none to "…"; secret changed`. */
export const describeChanges = (changes: FieldChange[]): string => changes.map(describe).join('; ')

/** What was updated, as its entry names it. */
interface Updated {
  resource_type: string
  resource_id: string
  /** For people: `the project Checkout`. */
  what: string
}

/** Writes the entry of an update: every field with its old and its new value. */
export const recordUpdate = (
  tx: Tx,
  by: Actor,
  place: Place,
  { resource_type, resource_id, what }: Updated,
  changes: FieldChange[],
): Promise<void> =>
  record(tx, by, place, {
    action: `${resource_type}.updated`,
    resource_type,
    resource_id,
    detail: `${by.name} changed ${what}: ${describeChanges(changes)}.`,
  })
