import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import type { ChannelType } from '../core/notification-channels/types.ts'
import { migrate } from '../sql/migrate.ts'
import { type MailServer, mailServer } from '../test/notification-channels/mail-server.ts'
import { feishu, slack, teams } from '../test/notification-channels/stand-ins.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Actor, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { approveAll, waitUntilIdle } from './support.ts'

/** One channel of each type; each sends one message at a time, except the webhook, which sends four. */
const CHANNELS = 5
const IN_FLIGHT = 1 + 1 + 1 + 1 + 4

let postgres: Postgres
let folder: string
let box: Box
let ada: Actor
let site: Site
let mail: MailServer
let approved = 0
const tools: Record<Exclude<ChannelType, 'email'>, Receiver> = {
  slack: slack(),
  teams: teams(),
  feishu: feishu(),
  webhook: new Receiver(),
}

/** Delays responses, so that faults hit messages in flight. */
function slowDown(receiver: Receiver): void {
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
  for (const receiver of Object.values(tools)) slowDown(receiver)
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

/** Gates whose names can be found in every format of a message. */
async function namedGates(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = approved; number < approved + count; number++) {
    if (ids.length % 50 === 0) execution = await box.running(ada, site.project.id)
    ids.push((await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: `Gate number ${number} of many` })).id)
  }
  return ids
}
let execution: { id: string }

/** The texts that each channel received. */
const received = (): Record<string, string[]> => ({
  ...Object.fromEntries(Object.entries(tools).map(([type, { requests }]) => [type, requests.map(({ body }) => body)])),
  email: mail.mails.map(({ text }) => text),
})

/**
 * Approves gates while a fault occurs.
 *
 * @param maxRepeats the maximum of messages sent again because their outcome was not recorded
 */
async function underLoad(count: number, maxRepeats: number, fault: () => Promise<void>): Promise<void> {
  const before = Object.values(received()).flat().length
  const gates = await namedGates(count)
  const approving = approveAll(ada, gates, [])
  await box.until('messages are sent', async () => Object.values(received()).flat().length > before + count / 4)
  await fault()
  await approving
  approved += count
  await waitUntilIdle(box, 90_000)
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
    const received_gates = new Set(texts.map((text) => /Gate number \d+ of many/.exec(text)?.[0]))
    expect([type, received_gates.size]).toEqual([type, approved])
  }
  expect(Object.values(received()).flat().length - before - count * CHANNELS).toBeLessThanOrEqual(maxRepeats)
}

test('workers killed with -9 lose no message, and repeat at most those in flight', async () => {
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

test('a crash or absence of the database loses no message', async () => {
  // Responses received while the database is away are recorded afterwards: no message is repeated.
  await underLoad(120, 0, async () => {
    postgres.kill()
    await postgres.exited
    await Bun.sleep(2_000)
    postgres = await startPostgres({ dataDir: folder, port: postgres.port })
  })
})
