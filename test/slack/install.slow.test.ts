import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor } from '../support/signalbox.ts'
import { SlackServer } from '../support/slack.ts'
import { InstallProcess, type Output } from './install-processes.ts'
import { SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench
let slack: SlackServer

beforeAll(async () => {
  bench = await SlackWorkbench.open()
  slack = bench.with(new SlackServer())
})
afterAll(async () => {
  await Promise.all([...processes.values()].map((process) => process.end()))
  await bench.close()
})

const webhook = { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }

const configured = () => ({ SLACK_CLIENT_ID: 'client', SLACK_CLIENT_SECRET: 'client-secret', SLACK_API_URL: slack.url })

const processes = new Map<string, InstallProcess>()

function run(actor: Actor, input: object, settings: Record<string, string> = configured()): Promise<Output> {
  const key = JSON.stringify(settings)
  const process = processes.get(key) ?? new InstallProcess({ ...bench.box.environment, ...settings })
  processes.set(key, process)
  return process.run({
    by: {
      type: 'human',
      id: actor.id,
      name: actor.name,
      email: actor.email,
      ip_address: '192.0.2.1',
      device: 'Test',
      request_id: null,
      traceparent: null,
      session_id: null,
      token_id: null,
      bound_to: null,
      has_second_factor: false,
      has_password: true,
      unproven: null,
      opened_by: null,
    },
    ...input,
  })
}

async function stateFor(actor: Actor, channel: { id: string }): Promise<string> {
  const { result } = await run(actor, { channel_id: channel.id })
  return new URL(result).searchParams.get('state') ?? ''
}

const codeFrom = (): string => {
  const code = crypto.randomUUID()
  slack.codes.add(code)
  return code
}

const config = async (channel: { id: string }) => (await bench.admin.get(`${bench.path}/${channel.id}`)).body.config

test('the link leads to Slack with the scopes, and making it stores nothing', async () => {
  const channel = await bench.channel('slack', webhook)
  const { result } = await run(bench.admin, { channel_id: channel.id })
  const url = new URL(result)
  expect(url.origin + url.pathname).toBe(`${new URL(slack.url).origin}/oauth/v2/authorize`)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'client',
    scope: 'chat:write,chat:write.public',
    redirect_uri: expect.stringMatching(/\/slack\/oauth$/),
  })
  expect((await bench.box.sql`select from slack_used_states`).length).toBe(0)
})

test('there is no link where the operator has configured no Slack app', async () => {
  const channel = await bench.channel('slack', webhook)
  expect(await run(bench.admin, { channel_id: channel.id }, {})).toEqual({ result: null })
})

test('the bot token is stored, once the code is exchanged, and used as soon as the Slack channel is set', async () => {
  const { channel, project } = await bench.subscribedChannel('slack', webhook)
  const state = await stateFor(bench.admin, channel)
  expect((await run(bench.admin, { code: codeFrom(), state })).code).toBeUndefined()
  expect(await config(channel)).toEqual({ webhook_url: '********', bot_token: '********', api_url: slack.url })
  const change = { config: { webhook_url: null, slack_channel: 'C0RELEASES' } }
  expect((await bench.admin.put(`${bench.path}/${channel.id}`, change)).status).toBe(200)
  await bench.openGate(project)
  await bench.settled(channel)
  expect(slack.roots.length).toBe(1)
  const { body } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/audit-logs`)
  expect(JSON.stringify(body)).toContain('config.bot_token')
})

test('a state works once, for the person and the channel that it was made for', async () => {
  const channel = await bench.channel('slack', webhook)
  const other = await bench.box.user('Grace')
  await bench.box.join(other, bench.site, 'admin')
  const state = await stateFor(bench.admin, channel)
  expect((await run(other, { code: codeFrom(), state })).code).toBe('slack_not_added')
  const outcomes = await Promise.all([1, 2].map(() => run(bench.admin, { code: codeFrom(), state })))
  expect(outcomes.map(({ code = 'added' }) => code).sort()).toEqual(['added', 'slack_not_added'])
  const forged = state.replace(channel.id, (await bench.channel('slack', webhook)).id)
  expect((await run(bench.admin, { code: codeFrom(), state: forged })).code).toBe('slack_not_added')
})

test.each(['', 'nonsense', 'a.b.c.d.e', '....'])('the state %j is refused', async (state) => {
  expect((await run(bench.admin, { code: codeFrom(), state })).code).toBe('slack_not_added')
})

test('a state expires after ten minutes', async () => {
  const state = await stateFor(bench.admin, await bench.channel('slack', webhook))
  const seconds = Number(state.split('.')[2]) - Date.now() / 1000
  expect(seconds).toBeGreaterThan(500)
  expect(seconds).toBeLessThanOrEqual(601)
})

test('a person who lost the role, or sees no such channel, adds nothing', async () => {
  const [lost, outsider] = [await bench.box.user('Lost'), await bench.box.user('Outsider')]
  await bench.box.join(lost, bench.site, 'member', 'member')
  const channel = await bench.channel('slack', webhook)
  expect((await run(lost, { code: codeFrom(), state: await stateFor(lost, channel) })).code).toBe('forbidden')
  expect((await run(outsider, { code: codeFrom(), state: await stateFor(outsider, channel) })).code).toBe('not_found')
  expect(await config(channel)).toEqual({ webhook_url: '********' })
})

test.each([
  ['refuses the code', () => null],
  ['sends a token with an error', () => Response.json({ ok: true, access_token: 'xoxb-1' }, { status: 500 })],
  ['sends a token with another success', () => Response.json({ ok: true, access_token: 'xoxb-1' }, { status: 206 })],
  ['is down', () => new Response('', { status: 503 })],
  ['answers nonsense', () => new Response('<html>')],
  ['answers null', () => new Response('null')],
  ['sends a user token', () => Response.json({ ok: true, access_token: 'xoxp-1' })],
  ['redirects', () => new Response('', { status: 302, headers: { Location: slack.url } })],
])('nothing is stored if Slack %s', async (_, fault) => {
  const channel = await bench.channel('slack', webhook)
  const state = await stateFor(bench.admin, channel)
  slack.fault = fault
  const outcome = await run(bench.admin, { code: 'unknown', state })
  slack.fault = () => null
  expect(outcome.code).toBe('slack_not_added')
  expect(await config(channel)).toEqual({ webhook_url: '********' })
})

test('a new token replaces one that no key decrypts; another secret next to it must be sent again', async () => {
  const bot = await bench.channel('slack', { bot_token: 'xoxb-1-2-abcdefgh', slack_channel: 'C0RELEASES' })
  const hooked = await bench.channel('slack', webhook)
  // As if SECRETS_KEY had been lost.
  await bench.box.sql`
    update notification_channels
    set secrets = set_byte(secrets, length(secrets) - 1, 255 - get_byte(secrets, length(secrets) - 1))
    where id in (${bot.id}, ${hooked.id})
  `
  expect((await run(bench.admin, { code: codeFrom(), state: await stateFor(bench.admin, bot) })).code).toBeUndefined()
  const name = await bench.admin.put(`${bench.path}/${bot.id}`, { config: { slack_channel: 'G0SECRET' } })
  expect([name.status, name.body.config.bot_token]).toEqual([200, '********'])
  const refused = await run(bench.admin, { code: codeFrom(), state: await stateFor(bench.admin, hooked) })
  expect(refused.code).toBe('secrets_must_be_resent')
})

test('a channel of another type gets no token', async () => {
  const channel = await bench.channel('webhook', { url: 'https://example.com/' })
  const state = await stateFor(bench.admin, channel)
  expect((await run(bench.admin, { code: codeFrom(), state })).code).toBe('slack_not_added')
})
