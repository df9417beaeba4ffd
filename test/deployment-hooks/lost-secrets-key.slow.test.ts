/** A SECRETS_KEY that was lost: what needs an old secret says so, and secrets can be set anew. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

const [LOST, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string]
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const MASK = '********'

type Body = Answer['body']

let box: Box
let ada: Actor
let site: Site
const made: Record<'push' | 'pull' | 'bodies' | 'webhook' | 'slack' | 'email', Body> = {} as never
let dispatches: { push: Body; leased: Body; waiting: Body }

const hookPath = ({ id }: Body) => `/api/v1/deployment-hooks/${id}`
const channelPath = ({ id }: Body) => `/api/v1/workspaces/${site.workspace.id}/notification-channels/${id}`

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0, environment: { SECRETS_KEY: LOST } })
  ada = await box.user('Ada')
  site = await box.site(ada)
  const hook = (input: object) =>
    ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, { trigger_on: 'gate_approved', secret: SECRET, ...input })
  const channel = (channel_type: string, config: object) =>
    ada.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, { name: channel_type, channel_type, config })
  const reported = { report_within_seconds: 600 }
  const template = { body_template: { key: '{{secret:key}}' }, template_secrets: { key: 'abc-123' } }
  made.push = await hook({
    name: 'Push',
    url: 'http://127.0.0.1:9/',
    headers: { 'X-Key': 'k-1', 'X-Other': 'o' },
    ...reported,
    ...template,
  })
  made.pull = await hook({ name: 'Pull', mode: 'pull', ...reported })
  made.bodies = await hook({ name: 'Bodies', mode: 'pull', ...template })
  made.webhook = await channel('webhook', { url: 'http://127.0.0.1:9/', secret: SECRET, headers: { 'X-Key': 'k-1' } })
  made.slack = await channel('slack', { webhook_url: 'https://hooks.slack.com/services/T1/B1/abc' })
  made.email = await channel('email', {
    smtp_host: '127.0.0.1',
    smtp_user: 'mailer',
    smtp_password: 'correct horse',
    from_address: 'from@example.com',
    to_addresses: ['to@example.com'],
  })
  const push = await ada.make(`${hookPath(made.push)}/trigger`)
  await ada.make(`/api/v1/dispatches/${push.id}/cancel`)
  await ada.make(`${hookPath(made.pull)}/trigger`)
  const [leased] = await ada.make(`${hookPath(made.pull)}/claim`, { lease_seconds: 600 })
  const waiting = await ada.make(`${hookPath(made.bodies)}/trigger`)
  dispatches = { push, leased, waiting }
  await box.close()
  box = await signalbox({ url: box.url, workers: 0, environment: { SECRETS_KEY: NEW } })
  ada = new Actor(box, ada.name, ada.email, ada.id, ada.token, '')
})
afterAll(() => box.close())

function expectUnreadable({ status, headers, body }: Answer): void {
  expect([status, body.code]).toEqual([503, 'secret_unreadable'])
  expect(body.detail).toContain('SECRETS_KEY')
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('What needs an old secret says so:', () => {
  test('a claim, whose dispatch stays due', async () => {
    await ada.post(`${hookPath(made.pull)}/trigger`)
    expectUnreadable(await ada.post(`${hookPath(made.pull)}/claim`, { wait: 1 }))
    expectUnreadable(await ada.post(`${hookPath(made.bodies)}/claim`))
  })

  test('verifying a request', async () => {
    expectUnreadable(await ada.post(`${hookPath(made.push)}/verify`, { headers: {}, body: '{}' }))
  })

  test('a report with a text, and an acknowledgement with a detail', async () => {
    const { dispatch, lease_until } = dispatches.leased
    expectUnreadable(await ada.post(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'in_progress', version: '1.2' }))
    const acknowledge = { outcome: 'succeeded', lease_until }
    const path = `/api/v1/dispatches/${dispatch.id}/acknowledge`
    expectUnreadable(await ada.post(path, { ...acknowledge, detail: 'Build 1' }))
    expect((await ada.post(path, acknowledge)).body.status).toBe('succeeded')
    expect((await ada.post(`/api/v1/dispatches/${dispatch.id}/report`, { state: 'in_progress' })).status).toBe(200)
  })

  test('redelivering a body that contains secrets', async () => {
    expectUnreadable(await ada.post(`/api/v1/dispatches/${dispatches.push.id}/redeliver`))
  })

  test('triggering a hook whose body contains secrets', async () => {
    expectUnreadable(await ada.post(`${hookPath(made.bodies)}/trigger`))
  })
})

describe('Secrets are set anew without the old ones:', () => {
  test('headers and template secrets of a hook', async () => {
    const { headers } = (await ada.get(hookPath(made.push))).body
    expect((await ada.put(hookPath(made.push), { name: 'Push 2', headers })).body.name).toBe('Push 2')
    const mixed = await ada.put(hookPath(made.push), { headers: { 'X-Key': MASK, 'X-Other': 'new' } })
    expect([mixed.status, mixed.body.errors]).toMatchObject([
      422,
      [{ pointer: '/headers/X-Key', code: 'secrets_must_be_resent' }],
    ])
    const changed = await ada.put(hookPath(made.push), { headers: { 'X-Key': 'k-2' }, secret: `${SECRET}AA` })
    expect([changed.status, changed.body.headers]).toEqual([200, { 'X-Key': MASK }])
    expect((await ada.put(hookPath(made.push), { headers: { 'X-Key': MASK, 'X-More': 'm' } })).status).toBe(200)
    expect((await ada.post(`${hookPath(made.push)}/verify`, { headers: {}, body: '{}' })).status).toBe(200)
    expect((await ada.put(hookPath(made.bodies), { template_secrets: { key: 'def-456' } })).status).toBe(200)
    expect((await ada.post(`${hookPath(made.bodies)}/trigger`)).status).toBe(202)
  })

  test('the secret of a hook, by rotating it', async () => {
    expect((await ada.post(`${hookPath(made.pull)}/rotate-secret`)).status).toBe(200)
    const { status, body } = await ada.post(`${hookPath(made.pull)}/claim`)
    expect([status, body.length]).toEqual([200, 1])
    expect(body[0].headers['webhook-signature'].split(' ')).toHaveLength(1)
  })

  test('a body that no key decrypts is not leased, and can be cancelled', async () => {
    await ada.post(`${hookPath(made.bodies)}/rotate-secret`)
    expectUnreadable(await ada.post(`${hookPath(made.bodies)}/claim`, { limit: 10 }))
    const { body } = await ada.get(`/api/v1/dispatches/${dispatches.waiting.id}`)
    expect([body.status, body.attempt_count]).toEqual(['pending', 0])
    expect((await ada.post(`/api/v1/dispatches/${dispatches.waiting.id}/cancel`)).body.status).toBe('cancelled')
    expect((await ada.post(`${hookPath(made.bodies)}/claim`, { limit: 10 })).body).toHaveLength(1)
  })

  test('the config of a channel', async () => {
    for (const [channel, kept, more, config] of [
      [
        made.webhook,
        '/config/secret',
        { url: 'http://127.0.0.1:9/other' },
        { secret: `${SECRET}AA`, headers: { 'X-Key': 'k-2' } },
      ],
      [
        made.slack,
        '/config/webhook_url',
        { bot_token: 'xoxb-1-2-abcdefgh' },
        { webhook_url: 'https://hooks.slack.com/services/T/B/d' },
      ],
      [made.email, '/config/smtp_password', { smtp_port: 2525 }, { smtp_password: 'battery staple' }],
    ] as const) {
      const shown = (await ada.get(channelPath(channel))).body
      const same = await ada.put(channelPath(channel), { name: 'Renamed', config: shown.config })
      expect([same.status, same.body.name]).toEqual([200, 'Renamed'])
      const mixed = await ada.put(channelPath(channel), { config: more })
      expect([mixed.status, mixed.body.errors?.[0]]).toMatchObject([422, { pointer: kept, code: 'secrets_must_be_resent' }])
      expect((await ada.put(channelPath(channel), { config })).status).toBe(200)
      // From then on they are kept as usual.
      expect((await ada.put(channelPath(channel), { config: { ...more, bot_token: null } })).status).not.toBe(503)
    }
  })
})
