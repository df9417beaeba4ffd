import { expect, test } from 'bun:test'
import { CHANNEL_TYPES, type ChannelType } from '../../core/notification-channels/types.ts'
import { whereIs } from '../support/secrecy.ts'
import type { Answer } from '../support/signalbox.ts'
import { CONFIGS } from './configs.ts'
import { mailServer } from './mail-server.ts'
import { slack } from './stand-ins.ts'
import { Workbench } from './workbench.ts'

test('secrets of channels are not stored in clear text, and appear in no job, event, audit entry, response or log line', async () => {
  const bench = await Workbench.open({ environment: { LOG_LEVEL: 'trace' } })
  try {
    const secrets: Record<string, string> = {}
    const slackRoom = bench.receiver(slack())
    const echo = bench.receiver()
    // It echoes everything that it was sent.
    echo.answer = ({ headers, body }) =>
      new Response(`${JSON.stringify(headers)}${body}${Object.values(secrets).join(' ')}`, { status: 500 })
    const server = bench.with(await mailServer({ onAuth: ({ password }, _, done) => done(new Error(`${password} is wrong`)) }))
    const plain = 'Findable-name-of-the-channel'
    const configs = CHANNEL_TYPES.flatMap((type) => {
      const urls: Partial<Record<ChannelType, string>> = { slack: slackRoom.url, email: `smtp://127.0.0.1:${server.port}` }
      const secretOf = (field: string) => {
        const name = `${type}-${field}`.replaceAll('_', '-')
        secrets[name] ??= `${name}-9d1e77`
        return secrets[name]
      }
      return CONFIGS[type](urls[type] ?? echo.url, secretOf).map((config): [string, object] => [type, config])
    })
    const project = await bench.project()
    const responses: Answer[] = []
    for (const [channel_type, config] of configs) {
      const created = await bench.admin.post(
        bench.path,
        { name: plain, channel_type, config },
        { 'Idempotency-Key': crypto.randomUUID() },
      )
      responses.push(created)
      await bench.subscribe(created.body, '*', project)
      // Error responses show no secret either.
      responses.push(await bench.admin.post(bench.path, { name: plain, channel_type, config: { ...config, nonsense: 1 } }))
      responses.push(await bench.admin.put(`${bench.path}/${created.body.id}`, { name: plain, config }))
      responses.push(
        await bench.admin.put(`${bench.path}/${created.body.id}`, { config: { smtp_host: '10.0.0.1', url: 'http://10.0.0.1/' } }),
      )
    }
    await bench.openGate(project)
    const channels = (await bench.admin.get(bench.path)).body
    for (const channel of channels) {
      const entries = await bench.logged(
        channel,
        (found) => found.length === 2 && found.every(({ status }) => status !== 'pending'),
      )
      responses.push({ status: 200, headers: new Headers(), body: entries })
      responses.push(await bench.admin.post(`${bench.path}/${channel.id}/test`, {}, { Prefer: 'wait=20' }))
      responses.push(await bench.admin.get(`${bench.path}/${channel.id}`))
    }
    // The secrets do arrive at the receiver.
    expect(slackRoom.requests[0]?.path).toEndWith(secrets['slack-webhook-url'] ?? '')
    expect(echo.requests.some(({ headers }) => headers['x-api-key'] === secrets['webhook-headers'])).toBeTrue()
    // The same search finds values that are not secret.
    expect(await whereIs(bench.box, plain)).toContain('public.notification_channels')
    expect(await whereIs(bench.box, channels[0].id)).toContain('output')
    for (const [name, secret] of Object.entries(secrets)) {
      for (const form of [secret, Buffer.from(secret).toString('base64')]) {
        expect([name, await whereIs(bench.box, form)]).toEqual([name, []])
        expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain(form)
      }
      for (const { body } of [...slackRoom.requests, ...echo.requests]) expect(body).not.toContain(secret)
    }
  } finally {
    await bench.close()
  }
})

test('secrets in the Location of a redirect are masked in the log', async () => {
  const bench = await Workbench.open()
  try {
    const receiver = bench.receiver()
    const value = 'v4lue/of-a+header'
    receiver.answer = ({ headers }) =>
      new Response('', {
        status: 302,
        headers: { Location: `/${'x'.repeat(185)}/${encodeURIComponent(headers['x-api-key'] ?? '')}?${btoa(value)}` },
      })
    const channel = await bench.channel('webhook', { url: receiver.url, secret: 's3cret', headers: { 'X-Api-Key': value } })
    const { error } = await bench.tested(channel)
    expect(error.code).toBe('redirect')
    expect(error.detail).toContain('********')
    for (const part of ['v4lue', 'of-a', btoa(value).slice(0, 8)]) expect(error.detail).not.toContain(part)
  } finally {
    await bench.close()
  }
})
