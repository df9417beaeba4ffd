import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { storeConnection, storeDomain } from '../sso/stored-connection.ts'
import type { Operation } from '../support/openapi.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { type Atom, Bodies, CHANNELS, type Json, jsonOf, type Node, nameOf, replaceAt } from './bodies.ts'
import { type Hostile, inBody, inPath, inQuery, RAW } from './hostile-values.ts'
import { makeResources } from './resources.ts'

let box: Box
let owner: Actor
let bodies: Bodies
/** The id of a channel of each type. */
const channels: Record<string, string> = {}

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const [firstUser, colleague, member] = await Promise.all(['Owner', 'Colleague', 'Member'].map((name) => box.user(name)))
  if (!firstUser || !colleague || !member) throw new Error('A user is missing')
  owner = firstUser
  const site = await box.site(owner)
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  const ids = await makeResources(box, site, owner, colleague, member)
  await storeConnection(box.sql, site.organization.id)
  ids.domain_id = await storeDomain(box.sql, site.organization.id)
  bodies = new Bodies(box.contract.document, ids)
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  for (const body of Object.values(CHANNELS)) {
    channels[body.channel_type] = (await owner.make(path, { name: body.channel_type, ...body })).id
  }
})
afterAll(() => box.close())

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

function inBodies(route: string, path: string, operation: Operation): Request[] {
  const least = bodies.minimal(operation)
  if (!least) return []
  const { config, ...properties } = bodies.resolved(jsonOf(operation)?.schema ?? {}).properties ?? {}
  const hashes = 'password' in properties || 'current_password' in properties
  const requests = (base: Json, atoms: Atom[], others: Json = {}) =>
    atoms.flatMap((atom) =>
      each(inBody(atom.schema, hashes), (value) => ({
        route,
        path: bodies.path(path, others),
        body: JSON.stringify(replaceAt(base, atom.path, value)).replace(`"${RAW}"`, '1e309'),
        pointer: `/${atom.path.join('/')}`,
      })),
    )
  // The fields of a channel's config depend on its type.
  const configRequests = (config?.anyOf ?? []).flatMap((variant) => {
    const { channel_type = '', ...rest } = CHANNELS[nameOf(variant)] ?? {}
    const atoms = bodies.atomsOf({ properties: { config: variant } })
    return requests({ ...least, channel_type, ...rest }, atoms, { channel_id: channels[channel_type] })
  })
  return [...requests({ ...least, ...(config ? CHANNELS.WebhookConfig : {}) }, bodies.atomsOf({ properties })), ...configRequests]
}

function inParameters(route: string, path: string, operation: Operation): Request[] {
  const least = bodies.minimal(operation)
  const body = least && JSON.stringify(least)
  return (operation.parameters ?? []).flatMap(({ name, in: place, schema }) => {
    const pointer = `/${name}`
    // An environment is identified by its name, which can be any text.
    const values = name === 'environment' ? { refused: [], accepted: [...inPath.refused, ...inPath.accepted] } : inPath
    if (place === 'path') return each(values, (value) => ({ route, path: bodies.path(path, { [name]: value }), body, pointer }))
    if (place !== 'query') return []
    return bodies.atomsOf(schema as Node).flatMap((atom) =>
      each(inQuery(atom.schema), (value) => ({
        route,
        path: `${bodies.path(path)}?${name}=${encodeURIComponent(String(value))}`,
        body,
        pointer,
      })),
    )
  })
}

/** Fields that are checked together with others: one of two digests, one of the forms of a freeze or a mapping, choices, a passkey, claims. */
const TOGETHER = ['/claims', '/mappings/', '/subject/', '/evidence/', '/fields/', '/freezes/', '/assertion/', '/credential/']

/** Fields for which no request here has a right value. */
const SECRETS = ['/current_password', '/token']

/** CI systems send empty texts for variables that are not set: there they count as absent. */
const isAbsent = ({ route, value }: Request): boolean => value === '' && /\/(report|acknowledge)$/.test(route)

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
    const together = TOGETHER.find((field) => pointer.startsWith(field))
    const isRelated = (each: string) => each === pointer || (together !== undefined && each.startsWith(together))
    const isElsewhere = answer.status === 422 && pointers.some((each) => !isRelated(each) && !SECRETS.includes(each))
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
    const requests = forEveryRoute(inBodies).filter((request) => !isAbsent(request))
    expect(requests.length).toBeGreaterThan(1000)
    expect(await checkAll(requests)).toEqual([])
  })

  test('in paths and queries', async () => {
    const requests = forEveryRoute(inParameters)
    expect(requests.length).toBeGreaterThan(1000)
    expect(await checkAll(requests)).toEqual([])
  })
})
