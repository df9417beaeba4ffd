/** Which events a hook gets: those of its environment that its filter lets pass. Conditions are on the envelope, and all must hold. Pure functions. */

import { type Event, TRIGGERS } from '../events/catalogue.ts'
import { type Gate, triggersIn } from '../gates/gates.ts'
import type { NamedScope } from '../tenants/scopes.ts'
import { isWellFormedPointer, valueAt } from '../values/json.ts'
import { envelopeOf, type NamedHook } from './create.ts'

export const MAX_CONDITIONS = 20

type Literal = string | number | boolean | null

export type Filter = Record<string, unknown>

/** A condition that does not hold: its pointer, and what it requires, as the user wrote it. */
export interface FailedCondition {
  pointer: string
  condition: unknown
  /** What the event has there; null if it has nothing. */
  value: unknown
}

type FilterError = { path: string[]; code: string; detail: string }

const isLiteral = (value: unknown): value is Literal =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || isNumber(value)

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const isLiterals = (value: unknown): value is Literal[] => Array.isArray(value) && value.every(isLiteral)

interface Operator {
  accepts: (operand: unknown) => boolean
  operand: string
  /** @param value undefined if it is absent */
  holds: (value: unknown, operand: never) => boolean
}

/** Only literals are equal to something, and only to those of the same type. What is absent equals null. */
const equals = (value: unknown, literal: Literal): boolean => (value === undefined ? null : value) === literal

const operator = <Operand>(
  accepts: (operand: unknown) => operand is Operand,
  operand: string,
  holds: (value: unknown, operand: Operand) => boolean,
): Operator => ({ accepts, operand, holds })

const isText = (value: unknown): value is string => typeof value === 'string'
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isLiteralOrLiterals = (value: unknown): value is Literal | Literal[] => isLiteral(value) || isLiterals(value)

const LITERAL = 'text, a number, a boolean or null'

const OPERATORS = new Map<string, Operator>([
  ['in', operator(isLiterals, `an array of ${LITERAL}`, (value, some) => some.some((literal) => equals(value, literal)))],
  [
    'not',
    operator(
      isLiteralOrLiterals,
      `${LITERAL}, or an array of them`,
      // What is absent fulfils it, also where null is excluded.
      (value, some) => value === undefined || ![some].flat().some((literal) => equals(value, literal)),
    ),
  ],
  ['gte', operator(isNumber, 'a number', (value, least) => isNumber(value) && value >= least)],
  ['lte', operator(isNumber, 'a number', (value, most) => isNumber(value) && value <= most)],
  ['starts_with', operator(isText, 'text', (value, start) => isText(value) && value.startsWith(start))],
  ['exists', operator(isFlag, 'true or false', (value, wanted) => (value !== undefined) === wanted)],
])

const NAMES = [...OPERATORS.keys()].join(', ')

function conditionErrors(pointer: string, condition: unknown): FilterError[] {
  if (!isWellFormedPointer(pointer))
    return [{ path: [pointer], code: 'malformed', detail: 'must be a JSON Pointer, such as /data/gate/name' }]
  if (isLiteral(condition)) return []
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
    return [{ path: [pointer], code: 'wrong_type', detail: `must be ${LITERAL}, or an object with one of ${NAMES}` }]
  const [name, ...others] = Object.keys(condition)
  if (name === undefined || others.length > 0)
    return [{ path: [pointer], code: 'malformed', detail: `must have exactly one operator: one of ${NAMES}` }]
  const known = OPERATORS.get(name)
  if (!known) return [{ path: [pointer, name], code: 'not_allowed', detail: `is not an operator; use one of ${NAMES}` }]
  const operand = (condition as Record<string, unknown>)[name]
  return known.accepts(operand) ? [] : [{ path: [pointer, name], code: 'wrong_type', detail: `must be ${known.operand}` }]
}

/** Fields of the envelope that are no objects: there is nothing in them. */
const IN_SCALAR = /^\/(?:id|event|created_at|url|environment|sequence)\//

/** Fields of the envelope that are objects: no condition equals one. */
const OBJECT = /^\/(?:organization|workspace|project|hook|data)$/

/** Why no event fulfils a valid condition; null if one might. */
function impossibility(pointer: string, condition: unknown): string | null {
  if (pointer === '/sequence' && !holds(null, condition))
    return 'never matches: filters decide before an event gets its sequence, which is null then'
  if (OBJECT.test(pointer) && !holds({}, condition)) return 'never matches: the envelope has an object there'
  return IN_SCALAR.test(pointer) && !holds(undefined, condition) ? 'never matches: the envelope has nothing there' : null
}

function errorsOf(pointer: string, condition: unknown): FilterError[] {
  const errors = conditionErrors(pointer, condition)
  const detail = errors.length === 0 ? impossibility(pointer, condition) : null
  return detail === null ? errors : [{ path: [pointer], code: 'never_matches', detail }]
}

export const filterErrors = (filter: Filter): FilterError[] =>
  Object.entries(filter).flatMap(([pointer, condition]) => errorsOf(pointer, condition))

function holds(value: unknown, condition: unknown): boolean {
  if (isLiteral(condition)) return equals(value, condition)
  const [[name = '', operand] = []] = Object.entries(condition as object)
  return OPERATORS.get(name)?.holds(value, operand as never) ?? false
}

/** The first condition of a valid filter that an envelope does not fulfil; null if it fulfils all. */
export function failedCondition(filter: Filter, envelope: unknown): FailedCondition | null {
  for (const [pointer, condition] of Object.entries(filter)) {
    const value = valueAt(envelope, pointer)
    if (!holds(value, condition)) return { pointer, condition, value: value ?? null }
  }
  return null
}

const FILTERED = new Set<string>(Object.values(TRIGGERS))

/** Whether filters decide on an event. What a person requests is always sent. */
export const isFiltered = (event: string): boolean => FILTERED.has(event)

/** Whether the environment and the filter of a hook let an event pass. The event has no sequence yet. */
export function isTriggered(event: Event, scope: NamedScope, hook: NamedHook & { filter: Filter | null }): boolean {
  const { gate } = event.data as { gate?: Partial<Gate> }
  if (gate && !triggersIn(gate, hook.environment)) return false
  return !hook.filter || !failedCondition(hook.filter, envelopeOf(event, scope, hook, null))
}
