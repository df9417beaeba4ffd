import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { migrate } from '../sql/migrate.ts'
import { type MailServer, mailServer } from '../test/notification-channels/mail-server.ts'
import { feishu, slack, teams } from '../test/notification-channels/stand-ins.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { approveAll, settle } from './support.ts'

setDefaultTimeout(150_000)

/** Of each type one; all but the webhook have one message under way at a time. */
const CHANNELS = 5
const IN_FLIGHT = 1 + 1 + 1 + 1 + 4

let postgres: Postgres
let folder: string
let box: Box
let ada: Actor
let site: Site
let mail: MailServer
let approved = 0
const tools: Record<string, Receiver> = { slack: slack(), teams: teams(), feishu: feishu(), webhook: new Receiver() }

/** Takes a while for each answer, so that whatever is done meets messages that are under way. */
function slowly(receiver: Receiver): void {
  const { answer } = receiver
  receiver.answer = async (request, number) => {
    await Bun.sleep(30)
    return answer(request, number)
  }
}

const configOf = (type: string, url: string) => (type === 'webhook' ? { url } : { webhook_url: url })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-fault-'))
  postgres = await startPostgres({ dataDir: folder })
  await migrate(postgres.url)
  mail = await mailServer()
  for (const receiver of Object.values(tools)) slowly(receiver)
  box = await signalbox({ url: postgres.url, workers: 2, environment: { CHANNEL_RETRY_SECONDS: '1,1,1,1,1,1,1,1' } })
  ada = await box.user('Ada Lovelace')
  site = await box.site(ada)
  const wanted: [string, object][] = [
    ...Object.entries(tools).map(([type, { url }]): [string, object] => [type, configOf(type, url)]),
    [
      'email',
      { smtp_host: '127.0.0.1', smtp_port: mail.port, from_address: 'box@example.com', to_addresses: ['team@example.com'] },
    ],
  ]
  for (const [channel_type, config] of wanted) {
    const path = `/api/v1/workspaces/${site.workspace.id}/notification-channels`
    const channel = await ada.make(path, { name: channel_type, channel_type, config })
    await ada.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.approved' })
  }
})

afterAll(async () => {
  await box.close()
  await Promise.all([...Object.values(tools), mail].map((each) => each.stop()))
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Gates with names that can be found again in any form of a message. */
async function namedGates(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = approved; number < approved + count; number++) {
    if (ids.length % 50 === 0) execution = await box.running(ada, site.project.id)
    ids.push((await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: `Gate number ${number} of many` })).id)
  }
  return ids
}
let execution: { id: string }

/** What each channel received, as texts. */
const received = (): Record<string, string[]> => ({
  ...Object.fromEntries(Object.entries(tools).map(([type, { requests }]) => [type, requests.map(({ body }) => body)])),
  email: mail.mails.map(({ text }) => text),
})

/**
 * Approves gates while something bad happens.
 *
 * @param most how many messages may have come again because their outcome was not on record yet
 */
async function underLoad(count: number, most: number, harm: () => Promise<void>): Promise<void> {
  const before = Object.values(received()).flat().length
  const gates = await namedGates(count)
  const approving = approveAll(ada, gates, [])
  await box.until('messages flow', async () => Object.values(received()).flat().length > before + count / 4)
  await harm()
  await approving
  approved += count
  await settle(box, 90_000)
  const waiting = () => box.sql`select from channel_messages where status = 'pending' limit 1`
  await box.until('no message waits', async () => (await waiting()).count === 0, 90_000)

  const messages = await box.sql`select status, count(*) as count from channel_messages group by status`
  expect([...messages]).toEqual([{ status: 'succeeded', count: approved * CHANNELS }])
  const [{ unrecorded }] = await box.sql<[{ unrecorded: number }]>`
    select count(*) as unrecorded
    from channel_messages as message
    where attempt_count <> (select count(*) from channel_attempts where message_id = message.id)
  `
  expect(unrecorded).toBe(0)
  for (const [type, texts] of Object.entries(received())) {
    const told = new Set(texts.map((text) => /Gate number \d+ of many/.exec(text)?.[0]))
    expect([type, told.size]).toEqual([type, approved])
  }
  expect(Object.values(received()).flat().length - before - count * CHANNELS).toBeLessThanOrEqual(most)
}

test('workers that are killed with -9 while messages are under way lose none, and repeat those at most', async () => {
  const KILLS = 5
  await underLoad(120, KILLS * IN_FLIGHT, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const [victim] = box.workers.splice(0, 1)
      victim?.kill('SIGKILL')
      await victim?.exited
      await box.startWorker()
      await Bun.sleep(300 + Math.random() * 700)
    }
  })
})

test('a database that crashes, or is away for a while, loses no message', async () => {
  // What was answered while nothing could be written down is written down afterwards: none of it comes again.
  await underLoad(120, 0, async () => {
    postgres.kill()
    await postgres.exited
    await Bun.sleep(2_000)
    postgres = await startPostgres({ dataDir: folder, port: postgres.port })
  })
})
