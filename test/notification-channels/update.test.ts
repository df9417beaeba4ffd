import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const put = (channel: Answer['body'], body: object, headers?: Record<string, string>) =>
  bench.admin.put(`${bench.path}/${channel.id}`, body, headers)

const makeWebhook = async (config: object = {}) => {
  const receiver = bench.receiver()
  const channel = await bench.channel('webhook', {
    url: `${receiver.url}/a`,
    secret: 'first-secret',
    headers: { 'X-Key': 'first-value', 'X-Other': 'other-value' },
    ...config,
  })
  return { receiver, channel }
}

describe('an update', () => {
  test('without fields changes nothing', async () => {
    const { channel } = await makeWebhook()
    const { status, body } = await put(channel, {})
    expect([status, body]).toEqual([200, channel])
  })

  test('merges the config by field: absent and masked values are kept, null clears', async () => {
    const { receiver, channel } = await makeWebhook()
    const { status, body } = await put(channel, {
      name: ' Renamed ',
      channel_type: 'webhook',
      config: { url: `${receiver.url}/b`, secret: '********', headers: { 'x-key': '********', 'X-New': 'new-value' } },
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Renamed',
      config: { url: `${receiver.url}/b`, secret: '********', headers: { 'x-key': '********', 'X-New': '********' } },
    })
    expect(body.config.headers).not.toHaveProperty('X-Other')
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(channel.updated_at))
    await bench.tested(channel)
    const [request] = receiver.requests
    expect(request?.path).toBe('/b')
    expect(request?.headers).toMatchObject({ 'x-key': 'first-value', 'x-new': 'new-value' })
    expect(request?.headers['x-signalbox-signature']).toStartWith('sha256=')

    expect((await put(channel, { config: { secret: null, headers: null } })).body.config).toEqual({ url: `${receiver.url}/b` })
    await bench.tested(channel)
    expect(receiver.requests).toHaveLength(2)
    expect(receiver.requests[1]?.headers).not.toHaveProperty('x-signalbox-signature')
    expect(receiver.requests[1]?.headers).not.toHaveProperty('x-key')
  })

  test('to another type is refused; the same type is no change', async () => {
    const { channel } = await makeWebhook()
    const { status, body } = await put(channel, { channel_type: 'slack' })
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/channel_type', code: 'unchangeable' }]])
    expect((await put(channel, { channel_type: 'webhook' })).body).toEqual(channel)
  })

  test.each([
    [{ url: null }, '/config/url', 'required'],
    [{ headers: { 'X-Unknown': '********' } }, '/config/headers/X-Unknown', 'nothing_to_keep'],
    [{ smtp_host: 'mail.example.com' }, '/config/smtp_host', 'unknown_field'],
    [{ url: '********' }, '/config/url', 'malformed'],
  ])('of %j is refused at %s', async (config, pointer, code) => {
    const { channel } = await makeWebhook()
    const { status, body } = await put(channel, { config })
    expect([status, body.errors[0]]).toMatchObject([422, { pointer, code }])
    expect((await bench.admin.get(`${bench.path}/${channel.id}`)).body).toEqual(channel)
  })

  test('with a stale ETag is refused', async () => {
    const { channel } = await makeWebhook()
    const { headers } = await bench.admin.get(`${bench.path}/${channel.id}`)
    const seen = { 'If-Match': headers.get('etag') ?? '' }
    expect((await put(channel, { name: 'Mine' }, seen)).status).toBe(200)
    expect((await put(channel, { name: 'Late' }, seen)).status).toBe(412)
    expect((await bench.admin.delete(`${bench.path}/${channel.id}`, seen)).status).toBe(412)
    expect((await bench.admin.delete(`${bench.path}/${channel.id}`)).status).toBe(204)
    expect((await bench.admin.get(`${bench.path}/${channel.id}`)).status).toBe(404)
  })

  test('is audited with the changed fields and their values, except secrets', async () => {
    const { channel } = await makeWebhook()
    await put(channel, { name: 'Renamed', enabled: false, config: { secret: 'next-secret' } })
    await bench.admin.delete(`${bench.path}/${channel.id}`)
    const entries = await bench.box.sql<{ action: string; detail: string }[]>`
      select action, detail from audit_log_entries where resource_id = ${channel.id} order by created_at, id
    `
    expect(entries.map(({ action }) => action)).toEqual([
      'notification_channel.created',
      'notification_channel.updated',
      'notification_channel.deleted',
    ])
    expect(entries[1]?.detail).toBe(
      'Ada Lovelace changed the notification channel Release room: name from "Release room" to "Renamed"; enabled from true to false; config.secret changed.',
    )
  })
})

describe('secrets must be sent again when a channel changes its target', () => {
  const elsewhere = 'https://elsewhere.example.com/'

  test.each([
    [{ url: elsewhere }, ['/config/secret', '/config/headers']],
    [{ url: elsewhere, secret: '********', headers: { 'X-Key': '********' } }, ['/config/secret', '/config/headers/X-Key']],
    [{ url: elsewhere, secret: 'anew' }, ['/config/headers']],
    [{ url: elsewhere, secret: 'anew', headers: { 'X-Key': 'anew', 'X-Other': '********' } }, ['/config/headers/X-Other']],
  ])('%j names %j', async (config, pointers) => {
    const { channel } = await makeWebhook()
    const { status, body } = await put(channel, { config })
    expect([status, body.code]).toEqual([422, 'secrets_must_be_resent'])
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
  })

  test('secrets sent again, or cleared, are accepted', async () => {
    const { channel } = await makeWebhook()
    expect((await put(channel, { config: { url: elsewhere, secret: 'anew', headers: null } })).status).toBe(200)
  })

  test('another path on the same server does not require them', async () => {
    const { channel, receiver } = await makeWebhook()
    expect((await put(channel, { config: { url: `${receiver.url}/elsewhere` } })).status).toBe(200)
  })

  test.each([
    [{ smtp_host: 'other.example.com' }],
    [{ smtp_port: 465 }],
    [{ smtp_host: 'other.example.com', smtp_password: '********' }],
  ])('a change of mail server requires them: %j', async (config) => {
    const channel = await bench.channel('email', {
      smtp_host: 'mail.example.com',
      smtp_user: 'u',
      smtp_password: 'p',
      from_address: 'a@example.com',
      to_addresses: ['b@example.com'],
    })
    const { status, body } = await put(channel, { config })
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'secrets_must_be_resent', '/config/smtp_password'])
    expect((await put(channel, { config: { ...config, smtp_password: 'p2' } })).status).toBe(200)
    expect(
      (await put(channel, { config: { smtp_host: 'third.example.com', smtp_user: null, smtp_password: null } })).status,
    ).toBe(200)
  })

  test('a change from Feishu to Lark requires the signing secret, which belongs to the old bot', async () => {
    const channel = await bench.channel('feishu', {
      webhook_url: 'https://open.feishu.cn/open-apis/bot/v2/hook/a',
      secret: 's',
    })
    const webhook_url = 'https://open.larksuite.com/open-apis/bot/v2/hook/b'
    expect((await put(channel, { config: { webhook_url } })).body.code).toBe('secrets_must_be_resent')
    expect((await put(channel, { config: { webhook_url, secret: null } })).body.config).toEqual({ webhook_url: '********' })
  })
})

describe('a channel', () => {
  test('is a 404 under another workspace, and for strangers', async () => {
    const { channel } = await makeWebhook()
    const workspace = await bench.admin.make(`/api/v1/organizations/${bench.site.organization.id}/workspaces`, { name: 'Other' })
    const wrong = `/api/v1/workspaces/${workspace.id}/notification-channels/${channel.id}`
    expect((await bench.admin.get(wrong)).status).toBe(404)
    expect((await bench.admin.put(wrong, { name: 'x' })).status).toBe(404)
    expect((await bench.admin.post(`${wrong}/test`)).status).toBe(404)
    expect((await bench.admin.delete(wrong)).status).toBe(404)
    const subscription = await bench.subscribe(channel, '*')
    expect((await bench.admin.delete(`/api/v1/workspaces/${workspace.id}/subscriptions/${subscription.id}`)).status).toBe(404)
    const stranger = await bench.box.user('Eve')
    expect((await stranger.get(`${bench.path}/${channel.id}`)).status).toBe(404)
    expect((await stranger.get(`/api/v1/notification-channels/${channel.id}/logs`)).status).toBe(404)
    expect((await bench.admin.get(`${bench.path}/${channel.id.toUpperCase()}`)).status).toBe(200)
  })
})
