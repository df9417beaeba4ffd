import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const MASK = '********'

let box: Box
let admin: Actor
let site: Site
let hooks: string

const valid = { name: 'Deploy', url: 'https://ci.example.com/hooks', trigger_on: 'gate_approved' }

beforeAll(async () => {
  // An empty OUTBOUND_ALLOW counts as unset: no private address may be used.
  box = await signalbox({ workers: 0, environment: { OUTBOUND_ALLOW: '' } })
  admin = await box.user('Ada Lovelace')
  site = await box.site(admin)
  hooks = `/api/v1/projects/${site.project.id}/deployment-hooks`
})

afterAll(() => box.close())

describe('creating a hook', () => {
  test('responds with the hook, its defaults and its location', async () => {
    const { status, body, headers } = await admin.post(hooks, valid)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/deployment-hooks/${body.id}`)
    expect(body).toEqual({
      ...valid,
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      project_id: site.project.id,
      environment: 'production',
      headers: {},
      enabled: true,
      disabled_reason: null,
      max_age_seconds: null,
      temporary: false,
      supersede: false,
      paused: false,
      report_within_seconds: null,
      body_template: null,
      template_secrets: {},
      filter: null,
      signature: 'hmac',
      mode: 'push',
      public_key: null,
      has_secret: true,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      updated_at: body.created_at,
    })
    const { secret: _, ...shown } = body
    expect((await admin.get(`/api/v1/deployment-hooks/${body.id}`)).body).toEqual(shown)
    expect((await admin.get(hooks)).body[0]).toEqual(shown)
  })

  test('generates a secret when none is given, a different one per hook, and shows it once', async () => {
    const made = await Promise.all([1, 2].map(() => admin.make(hooks, valid)))
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(2)
    for (const { id, secret } of made) {
      expect(JSON.stringify((await admin.get(`/api/v1/deployment-hooks/${id}`)).body)).not.toContain(secret)
      const stored = await box.sql`
        select 1 from deployment_hooks where id = ${id} and position(convert_to(${secret}, 'UTF8') in secret) > 0
        union all
        select 1 from audit_log_entries where resource_id = ${id} and detail like ${`%${secret}%`}
        union all
        select 1 from outbox where data::text like ${`%${secret}%`}
      `
      expect(stored).toHaveLength(0)
    }
  })

  test('replays the response with its secret for the same Idempotency-Key, and stores it encrypted', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await admin.post(hooks, valid, headers)
    const again = await admin.post(hooks, valid, headers)
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    expect(again.body.secret).toStartWith('whsec_')
    const [stored] = await box.sql<{ response: Uint8Array }[]>`
      select response from idempotency_keys where key = ${headers['Idempotency-Key']}
    `
    expect(Buffer.from(stored?.response ?? []).includes(first.body.secret)).toBeFalse()
  })

  test('with a null secret makes a hook that does not sign', async () => {
    const { status, body } = await admin.post(hooks, { ...valid, secret: null })
    expect([status, body.has_secret]).toEqual([201, false])
    expect(body).not.toHaveProperty('secret')
  })

  test('accepts every field and never shows a given secret or header value', async () => {
    const input = {
      ...valid,
      name: '  Nightly  ',
      trigger_on: 'workflow_done',
      environment: 'staging',
      enabled: false,
      max_age_seconds: 3600,
      supersede: true,
      paused: true,
      secret: 'hush',
      headers: { 'X-Api-Key': 'k-1', Authorization: 'Bearer k-2' },
    }
    const { status, body } = await admin.post(hooks, input)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'Nightly',
      trigger_on: 'workflow_done',
      environment: 'staging',
      enabled: false,
      max_age_seconds: 3600,
      supersede: true,
      paused: true,
      has_secret: true,
      headers: { 'X-Api-Key': MASK, Authorization: MASK },
    })
    expect(body).not.toHaveProperty('secret')
  })

  test('accepts null for optional fields, and values at their limits', async () => {
    const headers = Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`X-Header-${index}`, 'v']))
    for (const input of [
      { secret: null, headers: null, max_age_seconds: null },
      { max_age_seconds: 60 },
      { max_age_seconds: 604_800 },
      { name: '𝄞'.repeat(120), environment: 'e'.repeat(64), secret: 's'.repeat(256), headers },
      { url: `https://ci.example.com/${'p'.repeat(2048 - 23)}` },
      { url: 'https://8.8.8.8/hook' },
      { url: 'http://[2606:4700:4700::1111]:8080/hook' },
      { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      { headers: { 'X-Tab': 'a\tb', 'X-Empty': '', "!#$%&'*+-.^_`|~": 'token' } },
    ]) {
      expect([input, (await admin.post(hooks, { ...valid, ...input })).status]).toEqual([input, 201])
    }
  })

  test('is limited to 100 hooks per project, also for concurrent requests', async () => {
    const project = await admin.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Crowded' })
    const answers = await Promise.all(
      Array.from({ length: 103 }, () => admin.post(`/api/v1/projects/${project.id}/deployment-hooks`, valid)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([409, 'hook_limit_reached']))
  })
})

describe('access to a hook', () => {
  let hook: Answer['body']
  let paths: [string, string][]

  beforeAll(async () => {
    hook = await admin.make(hooks, valid)
    const dispatch = await admin.make(`/api/v1/deployment-hooks/${hook.id}/test`)
    paths = [
      ['GET', hooks],
      ['POST', hooks],
      ['GET', `/api/v1/deployment-hooks/${hook.id}`],
      ['GET', `/api/v1/deployment-hooks/${hook.id}/dispatches`],
      ['POST', `/api/v1/deployment-hooks/${hook.id}/test`],
      ['GET', `/api/v1/dispatches/${dispatch.id}`],
    ]
  })

  const ask = (actor: Actor) =>
    Promise.all(
      paths.map(
        async ([method, path]) =>
          (await actor.request(method, path, path === hooks && method === 'POST' ? valid : undefined)).status,
      ),
    )

  test('is denied with 404 to strangers', async () => {
    expect(await ask(await box.user('Eve Stranger'))).toEqual([404, 404, 404, 404, 404, 404])
  })

  test('is denied with 404 to a member of the organization without a role in the workspace', async () => {
    const member = await box.user('Otto Outside')
    await box.join(member, site, 'member')
    expect(await ask(member)).toEqual([404, 404, 404, 404, 404, 404])
  })

  test('lets members of the workspace read, and requires its admin role to create or test', async () => {
    const member = await box.user('Mia Member')
    await box.join(member, site, 'member', 'member')
    expect(await ask(member)).toEqual([200, 403, 200, 200, 403, 200])
    const lead = await box.user('Lea Lead')
    await box.join(lead, site, 'member', 'admin')
    expect(await ask(lead)).toEqual([200, 201, 200, 200, 202, 200])
  })

  test('with a malformed id is a 422, with an unknown id a 404', async () => {
    expect((await admin.get('/api/v1/deployment-hooks/7')).status).toBe(422)
    expect((await admin.get('/api/v1/deployment-hooks/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d')).status).toBe(404)
  })
})
