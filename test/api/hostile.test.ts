import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Operation } from '../support/openapi.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { type AtomSchema, type Hostile, inBody, inPath, inQuery, RAW } from './hostile-values.ts'
import { makeResources } from './resources.ts'

type Json = Record<string, unknown>

let box: Box
let owner: Actor
let ids: Record<string, string>
/** One channel of each type. */
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
  const [somebody, colleague, member] = await Promise.all(['Owner', 'Colleague', 'Member'].map((name) => box.user(name)))
  if (!somebody || !colleague || !member) throw new Error('Somebody is missing')
  owner = somebody
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

/** Every field of a schema that holds a text or a number, however deep. */
function atomsOf(given: Node, path: Path = []): Atom[] {
  const node = resolved(given)
  if (node.enum) return []
  if (node.anyOf) return node.anyOf.flatMap((each) => atomsOf(each, path))
  if (node.items) return atomsOf(node.items, [...path, 0])
  const fields = Object.entries(node.properties ?? {}).flatMap(([name, each]) => atomsOf(each, [...path, name]))
  const keyed = Object.values(node.patternProperties ?? {}).flatMap((each) => atomsOf(each, [...path, 'X-Key']))
  const isAtom = ['string', 'number', 'integer'].includes(node.type ?? '')
  return isAtom ? [{ path, schema: node }] : [...fields, ...keyed]
}

/** Values of required fields for which the example of the document does not do. */
const givenValues = (): Json => ({
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

/** The least that a valid body of an operation holds; undefined where it takes none. */
function leastBody(operation: Operation): Json | undefined {
  const json = jsonOf(operation)
  if (!json) return undefined
  const { required = [], properties = {} } = resolved(json.schema)
  const least = Object.fromEntries(required.map((name) => [name, givenValues()[name] ?? json.example?.[name]]))
  // An artifact needs a name, whichever of its fields is in question.
  return 'artifacts' in properties ? { ...least, artifacts: [{ name: 'log' }] } : least
}

/** A copy of a value with something else at a path. */
function withAt(value: unknown, [key, ...rest]: Path, put: unknown): unknown {
  if (key === undefined) return put
  if (typeof key === 'number') return [withAt((value as unknown[] | undefined)?.[key], rest, put)]
  const object = (value ?? {}) as Json
  return { ...object, [key]: withAt(object[key], rest, put) }
}

interface Request {
  /** As the document has it. */
  route: string
  path: string
  body?: string
  pointer: string
  value: unknown
  isRefused: boolean
}

const each = ({ refused, taken }: Hostile, requestOf: (value: unknown) => Omit<Request, 'value' | 'isRefused'>): Request[] => [
  ...refused.map((value) => ({ ...requestOf(value), value, isRefused: true })),
  ...taken.map((value) => ({ ...requestOf(value), value, isRefused: false })),
]

const filled = (path: string, others: Json = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(others[name] ?? ids[name])))

function inBodies(route: string, path: string, operation: Operation): Request[] {
  const least = leastBody(operation)
  if (!least) return []
  const { config, ...properties } = resolved(jsonOf(operation)?.schema ?? {}).properties ?? {}
  const hashes = 'password' in properties || 'current_password' in properties
  const requests = (base: Json, atoms: Atom[], others: Json = {}) =>
    atoms.flatMap((atom) =>
      each(inBody(atom.schema, hashes), (value) => ({
        route,
        path: filled(path, others),
        body: JSON.stringify(withAt(base, atom.path, value)).replace(`"${RAW}"`, '1e309'),
        pointer: `/${atom.path.join('/')}`,
      })),
    )
  // What the config of a channel holds, its type says.
  const ofConfigs = (config?.anyOf ?? []).flatMap((variant) => {
    const { channel_type = '', ...rest } = CHANNELS[nameOf(variant)] ?? {}
    const atoms = atomsOf({ properties: { config: variant } })
    return requests({ ...least, channel_type, ...rest }, atoms, { channel_id: channels[channel_type] })
  })
  return [...requests({ ...least, ...(config ? CHANNELS.WebhookConfig : {}) }, atomsOf({ properties })), ...ofConfigs]
}

function inParameters(route: string, path: string, operation: Operation): Request[] {
  const least = leastBody(operation)
  const body = least && JSON.stringify(least)
  return (operation.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    const pointer = `/${name}`
    if (place === 'path') return each(inPath, (value) => ({ route, path: filled(path, { [name]: value }), body, pointer }))
    if (place !== 'query') return []
    return atomsOf(schema as Node).flatMap((atom) =>
      each(inQuery(atom.schema), (value) => ({
        route,
        path: `${filled(path)}?${name}=${encodeURIComponent(String(value))}`,
        body,
        pointer,
      })),
    )
  })
}

/** Fields that no request here can get right. */
const SECRETS = ['/current_password', '/token']

/** What is wrong with the answer to a request; null where nothing is. */
async function fault({ route, path, body, pointer, value, isRefused }: Request): Promise<string | null> {
  const [method = ''] = route.split(' ')
  const what = (fault: string) => `${route} ${pointer} = ${JSON.stringify(value)?.slice(0, 80)}: ${fault}`
  try {
    const answer = await owner.request(method, path, body)
    const text = `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`
    const pointers: string[] = (answer.body?.errors ?? []).map((error: { pointer: string }) => error.pointer)
    if (answer.status >= 500) return what(text)
    if (isRefused)
      return answer.status === 422 && pointers.includes(pointer) ? null : what(`${text} in place of a 422 that names it`)
    const isElsewhere = pointers.some((each) => each !== pointer && !SECRETS.includes(each))
    return isElsewhere ? what(`the rest of the request is wrong: ${text}`) : null
  } catch (error) {
    return what(String(error))
  }
}

const AT_ONCE = 16

async function faults(requests: Request[]): Promise<string[]> {
  const waiting = requests.values()
  const found: (string | null)[] = []
  const send = async () => {
    for (const request of waiting) found.push(await fault(request))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, send))
  return found.filter((each) => each !== null)
}

const everywhere = (requestsOf: (route: string, path: string, operation: Operation) => Request[]): Request[] =>
  Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => requestsOf(`${method.toUpperCase()} ${path}`, path, operation)),
  )

describe('Hostile values, on every route that takes their kind, are refused by name or taken, and nothing breaks', () => {
  test('in bodies', async () => {
    const requests = everywhere(inBodies)
    expect(requests.length).toBeGreaterThan(1000)
    expect(await faults(requests)).toEqual([])
  }, 120_000)

  test('in paths and queries', async () => {
    const requests = everywhere(inParameters)
    expect(requests.length).toBeGreaterThan(1000)
    expect(await faults(requests)).toEqual([])
  }, 120_000)
})
