import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type MailCatcher, startMailCatcher } from '../../bin/support/mail-catcher.ts'
import { freePort } from '../../bin/support/ports.ts'
import { CHANNEL_TYPES } from '../../core/notification-channels/types.ts'
import type { Answer } from '../support/signalbox.ts'
import { CONFIGS } from './configs.ts'
import { slack } from './stand-ins.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let mail: MailCatcher

beforeAll(async () => {
  mail = await startMailCatcher({ smtpPort: await freePort('127.0.0.1'), webPort: await freePort('127.0.0.1') })
  bench = await Workbench.open({
    environment: {
      SMTP_URL: mail.smtpUrl,
      CHANNEL_RETRY_SECONDS: Array(30).fill('0.01').join(','),
      CHANNEL_DISABLE_SECONDS: '0',
    },
  })
})

afterAll(async () => {
  await bench.close()
  await mail.stop()
})

const fetchChannel = async ({ id }: Answer['body']) => (await bench.admin.get(`${bench.path}/${id}`)).body

describe('a channel that fails', () => {
  test('is disabled after its twentieth failure, its waiting messages are cancelled, and its admins get mail', async () => {
    const [member, lead] = await Promise.all([bench.box.user('Member'), bench.box.user('Lead')])
    await bench.box.join(member, bench.site, 'member', 'member')
    await bench.box.join(lead, bench.site, 'member', 'admin')
    const receiver = bench.receiver()
    receiver.answer = () => new Response('', { status: 500 })
    const listener = bench.receiver()
    const watcher = await bench.channel('webhook', { url: listener.url })
    await bench.subscribe(watcher, 'channel.disabled')
    const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url, secret: 'a-secret' })
    await bench.openGate(project)
    const entry = await bench.settled(channel)
    expect(entry).toMatchObject({ status: 'cancelled', attempt_count: 20, error: { code: 'channel_disabled' } })
    const after = await fetchChannel(channel)
    expect(after).toMatchObject({
      enabled: false,
      disabled_reason: expect.stringContaining('All of the last 20 attempts failed'),
    })
    const [request] = await listener.waitFor(1)
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event: 'channel.disabled',
      workspace: { id: bench.site.workspace.id },
      project: null,
      data: { channel: after, reason: after.disabled_reason },
    })
    // The admins get mail about the pending gates as well.
    const mails = () => mail.messages.filter(({ subject }) => subject === 'Notification channel "Release room" was disabled')
    await bench.box.until('both admins have mail', async () => mails().length >= 2)
    const readers = mails().flatMap(({ to }) => to)
    expect(readers.sort()).toEqual([bench.admin.email, lead.email].sort())
    for (const { text } of mails()) {
      expect(text).toContain(`/app/notification-channels/${channel.id}`)
      expect(text).not.toContain('/api/')
    }
    const [audit] = await bench.box.sql`select * from audit_log_entries where action = 'channel.disabled'`
    expect(audit).toMatchObject({ actor_type: 'system', resource_id: channel.id })

    // When it is enabled again, the count starts at zero.
    expect((await bench.admin.put(`${bench.path}/${channel.id}`, { enabled: true })).body.disabled_reason).toBeNull()
    receiver.answer = (_, number) => new Response('', { status: number % 20 === 0 ? 200 : 500 })
    await bench.openGate(project)
    await bench.logged(channel, ([first]) => first.status === 'succeeded')
    expect((await fetchChannel(channel)).enabled).toBeTrue()
  })

  test('is disabled at once by a 410, for every type', async () => {
    for (const type of CHANNEL_TYPES.filter((each) => each !== 'email')) {
      const receiver = bench.receiver()
      receiver.answer = () => new Response('', { status: 410 })
      const [config = {}] = CONFIGS[type](receiver.url, (field) => field)
      const { channel, project } = await bench.subscribedChannel(type, config)
      await bench.openGate(project)
      expect(await bench.settled(channel)).toMatchObject({ status: 'failed', attempt_count: 1, error: { code: 'gone' } })
      expect(await fetchChannel(channel)).toMatchObject({ enabled: false, disabled_reason: expect.stringContaining('410') })
    }
  })
})

test('errors caused by our own message do not count against a channel', async () => {
  const receiver = bench.receiver(slack())
  receiver.answer = () => new Response('invalid_blocks', { status: 400 })
  const { channel, project } = await bench.subscribedChannel('slack', { webhook_url: receiver.url })
  const execution = await bench.box.running(bench.admin, project.id)
  for (let number = 0; number < 25; number++) await bench.admin.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Gate' })
  await bench.logged(channel, (found) => found.length === 25 && found.every(({ status }) => status === 'failed'))
  expect((await fetchChannel(channel)).enabled).toBeTrue()
  expect(await bench.health(channel)).toMatchObject({ failures: 0 })
})
