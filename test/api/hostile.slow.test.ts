import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Operation } from '../support/openapi.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { type AtomSchema, type Hostile, inBody, inPath, inQuery, RAW } from './hostile-values.ts'
import { makeResources } from './resources.ts'

type Json = Record<string, unknown>

let box: Box
let owner: Actor
let ids: Record<string, string>
/** The id of a channel of each type. */
const channels: Record<string, string> = {}

const CHANNELS: Record<string, { channel_type: string; config: Json }> = {
  SlackConfig: { channel_type: 'slack', config: { webhook_url: 'http://127.0.0.1:9/' } },
  TeamsConfig: { channel_type: 'teams', config: { webhook_url: 'http://127.0.0.1:9/' } },
  FeishuConfig: { channel_type: 'feishu', config: { webhook_url: 'http://127.0.0.1:9/' } },
  WebhookConfig: { channel_type: 'webhook', config: { url: 'http://127.0.0.1:9/' } },
  EmailConfig: {
    channel_type: 'email',
    config: {
      smtp_host: '127.0.0.1',
      smtp_user: 'ada',
      smtp_password: 'enchantress',
      from_address: 'ada@example.com',
      to_addresses: ['ada@example.com'],
    },
  },
}

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const [firstUser, colleague, member] = await Promise.all(['Owner', 'Colleague', 'Member'].map((name) => box.user(name)))
  if (!firstUser || !colleague || !member) throw new Error('A user is missing')
  owner = firstUser
  const site = await box.site(owner)
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  ids = await makeResources(site, owner, colleague, member)
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  for (const body of Object.values(CHANNELS)) {
    channels[body.channel_type] = (await owner.make(path, { name: body.channel_type, ...body })).id
  }
})
afterAll(() => box.close())

interface Node extends AtomSchema {
  $ref?: string
  enum?: unknown[]
  anyOf?: Node[]
  properties?: Record<string, Node>
  patternProperties?: Record<string, Node>
  items?: Node
  required?: string[]
}

type Path = (string | number)[]

interface Atom {
  path: Path
  schema: Node
}

const nameOf = (node: Node): string => node.$ref?.split('/').at(-1) ?? ''

const resolved = (node: Node): Node => (node.$ref ? (box.contract.document.components.schemas[nameOf(node)] as Node) : node)

/** All string and number fields of a schema, at any depth. */
function atomsOf(schema: Node, path: Path = []): Atom[] {
  const node = resolved(schema)
  if (node.enum) return []
  if (node.anyOf) return node.anyOf.flatMap((requestsFor) => atomsOf(requestsFor, path))
  if (node.items) return atomsOf(node.items, [...path, 0])
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, each]) => atomsOf(each, [...path, name]))
  const keyed = Object.values(node.patternProperties ?? {}).flatMap((each) => atomsOf(each, [...path, 'X-Key']))
  const isAtom = ['string', 'number', 'integer'].includes(node.type ?? '')
  return isAtom ? [{ path, schema: node }] : [...fields, ...keyed]
}

/** Values for required fields whose documented examples do not exist here. */
const overrides = (): Json => ({
  new_owner_id: ids.member_user_id,
  user_id: ids.member_user_id,
  work_item_id: ids.requirement_id,
  track_a_graph_id: ids.track_a_graph_id,
  track_b_graph_id: ids.track_b_graph_id,
  url: 'http://127.0.0.1:9/',
  email: `${crypto.randomUUID()}@example.com`,
})

const jsonOf = ({ requestBody }: Operation) =>
  requestBody?.content['application/json'] as { schema: Node; example?: Json } | undefined

/** The smallest valid body of an operation; undefined if it takes none. */
function minimalBody(operation: Operation): Json | undefined {
  const json = jsonOf(operation)
  if (!json) return undefined
  const { required = [], properties = {} } = resolved(json.schema)
  const least = Object.fromEntries(required.map((name) => [name, overrides()[name] ?? json.example?.[name]]))
  // A hook requires a url, unless its dispatches are claimed.
  if ('mode' in properties && 'trigger_on' in properties) least.url = overrides().url
  // An artifact requires a name, whichever of its fields is tested.
  return 'artifacts' in properties ? { ...least, artifacts: [{ name: 'log' }] } : least
}

/** A copy of a value with something else at a path. */
function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  if (typeof key === 'number') return [replaceAt((value as unknown[] | undefined)?.[key], rest, replacement)]
  const object = (value ?? {}) as Json
  return { ...object, [key]: replaceAt(object[key], rest, replacement) }
}

interface Request {
  /** The path as documented. */
  route: string
  path: string
  body?: string
  pointer: string
  value: unknown
  isRefused: boolean
}

const each = ({ refused, accepted }: Hostile, requestOf: (value: unknown) => Omit<Request, 'value' | 'isRefused'>): Request[] => [
  ...refused.map((value) => ({ ...requestOf(value), value, isRefused: true })),
  ...accepted.map((value) => ({ ...requestOf(value), value, isRefused: false })),
]

const fillPath = (path: string, others: Json = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(others[name] ?? ids[name])))

function inBodies(route: string, path: string, operation: Operation): Request[] {
  const least = minimalBody(operation)
  if (!least) return []
  const { config, ...properties } = resolved(jsonOf(operation)?.schema ?? {}).properties ?? {}
  const hashes = 'password' in properties || 'current_password' in properties
  const requests = (base: Json, atoms: Atom[], others: Json = {}) =>
    atoms.flatMap((atom) =>
      each(inBody(atom.schema, hashes), (value) => ({
        route,
        path: fillPath(path, others),
        body: JSON.stringify(replaceAt(base, atom.path, value)).replace(`"${RAW}"`, '1e309'),
        pointer: `/${atom.path.join('/')}`,
      })),
    )
  // The fields of a channel's config depend on its type.
  const configRequests = (config?.anyOf ?? []).flatMap((variant) => {
    const { channel_type = '', ...rest } = CHANNELS[nameOf(variant)] ?? {}
    const atoms = atomsOf({ properties: { config: variant } })
    return requests({ ...least, channel_type, ...rest }, atoms, { channel_id: channels[channel_type] })
  })
  return [...requests({ ...least, ...(config ? CHANNELS.WebhookConfig : {}) }, atomsOf({ properties })), ...configRequests]
}

function inParameters(route: string, path: string, operation: Operation): Request[] {
  const least = minimalBody(operation)
  const body = least && JSON.stringify(least)
  return (operation.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    const pointer = `/${name}`
    // An environment is identified by its name, which can be any text.
    const values = name === 'environment' ? { refused: [], accepted: [...inPath.refused, ...inPath.accepted] } : inPath
    if (place === 'path') return each(values, (value) => ({ route, path: fillPath(path, { [name]: value }), body, pointer }))
    if (place !== 'query') return []
    return atomsOf(schema as Node).flatMap((atom) =>
      each(inQuery(atom.schema), (value) => ({
        route,
        path: `${fillPath(path)}?${name}=${encodeURIComponent(String(value))}`,
        body,
        pointer,
      })),
    )
  })
}

/** Fields for which no request here has a right value. */
const SECRETS = ['/current_password', '/token']

/** What is wrong with the response to a request, or null. */
async function checkResponse({ route, path, body, pointer, value, isRefused }: Request): Promise<string | null> {
  const [method = ''] = route.split(' ')
  const describeError = (fault: string) => `${route} ${pointer} = ${JSON.stringify(value)?.slice(0, 80)}: ${fault}`
  try {
    const answer = await owner.request(method, path, body)
    const text = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`
    const pointers: string[] = (answer.body?.errors ?? []).map((error: { pointer: string }) => error.pointer)
    if (answer.status >= 500) return describeError(text)
    if (isRefused)
      return answer.status === 422 && pointers.includes(pointer) ? null : describeError(`${text} in place of a 422 that names it`)
    const isElsewhere = pointers.some((each) => each !== pointer && !SECRETS.includes(each))
    return isElsewhere ? describeError(`the rest of the request is wrong: ${text}`) : null
  } catch (error) {
    return describeError(String(error))
  }
}

const AT_ONCE = 16

async function checkAll(requests: Request[]): Promise<string[]> {
  const waiting = requests.values()
  const found: (string | null)[] = []
  const send = async () => {
    for (const request of waiting) found.push(await checkResponse(request))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  return found.filter((each) => each !== null)
}

const forEveryRoute = (requestsOf: (route: string, path: string, operation: Operation) => Request[]): Request[] =>
  Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => requestsOf(`${method.toUpperCase()} ${path}`, path, operation)),
  )

describe('Hostile values are refused by name or accepted on every route, and nothing breaks', () => {
  test('in bodies', async () => {
    const requests = forEveryRoute(inBodies)
    expect(requests.length).toBeGreaterThan(1000)
    expect(await checkAll(requests)).toEqual([])
  }, 120_000)

  test('in paths and queries', async () => {
    const requests = forEveryRoute(inParameters)
    expect(requests.length).toBeGreaterThan(1000)
    expect(await checkAll(requests)).toEqual([])
  }, 120_000)
})
