import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Workbench } from '../notification-channels/workbench.ts'
import { PageClient } from '../support/page-client.ts'
import { buttonsOf, rowsOf, stateOf } from '../support/page-parts.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'

type Body = Answer['body']

const EVIL = '<img src=x onerror=alert(1)>'

let bench: Workbench
let visitor: PageClient
let reader: PageClient
let receiver: Receiver

beforeAll(async () => {
  bench = await Workbench.open()
  receiver = bench.receiver()
  const member = await bench.box.user('Member')
  await bench.box.join(member, bench.site, 'member', 'member')
  visitor = await PageClient.signedIn(bench.box, bench.admin)
  reader = await PageClient.signedIn(bench.box, member)
})
afterAll(() => bench.close())

const pageOf = ({ id }: Body) => `/app/notification-channels/${id}`
const channelNow = async ({ id }: Body): Promise<Body> => (await bench.admin.get(`${bench.path}/${id}`)).body

test('the page shows the subscriptions and the settings, without secrets, and says what to do next', async () => {
  const config = { url: `${receiver.url}/path`, secret: 'whsec_c2VjcmV0LXNlY3JldA==', headers: { 'X-Api-Key': 'k-123456' } }
  const channel = await bench.channel('webhook', config)
  const empty = await visitor.open(pageOf(channel))
  expect([empty.status, stateOf(empty)]).toEqual([200, 'enabled'])
  for (const text of ['This channel subscribes to no events', 'Nothing was sent yet. Send a test', `${receiver.url}/path`])
    expect(empty.text).toContain(text)
  for (const secret of [config.secret, 'k-123456']) expect(empty.html).not.toContain(secret)
  expect(empty.text).toContain('********')
  const project = await bench.project('Billing')
  await bench.subscribe(channel, 'gate.*', project)
  await bench.subscribe(channel, 'member.added')
  const page = await visitor.open(pageOf(channel))
  expect(rowsOf(page, 'Subscriptions').map(([what, , beside]) => [what, beside])).toEqual([
    ['member.added', 'all projects'],
    ['gate.*', 'Billing'],
  ])
  expect(page.document.querySelector(`a[href="/app/projects/${project.id}"]`)).not.toBeNull()
})

test('a test shows its outcome in the log', async () => {
  receiver.answer = () => new Response('no', { status: 404 })
  const channel = await bench.channel('webhook', { url: receiver.url })
  const done = await visitor.press(await visitor.open(pageOf(channel)), 'Send a test')
  expect([done.path, done.text.includes('A test was sent.')]).toEqual([pageOf(channel), true])
  const entry = await bench.settled(channel)
  const page = await visitor.open(pageOf(channel))
  expect(rowsOf(page, 'Log')).toEqual([
    ['test.ping', 'failed', `1 attempt · answer 404 · ${entry.duration_ms} ms`, entry.error.detail, 'just now'],
  ])
})

test('a channel that the service disabled says why, and is enabled', async () => {
  receiver.answer = () => new Response('', { status: 410 })
  const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url })
  await bench.openGate(project)
  await bench.settled(channel)
  await bench.box.until('the channel is disabled', async () => !(await channelNow(channel)).enabled)
  const page = await visitor.open(pageOf(channel))
  const { disabled_reason } = await channelNow(channel)
  expect([stateOf(page), page.document.querySelector('.notice.bad')?.textContent?.includes(disabled_reason)]).toEqual([
    'disabled',
    true,
  ])
  expect(page.document.querySelector('ul.list li')?.textContent).toContain('gate.pending')
  expect(buttonsOf(page)).toEqual(['Send a test', 'Enable'])
  const enabled = await visitor.press(page, 'Enable')
  expect([stateOf(enabled), (await channelNow(channel)).enabled]).toEqual(['enabled', true])
})

test('the log has pages, newest first', async () => {
  receiver.answer = () => new Response('ok')
  const channel = await bench.channel('webhook', { url: receiver.url })
  for (let count = 0; count < 27; count++) await bench.admin.make(`${bench.path}/${channel.id}/test`)
  await bench.logged(channel, (entries) => entries.every(({ status }) => status === 'succeeded'))
  const first = await visitor.open(pageOf(channel))
  expect(rowsOf(first, 'Log')).toHaveLength(25)
  const older = await visitor.open(first.document.querySelector('a[rel=next]')?.getAttribute('href') ?? '')
  expect([rowsOf(older, 'Log').length, older.document.querySelector('a[rel=next]')]).toEqual([2, null])
  const [newest] = [...older.document.querySelectorAll('.pager a')].map((each) => each.getAttribute('href') ?? '')
  expect(rowsOf(await visitor.open(newest ?? ''), 'Log')).toHaveLength(25)
  expect((await visitor.open(`${pageOf(channel)}?after=nonsense`)).status).toBe(422)
})

test('a member sees no action and runs none; a stranger finds nothing', async () => {
  const channel = await bench.channel('webhook', { url: receiver.url }, { enabled: false })
  const page = await reader.open(pageOf(channel))
  expect([page.status, buttonsOf(page), page.text.includes('A user disabled this channel.')]).toEqual([200, [], true])
  const stranger = await PageClient.signedIn(bench.box, await bench.box.user('Stranger'))
  expect((await stranger.open(pageOf(channel))).status).toBe(404)
  for (const name of ['test', 'enable']) {
    expect((await reader.post(`${pageOf(channel)}/${name}`)).status).toBe(403)
    expect((await stranger.post(`${pageOf(channel)}/${name}`)).status).toBe(404)
  }
  expect([(await channelNow(channel)).enabled, await bench.log(channel)]).toEqual([false, []])
})

test('markup in names, settings and projects is text', async () => {
  const name = `${EVIL} & "co"`
  const channel = await bench.channel('webhook', { url: `${receiver.url}/?q=<b>` }, { name })
  await bench.subscribe(channel, 'gate.*', await bench.project(EVIL))
  const page = await visitor.open(pageOf(channel))
  expect([page.document.querySelector('h1')?.textContent, page.document.querySelector('main img, main b')]).toEqual([name, null])
  expect(rowsOf(page, 'Subscriptions')[0]?.[2]).toBe(EVIL)
})
