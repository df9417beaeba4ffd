import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '../../core/notification-channels/types.ts'
import { CONFIGS } from './configs.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 0, environment: { OUTBOUND_ALLOW: '10.1.0.0/16' } })
})

afterAll(() => bench.close())

const create = (channel_type: string, config: unknown, input: object = {}) =>
  bench.admin.post(bench.path, { name: 'Release room', channel_type, config, ...input })

const email = { smtp_host: 'mail.example.com', from_address: 'a@example.com', to_addresses: ['b@example.com'] }

const GOOD: [string, object, object][] = [
  ['slack', { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }, { webhook_url: '********' }],
  ['slack', { webhook_url: 'https://hooks.slack-gov.com/services/T0/B0/x' }, { webhook_url: '********' }],
  ['slack', { webhook_url: 'http://10.1.2.3:8080/anything' }, { webhook_url: '********' }],
  [
    'teams',
    { webhook_url: 'https://prod-1.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke?sig=x' },
    { webhook_url: '********' },
  ],
  [
    'teams',
    { webhook_url: 'https://default1.2.environment.api.powerplatform.com:443/powerautomate/x?sig=y' },
    { webhook_url: '********' },
  ],
  ['feishu', { webhook_url: 'https://open.feishu.cn/open-apis/bot/v2/hook/abc-1' }, { webhook_url: '********' }],
  // A name with a dot at its end is the same.
  ['feishu', { webhook_url: 'https://open.feishu.cn./open-apis/bot/v2/hook/abc-1' }, { webhook_url: '********' }],
  ['slack', { webhook_url: 'https://hooks.slack.com./services/T0/B0/x' }, { webhook_url: '********' }],
  ['teams', { webhook_url: 'https://prod-1.westeurope.logic.azure.com./workflows/1?sig=x' }, { webhook_url: '********' }],
  [
    'feishu',
    { webhook_url: 'https://open.larksuite.com/open-apis/bot/v2/hook/abc-1', secret: 's' },
    { webhook_url: '********', secret: '********' },
  ],
  ['webhook', { url: 'https://example.com/x?y=1' }, { url: 'https://example.com/x?y=1' }],
  [
    'webhook',
    { url: 'http://10.1.0.1/', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', headers: { 'X-Key': 'v' } },
    { url: 'http://10.1.0.1/', secret: '********', headers: { 'X-Key': '********' } },
  ],
  ['email', email, { ...email, smtp_port: 587 }],
  [
    'email',
    { ...email, smtp_port: 465, smtp_user: 'u', smtp_password: 'p' },
    { ...email, smtp_port: 465, smtp_user: 'u', smtp_password: '********' },
  ],
  ['email', { ...email, smtp_host: '10.1.0.25' }, { ...email, smtp_host: '10.1.0.25', smtp_port: 587 }],
]

test.each(GOOD)('a channel of type %s accepts %j', async (channel_type, config, shown) => {
  const { status, body, headers } = await create(channel_type, config)
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    workspace_id: bench.site.workspace.id,
    name: 'Release room',
    channel_type,
    config: shown,
    enabled: true,
    disabled_reason: null,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect(headers.get('location')).toBe(`${bench.path}/${body.id}`)
  expect((await bench.admin.get(`${bench.path}/${body.id}`)).body).toEqual(body)
  expect((await bench.admin.delete(`${bench.path}/${body.id}`)).status).toBe(204)
})

const BAD: [string, unknown, string, string][] = [
  ['slack', {}, '/config/webhook_url', 'required'],
  ['slack', { webhook_url: null }, '/config/webhook_url', 'required'],
  ['slack', { webhook_url: 7 }, '/config/webhook_url', 'wrong_type'],
  ['slack', { webhook_url: 'hooks.slack.com' }, '/config/webhook_url', 'malformed'],
  ['slack', { webhook_url: '********' }, '/config/webhook_url', 'nothing_to_keep'],
  ['slack', { webhook_url: 'http://hooks.slack.com/services/x' }, '/config/webhook_url', 'not_https'],
  ['slack', { webhook_url: 'https://hooks.slack.com.evil.io/services/x' }, '/config/webhook_url', 'wrong_host'],
  ['slack', { webhook_url: 'https://evil-hooks.slack.com/services/x' }, '/config/webhook_url', 'wrong_host'],
  ['slack', { webhook_url: 'https://hooks.slack.com:8443/services/x' }, '/config/webhook_url', 'wrong_host'],
  ['slack', { webhook_url: 'https://hooks.slack.com@evil.io/services/x' }, '/config/webhook_url', 'credentials_in_url'],
  ['slack', { webhook_url: 'https://hooks.slack.com/triggers/x' }, '/config/webhook_url', 'wrong_path'],
  ['slack', { webhook_url: 'http://127.0.0.1/' }, '/config/webhook_url', 'blocked_address'],
  ['slack', { webhook_url: 'http://2130706433/' }, '/config/webhook_url', 'blocked_address'],
  ['slack', { webhook_url: 'http://localhost:3000/' }, '/config/webhook_url', 'blocked_address'],
  ['slack', { webhook_url: 'https://hooks.slack.com/services/x', secret: 'x' }, '/config/secret', 'unknown_field'],
  ['teams', { webhook_url: 'https://acme.webhook.office.com/webhookb2/x' }, '/config/webhook_url', 'wrong_host'],
  ['teams', { webhook_url: 'https://logic.azure.com.evil.io/x' }, '/config/webhook_url', 'wrong_host'],
  ['teams', { webhook_url: 'https://evillogic.azure.com/x' }, '/config/webhook_url', 'wrong_host'],
  ['feishu', { webhook_url: 'https://open.feishu.cn/open-apis/im/v1/messages' }, '/config/webhook_url', 'wrong_path'],
  ['feishu', { webhook_url: 'https://feishu.cn/open-apis/bot/v2/hook/x' }, '/config/webhook_url', 'wrong_host'],
  ['webhook', {}, '/config/url', 'required'],
  ['webhook', { webhook_url: 'https://example.com/' }, '/config/webhook_url', 'unknown_field'],
  ['webhook', { url: 'ftp://example.com/' }, '/config/url', 'malformed'],
  ['webhook', { url: 'https://user:pass@example.com/' }, '/config/url', 'credentials_in_url'],
  ['webhook', { url: 'http://[::1]/' }, '/config/url', 'blocked_address'],
  ['webhook', { url: 'http://169.254.169.254/latest' }, '/config/url', 'blocked_address'],
  ['webhook', { url: 'https://example.com/', secret: 'whsec_!' }, '/config/secret', 'malformed'],
  ['webhook', { url: 'https://example.com/', secret: '********' }, '/config/secret', 'nothing_to_keep'],
  ['webhook', { url: 'https://example.com/', headers: { Host: 'x' } }, '/config/headers/Host', 'reserved'],
  ['webhook', { url: 'https://example.com/', headers: { 'Content-Length': '1' } }, '/config/headers/Content-Length', 'reserved'],
  ['webhook', { url: 'https://example.com/', headers: { 'Webhook-Id': '1' } }, '/config/headers/Webhook-Id', 'reserved'],
  ['webhook', { url: 'https://example.com/', headers: { 'a/b': '1' } }, '/config/headers/a~1b', 'malformed'],
  ['webhook', { url: 'https://example.com/', headers: { A: 'x\r\nB: y' } }, '/config/headers/A', 'malformed'],
  ['webhook', { url: 'https://example.com/', headers: { A: '1', a: '2' } }, '/config/headers/a', 'repeated'],
  ['webhook', { url: 'https://example.com/', headers: { A: '********' } }, '/config/headers/A', 'nothing_to_keep'],
  ['webhook', { url: 'https://example.com/', headers: [] }, '/config/headers', 'wrong_type'],
  ['email', { ...email, smtp_host: undefined }, '/config/smtp_host', 'required'],
  ['email', { ...email, smtp_host: '127.0.0.1' }, '/config/smtp_host', 'blocked_address'],
  ['email', { ...email, smtp_host: 'localhost' }, '/config/smtp_host', 'blocked_address'],
  ['email', { ...email, smtp_host: '::1' }, '/config/smtp_host', 'blocked_address'],
  ['email', { ...email, smtp_host: 'mail.example.com:25' }, '/config/smtp_host', 'malformed'],
  ['email', { ...email, smtp_host: 'smtp://mail.example.com' }, '/config/smtp_host', 'malformed'],
  ['email', { ...email, smtp_port: 0 }, '/config/smtp_port', 'too_small'],
  ['email', { ...email, smtp_port: 65_536 }, '/config/smtp_port', 'too_large'],
  ['email', { ...email, smtp_user: 'u' }, '/config/smtp_password', 'required'],
  ['email', { ...email, smtp_password: 'p' }, '/config/smtp_user', 'required'],
  ['email', { ...email, from_address: 'Ada <a@example.com>' }, '/config/from_address', 'malformed'],
  ['email', { ...email, to_addresses: [] }, '/config/to_addresses', 'too_few'],
  ['email', { ...email, to_addresses: Array(51).fill('b@example.com') }, '/config/to_addresses', 'too_many'],
  ['email', { ...email, to_addresses: ['b@example.com\r\nBcc: v@evil.io'] }, '/config/to_addresses/0', 'malformed'],
  ['email', { ...email, to_addresses: ['b@example.com', 'c@example.com, d@example.com'] }, '/config/to_addresses/1', 'malformed'],
  ['email', { ...email, webhook_url: 'https://example.com/' }, '/config/webhook_url', 'unknown_field'],
  ['pager', {}, '/channel_type', 'not_allowed'],
  ['slack', [], '/config', 'wrong_type'],
  ['slack', null, '/config', 'wrong_type'],
]

test.each(BAD)('a channel of type %s refuses %j at %s', async (channel_type, config, pointer, code) => {
  const { status, body } = await create(channel_type, config)
  expect([status, body.code]).toEqual([422, 'validation_failed'])
  expect(body.errors).toContainEqual(expect.objectContaining({ pointer, code }))
  expect(JSON.stringify(body)).not.toContain('user:pass')
})

test('every type has configs here that are accepted and that are refused', () => {
  expect(CHANNEL_TYPES.filter((type) => !GOOD.some(([good]) => good === type))).toEqual([])
  expect(CHANNEL_TYPES.filter((type) => !BAD.some(([bad]) => bad === type))).toEqual([])
})

test.each(CHANNEL_TYPES)('a channel of the type %s cannot send to this machine or its network', async (type) => {
  for (const config of CONFIGS[type]('http://127.0.0.1:9', () => '5ecret-9d1e77')) {
    const { status, body } = await create(type, config)
    expect([status, body.errors]).toEqual([422, expect.arrayContaining([expect.objectContaining({ code: 'blocked_address' })])])
  }
})

describe('the fields of a channel', () => {
  const config = { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }

  test.each([
    [{ name: '  ' }, '/name'],
    [{ name: 'n'.repeat(121) }, '/name'],
    [{ enabled: 'yes' }, '/enabled'],
    [{ id: crypto.randomUUID() }, '/id'],
  ])('%j is refused at %s', async (input, pointer) => {
    const { status, body } = await create('slack', config, input)
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  })

  test('allow creating it disabled', async () => {
    const { body } = await create('slack', config, { enabled: false })
    expect(body).toMatchObject({ enabled: false, disabled_reason: null })
  })

  test('are listed newest first, paginated with a link header', async () => {
    const created = [await create('slack', config, { name: 'One' }), await create('slack', config, { name: 'Two' })]
    const { body, headers } = await bench.admin.get(`${bench.path}?limit=1`)
    expect(body).toEqual([created[1]?.body])
    const [, next = ''] = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
    expect((await bench.admin.get(next)).body[0]).toEqual(created[0]?.body)
  })
})

test('a workspace has at most 100 channels, also for concurrent requests', async () => {
  const owner = await bench.box.user('Grace Hopper')
  const site = await bench.box.site(owner)
  const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
  const input = { name: 'n', channel_type: 'webhook', config: { url: 'https://example.com/' } }
  const answers = await Promise.all(Array.from({ length: 104 }, () => owner.post(path, input)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('channel_limit_reached'))
  expect((await owner.get(path)).body).toHaveLength(100)
})
