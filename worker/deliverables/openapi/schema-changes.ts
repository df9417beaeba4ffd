/**
 * Compares two versions of a schema. Whether a change breaks clients follows from two facts, as in oasdiff: what becomes of the values
 * that are allowed, and who sends them. Requests break where fewer are allowed, responses where more are.
 */

import { list, type Node, node, nodes, partsOf, resolved, words } from '../../../core/openapi/document.ts'
import { json } from '../../../core/openapi/types.ts'
import { isObject } from '../../../core/values/objects.ts'
import { code } from '../markdown.ts'
import { alternativesNamed, joined } from './alternatives.ts'

/** A difference between two versions of a description. */
export interface Change {
  kind: 'added' | 'changed' | 'removed'
  /** Whether a client that worked with the old version may fail with the new one. */
  breaking: boolean
  /** Markdown of one line. */
  what: string
}

/** Who sends what a schema describes: clients, or the API. */
export type Direction = 'requests' | 'responses'

/** What becomes of the values that a schema allows: fewer, more, or others, also where it cannot be told. */
type Effect = 'narrows' | 'widens' | 'replaces'

/** Two versions of a schema that both have a name: they are compared once for each direction, however often they are used. */
export interface NamedPair {
  direction: Direction
  before: Node
  after: Node
}

/** Values shown of an enumeration. */
const MAX_VALUES = 10

interface Side {
  document: Node
  /** The schema with the keywords of those that it combines. */
  schema: Node
  properties: Map<string, unknown>
  required: Set<unknown>
}

/** What a schema combines by reference. */
const refsOf = ({ allOf }: Node): Set<string> =>
  new Set(
    nodes(allOf)
      .map(({ $ref }) => words($ref))
      .filter(Boolean),
  )

/** The parts of a schema as one. Parts that both versions refer to are compared on their own. */
function side(document: Node, schema: unknown, shared: Set<string>): Side {
  const whole = resolved(document, schema)
  const own = { ...whole, allOf: nodes(whole.allOf).filter(({ $ref }) => !shared.has(words($ref))) }
  const parts = partsOf(document, own)
  return {
    document,
    schema: Object.assign({}, ...parts.toReversed()),
    properties: new Map(parts.flatMap((part) => Object.entries(node(part.properties)))),
    required: new Set(parts.flatMap((part) => list(part.required))),
  }
}

/** Texts as code; those beyond a limit are counted. */
const counted = (texts: string[]): string => {
  const shown = texts.slice(0, MAX_VALUES).map((text) => code(text))
  return texts.length > MAX_VALUES ? `${shown.join(', ')} and ${texts.length - MAX_VALUES} more` : shown.join(', ')
}

/** The types that a schema allows; null if it allows any. */
function typesOf({ type, nullable, properties, items }: Node): Set<string> | null {
  const implied = properties ? 'object' : items ? 'array' : null
  const names = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : implied === null ? null : [implied]
  return names && new Set(nullable === true ? [...names, 'null'] : names)
}

/** The values that a schema allows; null if it lists none. */
function valuesOf({ enum: choices, const: only }: Node): Map<string, unknown> | null {
  const values = Array.isArray(choices) ? choices : only === undefined ? null : [only]
  return values && new Map(values.map((value) => [JSON.stringify(value), value]))
}

const exclusive = (limit: unknown, other: unknown): unknown => (limit === true ? other : limit === false ? undefined : limit)

/** Limits: their names, how to read them, and whether a larger value allows more. */
const LIMITS: [name: string, of: (schema: Node) => unknown, largerAllowsMore: boolean][] = [
  ['minimum', ({ minimum }) => minimum, false],
  ['maximum', ({ maximum }) => maximum, true],
  ['exclusive minimum', ({ exclusiveMinimum, minimum }) => exclusive(exclusiveMinimum, minimum), false],
  ['exclusive maximum', ({ exclusiveMaximum, maximum }) => exclusive(exclusiveMaximum, maximum), true],
  ['minimum length', ({ minLength }) => minLength, false],
  ['maximum length', ({ maxLength }) => maxLength, true],
  ['minimum number of items', ({ minItems }) => minItems, false],
  ['maximum number of items', ({ maxItems }) => maxItems, true],
  ['minimum number of fields', ({ minProperties }) => minProperties, false],
  ['maximum number of fields', ({ maxProperties }) => maxProperties, true],
]

/** Texts whose presence restricts what is allowed. */
const RESTRICTIONS: [name: string, of: (schema: Node) => string][] = [
  ['format', ({ format }) => words(format)],
  ['pattern', ({ pattern }) => words(pattern)],
]

/** Collects the changes of one schema and of what is nested in it. */
export class SchemaComparison {
  readonly changes: Change[] = []
  /** Pairs of named schemas that were found on the way. */
  readonly pairs: NamedPair[] = []

  constructor(
    private readonly before: Node,
    private readonly after: Node,
    private readonly direction: Direction,
  ) {}

  private add(kind: Change['kind'], effect: Effect, what: string): void {
    const safe = this.direction === 'requests' ? 'widens' : 'narrows'
    this.changes.push({ kind, breaking: effect !== safe, what })
  }

  /**
   * @param at where the schema is, as Markdown
   * @param path the properties above it
   */
  compare(before: unknown, after: unknown, at: string, path = ''): void {
    if (typeof node(before).$ref === 'string' && typeof node(after).$ref === 'string') {
      this.pairs.push({ direction: this.direction, before: node(before), after: node(after) })
      return
    }
    const common = joined({ before: this.before, after: this.after }, before, after)
    if (common === null) this.compareInline(before, after, at, path)
    else {
      this.compare(common.before, common.after, at, path)
      this.alternatives(common.lost, common.gained, path === '' ? at : `${at}: ${code(path)}`)
    }
  }

  private alternatives(lost: Node[], gained: Node[], where: string, whole: Effect | null = null): void {
    const named = (schemas: Node[]) => {
      const { noun, names } = alternativesNamed(schemas)
      return `the ${noun} ${counted(names)}`
    }
    if (lost.length > 0) this.add('changed', whole ?? 'narrows', `${where} no longer allows ${named(lost)}`)
    if (gained.length > 0) this.add('changed', whole ?? 'widens', `${where} also allows ${named(gained)}`)
  }

  /** Compares schemas even if both are named. */
  compareInline(before: unknown, after: unknown, at: string, path = ''): void {
    const [old, now] = [resolved(this.before, before), resolved(this.after, after)]
    const shared = refsOf(old).intersection(refsOf(now))
    for (const $ref of shared) this.pairs.push({ direction: this.direction, before: { $ref }, after: { $ref } })
    const [one, other] = [side(this.before, old, shared), side(this.after, now, shared)]
    const where = path === '' ? at : `${at}: ${code(path)}`
    this.types(one.schema, other.schema, where)
    this.values(one.schema, other.schema, where)
    this.limits(one.schema, other.schema, where)
    this.variants(one.schema, other.schema, where)
    this.properties(one, other, at, path)
    this.uniqueness(one.schema, other.schema, where)
    if (isObject(one.schema.items) && isObject(other.schema.items)) {
      this.compare(one.schema.items, other.schema.items, at, `${path}[]`)
    }
    this.additional(one.schema.additionalProperties, other.schema.additionalProperties, at, path)
  }

  private types(before: Node, after: Node, where: string): void {
    const [old, now] = [typesOf(before), typesOf(after)]
    if (old !== null && now !== null) this.bothTypes(old, now, where)
    else if (old !== null) this.add('changed', 'widens', `${where} allows any type`)
    else if (now !== null) this.add('changed', 'narrows', `${where} allows only the type ${counted([...now])}`)
  }

  private bothTypes(old: Set<string>, now: Set<string>, where: string): void {
    const includes = (types: Set<string>, type: string) => types.has(type) || (type === 'integer' && types.has('number'))
    const lost = [...old].filter((type) => !includes(now, type))
    const gained = [...now].filter((type) => !includes(old, type))
    const isOther = [...now].some((type) => !old.has(type)) && [...old].some((type) => !now.has(type))
    const effect = lost.length === 0 ? 'widens' : gained.length === 0 ? 'narrows' : 'replaces'
    if (isOther) {
      this.add('changed', effect, `${where} has the type ${counted([...now])} instead of ${counted([...old])}`)
    } else if (lost.length > 0) this.add('changed', effect, `${where} no longer allows the type ${counted(lost)}`)
    else if (gained.length > 0) this.add('changed', effect, `${where} also allows the type ${counted(gained)}`)
  }

  private values(before: Node, after: Node, where: string): void {
    const [old, now] = [valuesOf(before), valuesOf(after)]
    if (old === null && now !== null)
      this.add('changed', 'narrows', `${where} allows only ${counted([...now.values()].map(json))}`)
    if (old !== null && now === null) this.add('changed', 'widens', `${where} is no longer limited to certain values`)
    if (old === null || now === null) return
    const lost = [...old].filter(([key]) => !now.has(key)).map(([, value]) => json(value))
    const gained = [...now].filter(([key]) => !old.has(key)).map(([, value]) => json(value))
    if (lost.length > 0) this.add('changed', 'narrows', `${where} no longer allows ${counted(lost)}`)
    if (gained.length > 0) this.add('changed', 'widens', `${where} also allows ${counted(gained)}`)
  }

  private limits(before: Node, after: Node, where: string): void {
    for (const [name, of, largerAllowsMore] of LIMITS) {
      const [old, now] = [of(before), of(after)]
      if (old === now || (typeof old !== 'number' && typeof now !== 'number')) continue
      if (typeof now !== 'number') this.add('changed', 'widens', `${where} has no ${name} anymore (was ${old})`)
      else if (typeof old !== 'number') this.add('changed', 'narrows', `${where} has a ${name} of ${now}`)
      else
        this.add(
          'changed',
          now > old === largerAllowsMore ? 'widens' : 'narrows',
          `${where} has a ${name} of ${now} (was ${old})`,
        )
    }
    for (const [name, of] of RESTRICTIONS) {
      const [old, now] = [of(before), of(after)]
      if (old === now) continue
      if (now === '') this.add('changed', 'widens', `${where} has no ${name} anymore (was ${code(old)})`)
      else
        this.add(
          'changed',
          old === '' ? 'narrows' : 'replaces',
          `${where} has the ${name} ${code(now)}${old === '' ? '' : ` (was ${code(old)})`}`,
        )
    }
  }

  private uniqueness({ uniqueItems: old }: Node, { uniqueItems: now }: Node, where: string): void {
    if (old !== true && now === true) this.add('changed', 'narrows', `${where} allows only unique items`)
    if (old === true && now !== true) this.add('changed', 'widens', `${where} also allows equal items`)
  }

  /** Compares alternatives: by name if they have one, else by what they contain. */
  private variants(before: Node, after: Node, where: string): void {
    const [old, now] = [before, after].map(({ oneOf, anyOf }) => nodes(oneOf ?? anyOf)) as [Node[], Node[]]
    if (old.length === 0 && now.length === 0) return
    const keyed = (schemas: Node[]) => new Map(schemas.map((schema) => [words(schema.$ref) || JSON.stringify(schema), schema]))
    const [olds, nows] = [keyed(old), keyed(now)]
    for (const [key, schema] of olds) {
      const same = nows.get(key)
      if (same) this.compare(schema, same, where)
    }
    const lost = [...olds].filter(([key]) => !nows.has(key))
    const gained = [...nows].filter(([key]) => !olds.has(key))
    const isReplaced = lost.length === 1 && gained.length === 1 && !lost[0]?.[1].$ref && !gained[0]?.[1].$ref
    // One alternative in the place of another is the same one, changed.
    if (isReplaced) this.compare(lost[0]?.[1], gained[0]?.[1], where)
    else {
      const [without, added] = [lost, gained].map((variants) => variants.map(([, schema]) => schema)) as [Node[], Node[]]
      // Without any other, the type that there was, or is, counts as an alternative.
      this.alternatives(without, added, where, old.length === 0 || now.length === 0 ? 'replaces' : null)
    }
  }

  private properties(before: Side, after: Side, at: string, path: string): void {
    const under = (name: string) => (path === '' ? name : `${path}.${name}`)
    for (const [name, property] of before.properties) {
      if (this.isNotSent(before, property) && this.isNotSent(after, after.properties.get(name) ?? property)) continue
      const where = `${at}: ${code(under(name))}`
      // Whether a request that still has it is refused cannot be told. A response may leave out what is optional.
      const removal = this.direction === 'responses' && !before.required.has(name) ? 'narrows' : 'replaces'
      if (!after.properties.has(name)) this.add('removed', removal, `${where} was removed`)
      else {
        const isRequired = after.required.has(name)
        if (before.required.has(name) !== isRequired) {
          this.add('changed', isRequired ? 'narrows' : 'widens', `${where} is ${isRequired ? 'now required' : 'now optional'}`)
        }
        this.compare(property, after.properties.get(name), at, under(name))
      }
    }
    for (const [name, property] of after.properties) {
      if (before.properties.has(name) || this.isNotSent(after, property)) continue
      const isRequired = after.required.has(name)
      // Clients ignore what they do not know in a response.
      const effect = isRequired || this.direction === 'responses' ? 'narrows' : 'widens'
      this.add('added', effect, `${at}: ${code(under(name))} was added${isRequired ? ' and is required' : ''}`)
    }
  }

  /** Whether a property is in no request, because it is read only, or in no response, because it is write only. */
  private isNotSent({ document }: Side, property: unknown): boolean {
    const { readOnly, writeOnly } = { ...resolved(document, property), ...node(property) }
    return this.direction === 'requests' ? readOnly === true : writeOnly === true
  }

  private additional(before: unknown, after: unknown, at: string, path: string): void {
    const where = path === '' ? at : `${at}: ${code(path)}`
    if (before !== false && after === false) this.add('changed', 'narrows', `${where} no longer allows other fields`)
    else if (before === false && after !== false) this.add('changed', 'widens', `${where} allows other fields`)
    else if (isObject(before) && isObject(after)) this.compare(before, after, at, path === '' ? '*' : `${path}.*`)
  }
}
