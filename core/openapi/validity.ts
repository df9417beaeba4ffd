/**
 * Whether a value satisfies a schema (JSON Schema as OpenAPI 3.0 and 3.1 use it). Schemas are input of tenants, so the time is limited:
 * a validator that compiles them, and matches any pattern, would take as long as they want.
 */
import { isObject } from '../values/json.ts'
import { list, type Node, node, nodes, resolved, words } from './document.ts'

/** Values and schemas that are compared for one example, and how deep they are nested. */
const MAX_STEPS = 5_000
const MAX_DEPTH = 40

/** Requests leave out what is read only, responses what is write only. */
export type Direction = 'request' | 'response'

export interface Violation {
  keyword: string
  /** Where in the value; empty for the value itself. */
  path: string
}

const FORMATS: Record<string, RegExp> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  email: /^[^\s@]+@[^\s@]+$/,
  ipv4: /^\d{1,3}(?:\.\d{1,3}){3}$/,
}

/** In how many ways a pattern may match a text: as many may be tried before it does not match. */
const MAX_WAYS = 100_000

/** A pattern in which only quantifiers, alternatives and plain groups have a meaning. */
const outline = (pattern: string): string =>
  pattern
    .replaceAll(/\\./gsu, 'x')
    .replaceAll(/\[[^\]]*\]/g, 'x')
    .replaceAll(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(')

/** Whether a group is repeated that can match in several ways: their number is a power of the length then. */
const repeatsChoices = (of: string): boolean =>
  (of.match(/\)[*+{]/g)?.length ?? 0) > (of.match(/\([^()*+?{|]*\)[*+{]/g)?.length ?? 0)

/** At most in how many ways a pattern matches parts of a text. */
function waysOf(pattern: string, length: number): number {
  const of = outline(pattern)
  if (repeatsChoices(of)) return Number.POSITIVE_INFINITY
  const choices = of.match(/[*+]|\{\d+,\d*\}|[?|]/g) ?? []
  return choices.reduce(
    (ways, choice) => ways * (choice === '?' || choice === '|' ? 2 : length + 1),
    of.startsWith('^') ? 1 : length + 1,
  )
}

/** Patterns and texts for which matching could take long are not matched. */
function matches(pattern: string, text: string): boolean | null {
  if (pattern.length > 200 || text.length > 200 || /\\[1-9k]/.test(pattern) || waysOf(pattern, text.length) > MAX_WAYS)
    return null
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return null
  }
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const typesOf = ({ type, nullable }: Node): string[] => {
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]).map(String)
  return types.length > 0 && nullable === true ? [...types, 'null'] : types
}

const isOfType = (value: unknown, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : type === typeOf(value)

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Whether a number is outside limits, which are exclusive by a number of their own (3.1) or by a boolean (3.0). */
const NUMBERS: Record<string, (value: number, schema: Node) => boolean> = {
  minimum: (value, { minimum, exclusiveMinimum }) =>
    isNumber(minimum) && (value < minimum || (exclusiveMinimum === true && value === minimum)),
  maximum: (value, { maximum, exclusiveMaximum }) =>
    isNumber(maximum) && (value > maximum || (exclusiveMaximum === true && value === maximum)),
  exclusiveMinimum: (value, { exclusiveMinimum }) => isNumber(exclusiveMinimum) && value <= exclusiveMinimum,
  exclusiveMaximum: (value, { exclusiveMaximum }) => isNumber(exclusiveMaximum) && value >= exclusiveMaximum,
  multipleOf: (value, { multipleOf }) =>
    isNumber(multipleOf) && multipleOf > 0 && Math.abs(value / multipleOf - Math.round(value / multipleOf)) > 1e-9,
}

const isOutside = (size: number, least: unknown, most: unknown): 'least' | 'most' | null =>
  isNumber(least) && size < least ? 'least' : isNumber(most) && size > most ? 'most' : null

class Validation {
  private steps = MAX_STEPS

  constructor(
    private readonly document: Node,
    private readonly direction: Direction,
    /** Whether a value is refused whose pattern cannot be matched. */
    private readonly mustMatch: boolean,
  ) {}

  check(value: unknown, of: unknown, path = '', depth = 0): Violation | null {
    this.steps -= 1
    // What is not checked counts as satisfied.
    if (this.steps < 0 || depth > MAX_DEPTH) return null
    if (of === false) return { keyword: 'false', path }
    const schema = resolved(this.document, of)
    const next = (each: unknown) => this.check(value, each, path, depth + 1)
    return (
      this.own(value, schema, path) ??
      first(nodes(schema.allOf), next) ??
      // Alternatives that overlap are a matter of the schema, not of the example.
      anyOf(nodes(schema.oneOf), next, { keyword: 'oneOf', path }) ??
      anyOf(nodes(schema.anyOf), next, { keyword: 'anyOf', path }) ??
      (isObject(schema.not) && next(schema.not) === null ? { keyword: 'not', path } : null) ??
      (isObject(schema.if) ? next((next(schema.if) === null ? schema.then : schema.else) ?? true) : null) ??
      (Array.isArray(value) ? this.items(value, schema, path, depth) : null) ??
      (isObject(value) ? this.fields(value, schema, path, depth) : null)
    )
  }

  /** What concerns the value without those in it. */
  private own(value: unknown, schema: Node, path: string): Violation | null {
    const types = typesOf(schema)
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) return { keyword: 'type', path }
    if (Array.isArray(schema.enum) && !schema.enum.some((each) => Bun.deepEquals(each, value))) return { keyword: 'enum', path }
    if (Object.hasOwn(schema, 'const') && !Bun.deepEquals(schema.const, value)) return { keyword: 'const', path }
    if (isNumber(value)) {
      const [keyword] = Object.entries(NUMBERS).find(([, isBroken]) => isBroken(value, schema)) ?? []
      return keyword === undefined ? null : { keyword, path }
    }
    return typeof value === 'string' ? this.text(value, schema, path) : null
  }

  private text(value: string, { minLength, maxLength, pattern, format }: Node, path: string): Violation | null {
    const outside = isOutside([...value].length, minLength, maxLength)
    if (outside) return { keyword: outside === 'least' ? 'minLength' : 'maxLength', path }
    const matched = words(pattern) === '' ? true : matches(words(pattern), value)
    if (matched === false || (matched === null && this.mustMatch)) return { keyword: 'pattern', path }
    const form = Object.hasOwn(FORMATS, words(format)) ? FORMATS[words(format)] : undefined
    return form && !form.test(value) ? { keyword: 'format', path } : null
  }

  private items(value: unknown[], schema: Node, path: string, depth: number): Violation | null {
    const { minItems, maxItems, uniqueItems, items } = schema
    const outside = isOutside(value.length, minItems, maxItems)
    if (outside) return { keyword: outside === 'least' ? 'minItems' : 'maxItems', path }
    if (uniqueItems === true && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
      return { keyword: 'uniqueItems', path }
    if (isObject(schema.contains)) {
      const found = value.filter((each) => this.check(each, schema.contains, path, depth + 1) === null).length
      if (isOutside(found, schema.minContains ?? 1, schema.maxContains)) return { keyword: 'contains', path }
    }
    const positions = list(schema.prefixItems)
    return first([...value.entries()], ([index, each]) => {
      const of = positions[index] ?? items
      return of === undefined ? null : this.check(each, of, `${path}/${index}`, depth + 1)
    })
  }

  private fields(value: Node, schema: Node, path: string, depth: number): Violation | null {
    const { minProperties, maxProperties, additionalProperties } = schema
    const names = Object.keys(value)
    const outside = isOutside(names.length, minProperties, maxProperties)
    if (outside) return { keyword: outside === 'least' ? 'minProperties' : 'maxProperties', path }
    const properties = node(schema.properties)
    const missing = list(schema.required).find(
      (name) => typeof name === 'string' && !Object.hasOwn(value, name) && !this.isLeftOut(properties[name]),
    )
    if (missing !== undefined) return { keyword: 'required', path: `${path}/${missing}` }
    const patterns = Object.entries(node(schema.patternProperties))
    return first(names, (name) => {
      const at = `${path}/${name}`
      if (isObject(schema.propertyNames) && this.check(name, schema.propertyNames, at, depth + 1))
        return { keyword: 'propertyNames', path: at }
      const needed = list(node(schema.dependentRequired)[name])
      if (needed.some((other) => !Object.hasOwn(value, String(other)))) return { keyword: 'dependentRequired', path: at }
      const dependent = node(schema.dependentSchemas)[name]
      const broken = dependent === undefined ? null : this.check(value, dependent, path, depth + 1)
      if (broken) return broken
      if (Object.hasOwn(properties, name)) return this.check(value[name], properties[name], at, depth + 1)
      const fitting = patterns.flatMap(([pattern, of]) => {
        const matched = matches(pattern, name)
        return matched === false ? [] : [matched === null && this.mustMatch ? false : of]
      })
      if (fitting.length > 0) return first(fitting, (of) => this.check(value[name], of, at, depth + 1))
      if (additionalProperties === false) return { keyword: 'additionalProperties', path: at }
      return isObject(additionalProperties) ? this.check(value[name], additionalProperties, at, depth + 1) : null
    })
  }

  private isLeftOut(property: unknown): boolean {
    const { readOnly, writeOnly } = { ...resolved(this.document, property), ...node(property) }
    return this.direction === 'request' ? readOnly === true : writeOnly === true
  }
}

function first<Item>(items: Iterable<Item>, check: (item: Item) => Violation | null): Violation | null {
  for (const item of items) {
    const violation = check(item)
    if (violation) return violation
  }
  return null
}

const anyOf = (schemas: Node[], check: (schema: Node) => Violation | null, violation: Violation): Violation | null =>
  schemas.length === 0 || schemas.some((schema) => check(schema) === null) ? null : violation

/**
 * Why a value does not satisfy a schema; null if it does, as far as it was checked.
 *
 * @param isGiven whether the author of the description wrote it: then a pattern that is not matched counts as satisfied
 */
export const violationOf = (
  document: Node,
  schema: unknown,
  value: unknown,
  direction: Direction,
  isGiven: boolean,
): Violation | null => new Validation(document, direction, !isGiven).check(value, schema)
