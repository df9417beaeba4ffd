import { expect, test } from 'bun:test'
import { whereIs } from '../support/secrecy.ts'
import type { Answer } from '../support/signalbox.ts'
import { mailServer } from './mail-server.ts'
import { slack } from './stand-ins.ts'
import { Workbench } from './workbench.ts'

test('secrets of channels are in no table in clear, in no job, event or audit entry, in no answer and in no log line', async () => {
  const bench = await Workbench.open({ environment: { LOG_LEVEL: 'trace' } })
  try {
    const secrets = {
      path: 'slack-path-9d1e77',
      teams: 'sig-of-teams-55aa01',
      secret: 's3cret-of-the-webhook-7f1b',
      header: 'v4lue-of-a-header-93ac',
      password: 'mail-pass-w0rd-2c8e',
      feishu: 'feishu-sign-key-40bd',
    }
    const room = bench.receiver(slack())
    const odd = bench.receiver()
    // It gives back all that it was sent.
    odd.answer = ({ headers, body }) =>
      new Response(`${JSON.stringify(headers)}${body}${Object.values(secrets).join(' ')}`, { status: 500 })
    const server = bench.with(await mailServer({ onAuth: ({ password }, _, done) => done(new Error(`${password} is wrong`)) }))
    const plain = 'Findable-name-of-the-channel'
    const configs: [string, object][] = [
      ['slack', { webhook_url: `${room.url}/services/${secrets.path}` }],
      ['teams', { webhook_url: `${odd.url}/invoke?sig=${secrets.teams}` }],
      ['feishu', { webhook_url: `${odd.url}/hook`, secret: secrets.feishu }],
      ['webhook', { url: odd.url, secret: secrets.secret, headers: { 'X-Api-Key': secrets.header } }],
      [
        'email',
        {
          smtp_host: '127.0.0.1',
          smtp_port: server.port,
          smtp_user: 'u',
          smtp_password: secrets.password,
          from_address: 'a@example.com',
          to_addresses: ['b@example.com'],
        },
      ],
    ]
    const project = await bench.project()
    const told: Answer[] = []
    for (const [channel_type, config] of configs) {
      const created = await bench.admin.post(
        bench.path,
        { name: plain, channel_type, config },
        { 'Idempotency-Key': channel_type },
      )
      told.push(created)
      await bench.subscribe(created.body, '*', project)
      // Refusals show no secret either.
      told.push(await bench.admin.post(bench.path, { name: plain, channel_type, config: { ...config, nonsense: 1 } }))
      told.push(await bench.admin.put(`${bench.path}/${created.body.id}`, { name: plain, config }))
      told.push(
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
      told.push({ status: 200, headers: new Headers(), body: entries })
      told.push(await bench.admin.post(`${bench.path}/${channel.id}/test`, {}, { Prefer: 'wait=20' }))
      told.push(await bench.admin.get(`${bench.path}/${channel.id}`))
    }
    // They do arrive where they should, so they were not merely lost.
    expect(room.requests[0]?.path).toEndWith(secrets.path)
    expect(odd.requests.some(({ headers }) => headers['x-api-key'] === secrets.header)).toBeTrue()
    // What is no secret is found by the same search.
    expect(await whereIs(bench.box, plain)).toContain('public.notification_channels')
    expect(await whereIs(bench.box, channels[0].id)).toContain('output')
    for (const [name, secret] of Object.entries(secrets)) {
      for (const form of [secret, Buffer.from(secret).toString('base64')]) {
        expect([name, await whereIs(bench.box, form)]).toEqual([name, []])
        expect(JSON.stringify(told.map(({ body }) => body))).not.toContain(form)
      }
      for (const { body } of [...room.requests, ...odd.requests]) expect(body).not.toContain(secret)
    }
  } finally {
    await bench.close()
  }
}, 60_000)

test('a receiver that redirects to what it was sent shows nothing of it in the log', async () => {
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
