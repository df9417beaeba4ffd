import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'
import { LOOK_ALIKES, REFUSED, SAME } from './spellings.ts'

let box: Box
let owner: Actor
let site: Site
let channels: string
let channel: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
  site = await box.site(owner)
  channels = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const mail = { smtp_host: 'mail.example.com', from_address: 'a@example.com', to_addresses: ['b@example.com'] }
  channel = (await owner.make(channels, { name: 'Mail', channel_type: 'email', config: mail })).id
})
afterAll(() => box.close())

const register = (email: string, password = PASSWORD) =>
  box.request('POST', '/api/v1/auth/register', { email, name: 'Person', password })
const login = (email: string, password = PASSWORD) => box.request('POST', '/api/v1/auth/login', { email, password })
const me = (email: string) => owner.put('/api/v1/users/me', { email, current_password: PASSWORD })
const add = (email: string) => owner.post(`/api/v1/organizations/${site.organization.id}/members`, { email })
const found = async (query: string) =>
  (await owner.get(`/api/v1/organizations/${site.organization.id}/members?query=${encodeURIComponent(query)}`)).body.map(
    ({ user_email }: { user_email: string }) => user_email,
  )

const sendsMail = (config: object) =>
  owner.post(channels, {
    name: 'Mail',
    channel_type: 'email',
    config: { smtp_host: 'mail.example.com', from_address: 'a@example.com', to_addresses: ['b@example.com'], ...config },
  })

/** Every field that takes an address: how to send it, and the pointer of its validation error. */
const FIELDS: Record<string, [send: (email: string) => Promise<Answer>, pointer: string]> = {
  'POST /api/v1/auth/register email': [register, '/email'],
  'POST /api/v1/auth/login email': [login, '/email'],
  'POST /api/v1/auth/password-reset email': [(email) => box.request('POST', '/api/v1/auth/password-reset', { email }), '/email'],
  'PUT /api/v1/users/me email': [me, '/email'],
  'POST /api/v1/organizations/{org_id}/members email': [add, '/email'],
  'POST /api/v1/workspaces/{workspace_id}/notification-channels from_address': [
    (from_address) => sendsMail({ from_address }),
    '/config/from_address',
  ],
  'POST /api/v1/workspaces/{workspace_id}/notification-channels to_addresses': [
    (address) => sendsMail({ to_addresses: ['b@example.com', address] }),
    '/config/to_addresses/1',
  ],
  'PUT /api/v1/workspaces/{workspace_id}/notification-channels/{channel_id} from_address': [
    (from_address) => owner.put(`${channels}/${channel}`, { config: { from_address } }),
    '/config/from_address',
  ],
  'PUT /api/v1/workspaces/{workspace_id}/notification-channels/{channel_id} to_addresses': [
    (address) => owner.put(`${channels}/${channel}`, { config: { to_addresses: [address] } }),
    '/config/to_addresses/0',
  ],
}

interface Schema {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
}

/** The fields of the OpenAPI document that hold an address. */
function addressFields(schema: Schema, schemas: Record<string, Schema>, name = ''): string[] {
  if (schema.description?.startsWith('An e-mail address')) return [name]
  const children = [
    ...Object.entries(schema.properties ?? {}).map(([key, child]) => ({ name: key, child })),
    ...['anyOf', 'items'].flatMap((key) => ({ name, child: (schema as Record<string, Schema>)[key] })),
    ...(Array.isArray(schema) ? schema.map((child) => ({ name, child })) : []),
    ...('$ref' in schema ? [{ name, child: schemas[String(schema.$ref).split('/').at(-1) as string] }] : []),
  ]
  return children.flatMap((each) => (each.child ? addressFields(each.child, schemas, each.name) : []))
}

test('the table lists every documented field that takes an address', () => {
  const { paths, components } = box.contract.document
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
        addressFields(schema, components.schemas).map((field) => `${method.toUpperCase()} ${path} ${field}`),
      ),
    ),
  )
  expect(documented.sort()).toEqual(Object.keys(FIELDS).sort())
})

describe.each(Object.entries(FIELDS))('%s', (_, [send, pointer]) => {
  test('refuses addresses that no mail server accepts', async () => {
    const answers = await Promise.all(REFUSED.map(async (email) => [email, await send(email)] as const))
    const named = answers.map(([email, { status, body }]) => [email, status, body.errors?.[0].pointer])
    expect(named).toEqual(REFUSED.map((email) => [email, 422, pointer]))
  })
})

describe('All spellings of an address', () => {
  test.each(SAME)('of %s are one account', async (canonical, ...spellings) => {
    const person = await register(spellings[0] as string)
    expect([person.status, person.body.user.email]).toEqual([201, canonical])
    expect((await register(canonical)).body.code).toBe('email_taken')
    for (const spelling of [canonical, ...spellings]) {
      expect((await login(spelling)).body.user.id).toBe(person.body.user.id)
      expect((await me(spelling)).body.code).toBe('email_taken')
    }
    const added = await add(spellings.at(-1) as string)
    expect([added.status, added.body.user_id, added.body.user_email]).toEqual([201, person.body.user.id, canonical])
    for (const spelling of spellings) expect((await add(spelling)).body.code).toBe('already_member')
    for (const spelling of [canonical, ...spellings]) expect(await found(spelling.trim())).toContain(canonical)
  })

  test('are one address of an email channel', async () => {
    for (const [canonical, ...spellings] of SAME) {
      const config = { from_address: spellings[0], to_addresses: [spellings.at(-1)] }
      const { status, body } = await owner.put(`${channels}/${channel}`, { config })
      expect([status, body.config.from_address, body.config.to_addresses]).toEqual([200, canonical, [canonical]])
    }
  })

  test('are one invitation', async () => {
    const first = await add('guest@münchen.example')
    expect([first.status, first.body.email]).toEqual([202, 'guest@xn--mnchen-3ya.example'])
    expect((await add('GUEST@XN--MNCHEN-3YA.example')).body.id).toBe(first.body.id)
  })
})

describe('Look-alike addresses', () => {
  test('are other accounts, without access to the first', async () => {
    const victim = (await register('victim@github.example', 'the password of the victim')).body.user
    for (const email of LOOK_ALIKES) {
      expect((await login(email, 'the password of the victim')).status).toBe(401)
    }
    for (const email of ['victim@gİthub.example', 'vİctim@github.example']) {
      const { status, body } = await register(email)
      expect(status).toBe(201)
      expect(body.user.id).not.toBe(victim.id)
    }
    expect(await found('victim@github.example')).toEqual([])
    expect((await add('victim@github.example')).body.user_id).toBe(victim.id)
    expect(await found('victim@github.example')).toEqual(['victim@github.example'])
    for (const email of LOOK_ALIKES) expect(await found(email)).toEqual([])
  })
})
