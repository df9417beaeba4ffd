/** Compares updates with stored values, and describes the differences in the audit log. */
import { isDeepStrictEqual } from 'node:util'
import { record } from '../../core/security/audit.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import { isObject, parseExactly } from '../../core/values/json.ts'
import type { Tx } from '../../sql/index.ts'

/** The change of one field. Values of secrets are never included. */
export type FieldChange =
  | { field: string; from: unknown; to: unknown }
  | { field: string; secret: 'added' | 'changed' | 'removed' }

/** A value after a round trip through JSON: -0 becomes 0, and undefined becomes null. Numbers stay as they were written. */
const asJson = (value: unknown): unknown => (value === undefined ? null : parseExactly(JSON.stringify(value)))

/** What an object has itself: a name such as `constructor` is no value in it. */
const own = <Value>(object: { [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(asJson(one), asJson(other))

/** The fields that differ from the stored ones, whose row must be locked; null if none does: then nothing must be written. */
export function changedFields<Fields extends object>(
  before: { [Name in keyof Fields]?: unknown },
  given: Fields,
): Partial<Fields> | null {
  const changed = Object.entries(given).filter(([name, value]) => !isSame(own(before as Record<string, unknown>, name), value))
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>)
}

export function fieldChanges(before: object, given: object): FieldChange[] {
  const stored = before as Record<string, unknown>
  return Object.entries(changedFields(stored, given as Record<string, unknown>) ?? {}).map(([field, to]) => ({
    field,
    from: own(stored, field),
    to,
  }))
}

/** The change of a secret: a list with one element, or an empty list. */
export function secretChange(field: string, from: string | null | undefined, to: string | null | undefined): FieldChange[] {
  if ((from ?? null) === (to ?? null)) return []
  return [{ field, secret: from == null ? 'added' : to == null ? 'removed' : 'changed' }]
}

/** The changes of named secrets, such as header values. */
export function secretChanges(field: string, from: Record<string, string>, to: Record<string, string>): FieldChange[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((name) => secretChange(`${field}.${name}`, own(from, name), own(to, name)))
}

/** The changes of named values, of which some may be new, and others gone. */
export function entryChanges(before: Record<string, unknown>, after: Record<string, unknown>): FieldChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [from, to] = [own(before, field), own(after, field)]
    return isSame(from, to) ? [] : [{ field, from, to }]
  })
}

/** Characters that an entry shows of a long value, starting shortly before the first difference. */
const MAX_VALUE_LENGTH = 80
const CONTEXT_LENGTH = 20

/** Cuts a text, without splitting surrogate pairs. */
function excerpt(text: string, begin: number): string {
  const part = text.slice(begin, begin + MAX_VALUE_LENGTH).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${begin > 0 ? '…' : ''}${part}${begin + MAX_VALUE_LENGTH < text.length ? '…' : ''}`
}

/** An element of a list: a text in quotes, and the fields of an object in words. */
const elementText = (element: unknown): string =>
  isObject(element)
    ? `(${Object.entries(element)
        .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
        .join(', ')})`
    : JSON.stringify(element)

function valueText(value: unknown): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  return value.length === 0 ? 'an empty list' : value.map(elementText).join(', ')
}

function describe(change: FieldChange): string {
  if ('secret' in change) return `${change.field} ${change.secret}`
  const values = [change.from ?? null, change.to ?? null]
  const [from = '', to = ''] = values.map(valueText)
  let commonLength = 0
  while (commonLength < from.length && from[commonLength] === to[commonLength]) commonLength++
  const begin = Math.max(from.length, to.length) > MAX_VALUE_LENGTH ? Math.max(0, commonLength - CONTEXT_LENGTH) : 0
  const [old, now] = [from, to].map((text, index) => {
    if (values[index] === null) return 'none'
    const shown = excerpt(text, begin)
    return typeof values[index] === 'string' ? JSON.stringify(shown) : shown
  })
  return `${change.field} from ${old} to ${now}`
}

/** Describes changes, e.g. `name from "Pay" to "Checkout"; description from none to "…"; secret changed`. */
export const describeChanges = (changes: FieldChange[]): string => changes.map(describe).join('; ')

interface UpdatedResource {
  resource_type: string
  resource_id: string
  /** For people: `the project Checkout`. */
  what: string
}

export const recordUpdate = (
  tx: Tx,
  by: Actor,
  scope: Scope,
  { resource_type, resource_id, what }: UpdatedResource,
  changes: FieldChange[],
): Promise<void> =>
  record(tx, by, scope, {
    action: `${resource_type}.updated`,
    resource_type,
    resource_id,
    detail: `${by.name} changed ${what}: ${describeChanges(changes)}.`,
  })
