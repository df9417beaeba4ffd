/** Requests made from the OpenAPI document: the smallest valid body of an operation, and its fields. */
import { CHANNEL_TYPES, CHANNELS as DECLARATIONS } from '../../core/notification-channels/types.ts'
import { CONFIGS } from '../notification-channels/configs.ts'
import type { Document, Operation } from '../support/openapi.ts'
import type { AtomSchema } from './hostile-values.ts'

export type Json = Record<string, unknown>

/** A valid channel of each type, by the schema of its config. */
export const CHANNELS: Record<string, { channel_type: string; config: Json }> = Object.fromEntries(
  CHANNEL_TYPES.map((type) => {
    const [config = {}] = CONFIGS[type]('http://127.0.0.1:9', () => 'enchantress')
    return [Object(DECLARATIONS[type].config).title, { channel_type: type, config }]
  }),
)

export interface Node extends AtomSchema {
  $ref?: string
  enum?: unknown[]
  anyOf?: Node[]
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  items?: Node
  required?: string[]
}

export type Path = (string | number)[]

/** A field, at any depth. */
export interface Atom {
  path: Path
  schema: Node
}

export const nameOf = (node: Node): string => node.$ref?.split('/').at(-1) ?? ''

export const jsonOf = ({ requestBody }: Operation) =>
  requestBody?.content['application/json'] as { schema: Node; example?: Json } | undefined

/** A copy of a value with something else at a path. */
export function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (typeof key === 'number') return [replaceAt((value as unknown[] | undefined)?.[key], rest, replacement)]
  const object = (value ?? {}) as Json
  return { ...object, [key]: replaceAt(object[key], rest, replacement) }
}

export class Bodies {
  /** @param ids one of everything, by the name of its path parameter */
  constructor(
    private readonly document: Document,
    private readonly ids: Record<string, string>,
  ) {}

  resolved = (node: Node): Node => (node.$ref ? (this.document.components.schemas[nameOf(node)] as Node) : node)

  /** All fields of a schema with a property, at any depth; by default the strings and numbers. */
  atomsOf(schema: Node, path: Path = [], isWanted = isAtom): Atom[] {
    const node = this.resolved(schema)
    if (node.enum) return []
    if (node.anyOf) return node.anyOf.flatMap((variant) => this.atomsOf(variant, path, isWanted))
    const wanted = isWanted(node) ? [{ path, schema: node }] : []
    if (node.items) return [...wanted, ...this.atomsOf(node.items, [...path, 0], isWanted)]
    const named = Object.entries(node.properties ?? {})
    const keyed = Object.values(node.patternProperties ?? {}).map((each): [string, Node] => ['X-Key', each])
    return [...wanted, ...[...named, ...keyed].flatMap(([name, each]) => this.atomsOf(each, [...path, name], isWanted))]
  }

  /** Values for required fields whose documented examples do not exist here. */
  readonly #overrides = (): Json => ({
    new_owner_id: this.ids.member_user_id,
    user_id: this.ids.member_user_id,
    work_item_id: this.ids.requirement_id,
    track_a_graph_id: this.ids.track_a_graph_id,
    track_b_graph_id: this.ids.track_b_graph_id,
    url: 'http://127.0.0.1:9/',
    email: `${crypto.randomUUID()}@example.com`,
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
  })

  /** The smallest valid body of an operation; undefined if it takes none. */
  minimal(operation: Operation): Json | undefined {
    const json = jsonOf(operation)
    if (!json) return undefined
    const { required = [], properties = {} } = this.resolved(json.schema)
    const overrides = this.#overrides()
    const least = Object.fromEntries(required.map((name) => [name, overrides[name] ?? json.example?.[name]]))
    // A hook requires a url, unless its dispatches are claimed.
    if ('mode' in properties && 'trigger_on' in properties) least.url = overrides.url
    // Fields that require others next to them.
    if ('subject' in properties) least.subject = { uri: 'pkg:oci/checkout', digest: { sha256: 'ab'.repeat(32) } }
    if ('evidence' in properties)
      least.evidence = {
        checks: [{ name: 'Tests', state: 'passed' }],
        links: [{ label: 'Log', url: 'https://ci.example.com/' }],
        artifacts: [{ name: 'log' }],
      }
    if ('fields' in properties) least.fields = [{ name: 'kind', label: 'Kind', type: 'choice', choices: ['hotfix', 'release'] }]
    if ('approvers' in properties) least.approvers = [{ group_id: this.ids.group_id, count: 1 }]
    if ('mappings' in properties) least.mappings = [{ value: 'leads', role: 'admin' }]
    if ('freezes' in properties)
      least.freezes = [{ name: 'Weekend', from: '2026-11-27T16:00:00Z', until: '2026-11-30T07:00:00Z' }]
    if ('dedupe_key' in properties)
      Object.assign(least, { model: 'gpt-5', cost_usd: 1, input_tokens: 2_147_483_647, output_tokens: 2_147_483_647 })
    // An artifact requires a name, whichever of its fields is tested.
    return 'artifacts' in properties ? { ...least, artifacts: [{ name: 'log' }] } : least
  }

  /** A path with its parameters filled in. */
  path = (path: string, others: Json = {}): string =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(others[name] ?? this.ids[name])))
}

const isAtom = ({ type }: Node): boolean => ['string', 'number', 'integer'].includes(type ?? '')
