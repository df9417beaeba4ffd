import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from '../notification-channels/workbench.ts'
import { BOT_TOKEN } from '../support/slack.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 0 })
})
afterAll(() => bench.close())

const bot = { bot_token: BOT_TOKEN, slack_channel: 'C0RELEASES' }
const webhook = { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' }

const create = (config: object) => bench.admin.post(bench.path, { name: 'Release room', channel_type: 'slack', config })

const update = async (before: object, config: object) => {
  const { body } = await create(before)
  return bench.admin.put(`${bench.path}/${body.id}`, { config })
}

test.each([
  [bot, { bot_token: '********', slack_channel: 'C0RELEASES', api_url: 'https://slack.com/api' }],
  [
    { ...bot, slack_channel: 'G0SECRET' },
    { bot_token: '********', slack_channel: 'G0SECRET', api_url: 'https://slack.com/api' },
  ],
  [
    { ...bot, api_url: 'https://slack.com/api/' },
    { bot_token: '********', slack_channel: 'C0RELEASES', api_url: 'https://slack.com/api/' },
  ],
  [
    { ...bot, webhook_url: null },
    { bot_token: '********', slack_channel: 'C0RELEASES', api_url: 'https://slack.com/api' },
  ],
  [
    { ...bot, api_url: 'http://127.0.0.1:9/api' },
    { bot_token: '********', slack_channel: 'C0RELEASES', api_url: 'http://127.0.0.1:9/api' },
  ],
  [webhook, { webhook_url: '********' }],
])('%j is shown as %j', async (config, shown) => {
  const { status, body } = await create(config)
  expect([status, body.config]).toEqual([201, shown])
})

test('the bot token is stored encrypted', async () => {
  const { body } = await create(bot)
  const [row] = await bench.box.sql`
    select config::text || encode(secrets, 'escape') as stored from notification_channels where id = ${body.id}
  `
  expect(row?.stored).not.toContain('xoxb-')
})

test.each([
  [{}, '/config/webhook_url', 'required'],
  [{ ...webhook, ...bot }, '/config/webhook_url', 'not_allowed'],
  [{ ...webhook, bot_token: BOT_TOKEN }, '/config/slack_channel', 'required'],
  [{ ...webhook, slack_channel: 'C0' }, '/config/webhook_url', 'not_allowed'],
  [{ bot_token: BOT_TOKEN }, '/config/slack_channel', 'required'],
  [{ slack_channel: 'C0RELEASES' }, '/config/bot_token', 'required'],
  [{ ...bot, bot_token: 'xoxp-1-2' }, '/config/bot_token', 'malformed'],
  [{ ...bot, bot_token: 'xoxb-1\r\nX: y' }, '/config/bot_token', 'malformed'],
  [{ ...bot, bot_token: '********' }, '/config/bot_token', 'nothing_to_keep'],
  [{ ...bot, bot_token: 7 }, '/config/bot_token', 'wrong_type'],
  [{ ...bot, slack_channel: '#releases' }, '/config/slack_channel', 'malformed'],
  [{ ...bot, slack_channel: 'U0ADA' }, '/config/slack_channel', 'malformed'],
  [{ ...bot, slack_channel: 'c0releases' }, '/config/slack_channel', 'malformed'],
  [{ ...bot, api_url: 'ftp://slack.com/api' }, '/config/api_url', 'malformed'],
  [{ ...bot, api_url: 'http://example.com/api' }, '/config/api_url', 'not_https'],
  [{ ...bot, api_url: 'https://slack.com/api?x=1' }, '/config/api_url', 'malformed'],
  [{ ...bot, api_url: 'https://ada@slack.com/api' }, '/config/api_url', 'credentials_in_url'],
  [{ ...bot, api_url: 'http://169.254.169.254/api' }, '/config/api_url', 'blocked_address'],
  [{ ...webhook, api_url: 'https://slack.com/api' }, '/config/api_url', 'not_allowed'],
])('%j is refused at %s: %s', async (config, pointer, code) => {
  const { status, body } = await create(config)
  expect([status, body.code]).toEqual([422, 'validation_failed'])
  expect(body.errors).toContainEqual(expect.objectContaining({ pointer, code }))
})

describe('the bot token must be sent again', () => {
  test.each([
    ['another host', bot, { api_url: 'https://slack.evil.example/api' }],
    ['another path of the host', { ...bot, api_url: 'https://example.com/a' }, { api_url: 'https://example.com/b' }],
    ['the default instead of another', { ...bot, api_url: 'https://example.com/a' }, { api_url: null }],
    ['with a mask', bot, { api_url: 'https://slack.evil.example/api', bot_token: '********' }],
  ])('for %s', async (_, before, config) => {
    const { status, body } = await update(before, config)
    expect([status, body.code]).toEqual([422, 'secrets_must_be_resent'])
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(['/config/bot_token'])
  })

  test.each([
    ['another Slack channel', bot, { slack_channel: 'C0OTHER' }],
    ['the default, spelled out', bot, { api_url: 'https://slack.com/api' }],
    ['another host, with the token', bot, { api_url: 'https://example.com/api', bot_token: BOT_TOKEN }],
    ['a webhook instead', bot, { bot_token: null, slack_channel: null, ...webhook }],
    ['a bot instead of a webhook', webhook, { webhook_url: null, ...bot }],
  ])('but not for %s', async (_, before, config) => {
    expect((await update(before, config)).status).toBe(200)
  })
})

test('the audit log names a changed token and does not show it', async () => {
  await update(bot, { bot_token: 'xoxb-another-token' })
  const { body } = await bench.admin.get(`/api/v1/organizations/${bench.site.organization.id}/audit-logs`)
  const text = JSON.stringify(body)
  expect(text).toContain('config.bot_token')
  expect(text).not.toContain('another-token')
})
