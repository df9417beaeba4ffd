/** Making, changing and deleting notification channels in the pages, and choosing their events. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '../../core/notification-channels/types.ts'
import { PageClient, type Visit } from '../support/page-client.ts'
import { errorIn } from '../support/page-parts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let site: Site
let visitor: PageClient

beforeAll(async () => {
  box = await signalbox()
  owner = await box.user('Owner')
  site = await box.site(owner)
  visitor = await PageClient.signedIn(box, owner)
})
afterAll(() => box.close())

const newPath = (type: string) => `/app/workspaces/${site.workspace.id}/channels/new?type=${type}`
const idIn = ({ path }: Visit) => path.split('/')[3] ?? ''
const channel = async (id: string) =>
  (await owner.get(`/api/v1/workspaces/${site.workspace.id}/notification-channels/${id}`)).body
const subscriptions = async (id: string) =>
  (await owner.get(`/api/v1/notification-channels/${id}/subscriptions`)).body
    .map((each: { event_pattern: string; filter_project_id: string | null }) => [each.event_pattern, each.filter_project_id])
    .toSorted()

const FORMS: [type: string, fields: Record<string, string>, config: object][] = [
  ['slack', { 'config/webhook_url': 'https://hooks.slack.com/services/T0/B0/X' }, { webhook_url: '********' }],
  [
    'teams',
    { 'config/webhook_url': 'https://prod-00.westeurope.logic.azure.com/workflows/1?sig=X' },
    { webhook_url: '********' },
  ],
  [
    'feishu',
    { 'config/webhook_url': 'https://open.feishu.cn/open-apis/bot/v2/hook/0', 'config/secret': 's' },
    { secret: '********' },
  ],
  [
    'webhook',
    { 'config/url': 'https://example.com/in', 'config/headers': 'X-Api-Key: k: 1\n\nAccept:a' },
    { url: 'https://example.com/in', headers: { 'X-Api-Key': '********', Accept: '********' } },
  ],
  [
    'email',
    {
      'config/smtp_host': 'mail.example.com',
      'config/from_address': 'a@example.com',
      'config/to_addresses': 'b@example.com\r\nc@example.com',
    },
    { smtp_host: 'mail.example.com', smtp_port: 587, to_addresses: ['b@example.com', 'c@example.com'] },
  ],
]

test('every type of channel has a form here', () => {
  expect(CHANNEL_TYPES.filter((type) => !FORMS.some(([formed]) => formed === type))).toEqual([])
})

test.each(FORMS)('a channel of type %s is made with its form, and then asks for its events', async (type, fields, config) => {
  const page = await visitor.open(newPath(type))
  const made = await visitor.press(page, 'Create the channel', { name: `Room ${type}`, ...fields })
  expect(made.path).toEndWith('/subscriptions')
  expect(await channel(idIn(made))).toMatchObject({ name: `Room ${type}`, channel_type: type, enabled: true, config })
})

describe('A refused form', () => {
  test('names what is wrong at its field, and does not show a secret again', async () => {
    const refused = await visitor.press(await visitor.open(newPath('slack')), 'Create', {
      name: 'Room',
      'config/bot_token': 'xoxb-typed-secret',
    })
    expect([refused.status, errorIn(refused, 'config/slack_channel')]).toEqual([422, 'Slack channel is required.'])
    expect(refused.html).not.toContain('typed-secret')
    expect(refused.document.querySelector('h1')?.textContent).toBe('New channel: Slack')
  })

  test('names the line of a header and the number of a recipient', async () => {
    const page = await visitor.open(newPath('webhook'))
    const fields = { name: 'Room', 'config/url': 'https://example.com/' }
    const lines = await visitor.press(page, 'Create', { ...fields, 'config/headers': 'X-One: 1\nnonsense' })
    expect(errorIn(lines, 'config/headers')).toContain('line 2')
    const header = await visitor.press(page, 'Create', { ...fields, 'config/headers': 'Host: elsewhere' })
    expect(errorIn(header, 'config/headers')).toContain('(Host)')
    const mail = await visitor.press(await visitor.open(newPath('email')), 'Create', {
      name: 'Room',
      'config/smtp_host': 'mail.example.com',
      'config/smtp_port': 'many',
      'config/from_address': 'a@example.com',
      'config/to_addresses': 'b@example.com\nnobody',
    })
    expect(errorIn(mail, 'config/smtp_port')).toBe('Port must be a number.')
    const recipients = await visitor.press(mail, 'Create', { 'config/smtp_port': '' })
    expect(errorIn(recipients, 'config/to_addresses')).toContain('(number 2)')
  })
})

test('an empty secret is kept, one that is checked is removed, and another server needs it again', async () => {
  const { id } = await owner.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Signed',
    channel_type: 'webhook',
    config: { url: 'https://example.com/in', secret: 'stored', headers: { 'X-Api-Key': 'k' } },
  })
  const path = `/app/notification-channels/${id}/edit`
  const page = await visitor.open(path)
  expect(page.html).not.toContain('stored"')
  const kept = await visitor.press(page, 'Save', { name: 'Renamed' })
  expect(kept.path).toBe(`/app/notification-channels/${id}`)
  expect(await channel(id)).toMatchObject({
    name: 'Renamed',
    config: { secret: '********', headers: { 'X-Api-Key': '********' } },
  })
  const moved = await visitor.press(await visitor.open(path), 'Save', { 'config/url': 'https://example.org/in' })
  expect([moved.status, errorIn(moved, 'config/secret')]).toEqual([422, 'Secret is required.'])
  await visitor.press(await visitor.open(path), 'Save', { removed: ['secret'], 'config/headers': '' })
  expect((await channel(id)).config).toEqual({ url: 'https://example.com/in' })
})

describe('The events of a channel', () => {
  let id: string
  let path: string
  beforeAll(async () => {
    const made = await owner.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
      name: 'Room',
      channel_type: 'webhook',
      config: { url: 'https://example.com/in' },
    })
    id = made.id
    path = `/app/notification-channels/${id}/subscriptions`
  })

  test('are chosen for all projects and for one, each by itself, and recorded once', async () => {
    const page = await visitor.open(path)
    await visitor.press(page, 'Save', { event_patterns: ['', 'gate.*', 'budget.alert'] })
    const ofProject = await visitor.open(`${path}?project_id=${site.project.id}`)
    await visitor.press(ofProject, 'Save', { event_patterns: ['', 'execution.failed'] })
    expect(await subscriptions(id)).toEqual([
      ['budget.alert', null],
      ['execution.failed', site.project.id],
      ['gate.*', null],
    ])
    const [before] = await box.sql<
      [{ id: string }]
    >`select id from subscriptions where event_pattern = 'gate.*' and channel_id = ${id}`
    await visitor.press(await visitor.open(path), 'Save', { event_patterns: ['', 'gate.*'] })
    expect(await subscriptions(id)).toEqual([
      ['execution.failed', site.project.id],
      ['gate.*', null],
    ])
    const [after] = await box.sql<
      [{ id: string }]
    >`select id from subscriptions where event_pattern = 'gate.*' and channel_id = ${id}`
    expect(after).toEqual(before)
    const log = await owner.get(`/api/v1/organizations/${site.organization.id}/audit-logs?action=notification_channel.updated`)
    const entries = log.body.items.filter((each: { resource_id: string }) => each.resource_id === id)
    expect(entries.map((each: { detail: string }) => each.detail.includes('Room'))).toEqual([true, true, true])
  })

  test('are refused if they do not exist, or if the project is another workspace’s', async () => {
    const page = await visitor.open(path)
    expect((await visitor.press(page, 'Save', { event_patterns: ['', 'gate.nothing'] })).status).toBe(422)
    const other = await box.site(owner)
    expect((await visitor.press(page, 'Save', { project_id: other.project.id, event_patterns: ['', '*'] })).status).toBe(422)
  })
})

test('a channel is deleted from its form, by admins alone', async () => {
  const { id, name } = await owner.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Unneeded',
    channel_type: 'webhook',
    config: { url: 'https://example.com/in' },
  })
  const member = await box.user('Member')
  await box.join(member, site, 'member', 'member')
  const plain = await PageClient.signedIn(box, member)
  const path = `/app/notification-channels/${id}`
  expect((await plain.open(path)).text).not.toContain('Choose events')
  expect((await plain.open(`${path}/edit`)).status).toBe(403)
  expect((await plain.post(`${path}/edit/delete`)).status).toBe(403)
  const done = await visitor.press(await visitor.open(`${path}/edit`), 'Delete the channel')
  expect(done.text).toContain(`The channel ${name} was deleted.`)
})
