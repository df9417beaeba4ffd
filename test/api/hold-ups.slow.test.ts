/** No request holds up another one: each route gets its worst bodies at their largest size, while a probe asks something else. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { declaredPages } from '../pages/declared.ts'
import type { Operation } from '../support/openapi.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'
import { Bodies, CHANNELS, jsonOf, type Node, nameOf, replaceAt } from './bodies.ts'
import { pixel } from './pixel.ts'
import { makeResources } from './resources.ts'
import { DESCRIPTIONS, FORMS, fill, HEADERS, ITEMS, JSON_BODIES, LIST_LENGTH, QUERIES, series, TEXTS } from './worst-bodies.ts'

/** The aim is 50 ms. The margin is for a slow machine; what is mended here took seconds. */
const LIMIT_MS = 150
/** For a response of 24 megabytes: after many large requests, the garbage collector has much to do. */
const LARGE_RESPONSE_LIMIT_MS = 300
/** A busy machine delays some probes; a request that holds others up delays all of them. */
const TRIES = 15

let box: Box
let owner: Actor
let bodies: Bodies
let ids: Record<string, string>
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox({ workers: 0, own: true, environment: { TRUST_PROXY: '1' } })
  const [first, colleague, member] = await Promise.all(['Owner', 'Colleague', 'Member'].map((name) => box.user(name)))
  if (!first || !colleague || !member) throw new Error('A user is missing')
  owner = first
  const site = await box.site(owner)
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  ids = await makeResources(box, site, owner, colleague, member)
  bodies = new Bodies(box.contract.document, ids)
  visitor = await PageClient.signedIn(box, owner)
})
// All tests together may take longer than an access token is valid.
beforeEach(async () => {
  const { body } = await box.request('POST', '/api/v1/auth/login', { email: owner.email, password: PASSWORD })
  owner.token = body.access_token
})
afterAll(() => box.close())

interface Attack {
  name: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: () => string | Uint8Array
}

/** How long the probe waited at most, while the request was being answered. */
async function heldUp({ method, path, headers = {} }: Attack, body: string | Uint8Array | undefined): Promise<number> {
  let isAnswered = false
  const answer = fetch(box.base + path, {
    method,
    headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'application/json', ...headers },
    body: body as string | undefined,
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  })
    .then(async (response) => {
      if (path.endsWith('/stream') || path.includes('/live')) await response.body?.cancel()
      // In pieces: many megabytes at once would hold up the probe here.
      else for await (const _ of response.body ?? []);
      return response.status
    })
    .finally(() => {
      isAnswered = true
    })
  let longest = 0
  do {
    const started = performance.now()
    await (await fetch(`${box.base}/livez`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - started)
    await Bun.sleep(2)
  } while (!isAnswered)
  const status = await answer
  if (status >= 500 && status !== 503) throw new Error(`${method} ${path.slice(0, 100)} answered ${status}`)
  return longest
}

/** Those that held up the probe each time. They are tried again after the others, when the machine may be less busy. */
async function tooLong(attacks: Attack[], limit = LIMIT_MS): Promise<string[]> {
  let found = attacks.map((attack) => ({ attack, least: Number.POSITIVE_INFINITY }))
  for (let tries = 0; tries < TRIES && found.length > 0; tries++) {
    for (const each of found) each.least = Math.min(each.least, await heldUp(each.attack, each.attack.body?.()))
    found = found.filter(({ least }) => least > limit)
  }
  return found.map(({ attack: { name }, least }) => `${name}: ${Math.round(least)} ms`)
}

const forEveryRoute = (attacksOf: (method: string, path: string, operation: Operation) => Attack[]): Attack[] =>
  Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => attacksOf(method.toUpperCase(), path, operation)),
  )

const from = <Value>(values: Record<string, Value>, attackOf: (value: Value) => Omit<Attack, 'name'>, of: string): Attack[] =>
  Object.entries(values).map(([name, value]) => ({ ...attackOf(value), name: `${of} with ${name}` }))

/** The schemas of a body; those of the configs of channels instead of a config of any type. */
function schemasOf(operation: Operation): { schema: Node; base: object }[] {
  const json = jsonOf(operation)
  if (!json) return []
  const schema = bodies.resolved(json.schema)
  const base = bodies.minimal(operation) ?? {}
  const { config } = schema.properties ?? {}
  const configs = (config?.anyOf ?? []).map((variant) => ({
    schema: { properties: { config: variant } },
    base: { ...base, ...CHANNELS[nameOf(variant)] },
  }))
  return [{ schema, base }, ...configs]
}

const json = (name: string, method: string, path: string, value: () => unknown): Attack => ({
  name,
  method,
  path,
  body: () => JSON.stringify(value()),
})

const isList = ({ items }: Node): boolean => items !== undefined
const isKeyed = ({ type, patternProperties, properties }: Node): boolean =>
  patternProperties !== undefined || (type === 'object' && properties === undefined) || type === undefined
const isText = ({ type }: Node): boolean => type === 'string'

describe('No request holds up another one:', () => {
  test('JSON of any shape', async () => {
    const attacks = forEveryRoute((method, path, operation) =>
      jsonOf(operation) ? from(JSON_BODIES, (body) => ({ method, path: bodies.path(path), body }), `${method} ${path}`) : [],
    )
    expect(attacks.length).toBeGreaterThan(700)
    expect(await tooLong(attacks)).toEqual([])
  }, 900_000)

  test('long texts, in each field', async () => {
    const attacks = forEveryRoute((method, path, operation) =>
      schemasOf(operation).flatMap(({ schema, base }) =>
        bodies
          .atomsOf(schema, [], isText)
          .flatMap((atom) =>
            from(
              TEXTS,
              (text) => ({ method, path: bodies.path(path), body: () => JSON.stringify(replaceAt(base, atom.path, text())) }),
              `${method} ${path} /${atom.path.join('/')}`,
            ),
          ),
      ),
    )
    expect(attacks.length).toBeGreaterThan(700)
    expect(await tooLong(attacks)).toEqual([])
  }, 900_000)

  test('long lists and objects of many fields, in each field', async () => {
    const attacks = forEveryRoute((method, path, operation) =>
      schemasOf(operation).flatMap(({ schema, base }) => {
        const attack = (at: (string | number)[], value: () => unknown) => ({
          method,
          path: bodies.path(path),
          body: () => JSON.stringify(replaceAt(base, at, value())),
        })
        const lists = bodies
          .atomsOf(schema, [], isList)
          .flatMap((atom) =>
            from(
              ITEMS,
              (itemOf) => attack(atom.path, () => Array.from({ length: LIST_LENGTH }, (_, number) => itemOf(number))),
              `${method} ${path} /${atom.path.join('/')}`,
            ),
          )
        const keyed = bodies
          .atomsOf(schema, [], isKeyed)
          .flatMap((atom) =>
            from(
              ITEMS,
              (itemOf) =>
                attack(atom.path, () =>
                  Object.fromEntries(Array.from({ length: LIST_LENGTH }, (_, number) => [`/key/${number}`, itemOf(number)])),
                ),
              `${method} ${path} /${atom.path.join('/')} as an object`,
            ),
          )
        return [...lists, ...keyed]
      }),
    )
    expect(attacks.length).toBeGreaterThan(50)
    expect(await tooLong(attacks)).toEqual([])
  }, 900_000)

  test('forms, on every page', async () => {
    const paths = (await declaredPages()).filter((route) => route.startsWith('POST ')).map((route) => route.slice(5))
    expect(paths.length).toBeGreaterThan(40)
    const headers = {
      Cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      Origin: box.base,
      'Content-Type': 'application/x-www-form-urlencoded',
    }
    const attacks = paths.flatMap((path) =>
      from(FORMS, (body) => ({ method: 'POST', path: bodies.path(path), headers, body }), `POST ${path}`),
    )
    expect(await tooLong(attacks)).toEqual([])
  }, 900_000)

  test('descriptions of an API', async () => {
    const path = bodies.path('/api/v1/projects/{project_id}/api-description')
    const attacks = from(
      DESCRIPTIONS,
      ([type, body]) => ({ method: 'PUT', path, headers: { 'Content-Type': type }, body }),
      'a description',
    )
    expect(await tooLong(attacks)).toEqual([])
  }, 900_000)

  test('images', async () => {
    const largest = () => new Bun.Image(pixel(7)).resize(4096, 4096)
    const images = {
      'image/png': await largest().png().bytes(),
      'image/jpeg': await largest().jpeg({ progressive: true }).bytes(),
      'image/webp': await largest().webp({ lossless: true }).bytes(),
    }
    const attacks = Object.entries(images).map(([type, image]) => ({
      name: type,
      method: 'PUT',
      path: '/api/v1/users/me/avatar',
      headers: { 'Content-Type': type },
      body: () => image,
    }))
    expect(await tooLong(attacks)).toEqual([])
  })

  test('headers and queries', async () => {
    const paths = ['/api/v1/organizations', `/api/v1/organizations/${ids.org_id}/members`, '/sign-in', '/app', '/livez']
    const attacks = paths.flatMap((path) => [
      ...from(HEADERS, (headers) => ({ method: 'GET', path, headers }), `GET ${path}`),
      ...from(QUERIES, (query) => ({ method: 'GET', path: `${path}?${query}` }), `GET ${path}`),
    ])
    const [project, ping] = [bodies.path('/api/v1/projects/{project_id}'), bodies.path('/api/v1/deployment-hooks/{hook_id}/test')]
    const conditional = from(
      HEADERS,
      (headers) => ({ ...json('', 'PUT', project, () => ({ name: 'Checkout' })), headers }),
      'a PUT',
    )
    const waits = from(HEADERS, (headers) => ({ ...json('', 'POST', ping, () => ({})), headers }), 'a test')
    const routes = forEveryRoute((method, path) =>
      method === 'GET' ? from(QUERIES, (query) => ({ method, path: `${bodies.path(path)}?${query}` }), `GET ${path}`) : [],
    )
    expect(await tooLong([...attacks, ...conditional, ...waits, ...routes])).toEqual([])
  }, 900_000)

  test('what is accepted at its largest', async () => {
    const hook = bodies.path('/api/v1/deployment-hooks/{hook_id}')
    const requirement = bodies.path('/api/v1/requirements/{requirement_id}')
    const templates: Record<string, () => unknown> = {
      placeholders: () => fill('{{/data}}', 32_000),
      numbers: () => Array.from({ length: 16_000 }, () => 0),
      texts: () => Array.from({ length: 3_200 }, () => '{{/a}}'),
      fields: () => JSON.parse(`{${series((number) => `"${number}":0`, ',', 32_000)}}`),
      'broken placeholders': () => Array.from({ length: 6_000 }, () => '{{'),
    }
    const filter = { '/event': { in: Array.from({ length: 2_000 }, () => 0) } }
    const attacks = [
      ...Object.entries(templates).flatMap(([name, body_template]) => [
        json(`a preview of ${name}`, 'POST', `${hook}/preview`, () => ({ body_template: body_template(), filter })),
        json(`a template of ${name}`, 'PUT', hook, () => ({ body_template: body_template(), filter })),
      ]),
      json('a verification', 'POST', `${hook}/verify`, () => ({
        headers: Object.fromEntries(Array.from({ length: 200 }, (_, number) => [`x-${number}`, 'v'.repeat(1_000)])),
        body: fill('e\u0301', 800_000),
      })),
      json('a signature of many', 'POST', `${hook}/verify`, () => ({
        headers: {
          'webhook-id': ids.dispatch_id,
          'webhook-timestamp': '1700000000',
          'webhook-signature': fill('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= ', 16_000),
        },
        body: fill('x', 900_000),
      })),
      json('criteria', 'PUT', requirement, () => ({ acceptance_criteria: Array.from({ length: 50 }, () => '*'.repeat(10_000)) })),
      json('a workflow template', 'PUT', bodies.path('/api/v1/projects/{project_id}/workflow-template'), () => ({
        template: `${fill('a: &a b\n', 262_000)}${Math.random()}`,
      })),
    ]
    expect(await tooLong(attacks)).toEqual([])
  }, 300_000)

  test('all hooks of a project, whose templates consist of numbers', async () => {
    const { id } = await owner.make(bodies.path('/api/v1/workspaces/{workspace_id}/projects'), { name: 'Templates' })
    const path = `/api/v1/projects/${id}/deployment-hooks`
    const template = Array.from({ length: 16_000 }, () => 0)
    const hook = { name: 'Deploy', url: 'https://example.com', trigger_on: 'gate_approved', body_template: template }
    for (let number = 0; number < 100; number++) await owner.make(path, hook)
    const rollBack = `/api/v1/projects/${id}/deployment-rollback`
    const attacks = [
      { name: 'the hooks', method: 'GET', path },
      json('a rollback', 'POST', rollBack, () => ({ target_version: 'v1', reason: 'It is slow.' })),
    ]
    expect(await tooLong(attacks)).toEqual([])
    const { body } = await owner.get(path)
    expect([body.length, body[99].body_template]).toEqual([100, template])
  }, 300_000)

  test('the largest lists, which are whole', async () => {
    const path = bodies.path('/api/v1/projects/{project_id}/requirements')
    const criterion = '"é\u{1F469}\n'.repeat(2_000)
    const input = { title: 'Long', description: criterion, acceptance_criteria: Array.from({ length: 20 }, () => criterion) }
    for (let number = 0; number < 60; number++) await owner.make(path, input)
    const page = { name: 'a page of requirements', method: 'GET', path: `${path}?page_size=100` }
    expect(await tooLong([page], LARGE_RESPONSE_LIMIT_MS)).toEqual([])
    const { body } = await owner.get(`${path}?page_size=100`)
    expect([body.page, body.page_size, body.items.length]).toEqual([1, 100, body.total])
    const { title, description, acceptance_criteria } = body.items[0]
    expect({ title, description, acceptance_criteria }).toEqual(input)
  }, 300_000)
})
