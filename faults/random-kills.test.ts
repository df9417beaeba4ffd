import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { migrate } from '../sql/migrate.ts'
import { Receiver } from '../test/support/receiver.ts'
import { Actor, type Answer, type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { approveAll, expectedTotals, fetchTotals, isAway, makeHooks, openGates, waitUntilIdle } from './support.ts'

const SECONDS = 60
const HOOKS = 5
const IN_FLIGHT = 10
/** Gates approved at once, by as many clients as there are API processes. */
const BATCH = 20
const CHANNEL = '/channel'

let postgres: Postgres
let folder: string
let receiver: Receiver
/** Two of each kind of process, on one database. */
let boxes: [Box, Box]
let ada: Actor
let site: Site

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-kills-'))
  postgres = await startPostgres({ dataDir: folder })
  await migrate(postgres.url)
  receiver = new Receiver()
  receiver.answer = async () => {
    await Bun.sleep(Math.random() * 30)
    return new Response('ok')
  }
  const environment = { HOOK_RETRY_SECONDS: '1,1,1,1,1,1', CHANNEL_RETRY_SECONDS: '1,1,1,1,1,1' }
  boxes = [
    await signalbox({ url: postgres.url, workers: 1, environment }),
    await signalbox({ url: postgres.url, workers: 1, environment }),
  ]
  ada = await boxes[0].user('Ada Lovelace')
  site = await boxes[0].site(ada)
  await makeHooks(ada, site, receiver.url, HOOKS)
  const channel = await ada.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Counts',
    channel_type: 'webhook',
    config: { url: receiver.url + CHANNEL },
  })
  await ada.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.approved' })
})

afterAll(async () => {
  await Promise.all(boxes.map((box) => box.close()))
  await receiver.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

/** How often each kind of process was killed. */
const kills = { api: 0, worker: 0, database: 0 }

/** Kills a random process and restarts it. */
async function killRandomProcess(): Promise<void> {
  const box = boxes[Math.random() < 0.5 ? 0 : 1]
  const chance = Math.random()
  if (chance < 0.1) {
    kills.database += 1
    postgres.kill()
    await postgres.exited
    postgres = await startPostgres({ dataDir: folder, port: postgres.port })
    return
  }
  if (chance < 0.5) {
    kills.api += 1
    box.api.kill('SIGKILL')
    await box.api.exited
    await box.startApi()
    return
  }
  const [worker] = box.workers.splice(0)
  if (!worker) throw new Error('Each has a worker')
  kills.worker += 1
  worker.kill('SIGKILL')
  await worker.exited
  await box.startWorker()
}

/** The requests received, by the id that lets receivers drop repeated ones. */
function received(matches: (path: string) => boolean): { ids: Set<string>; repeats: number } {
  const bodies = new Map<string, string>()
  let repeats = 0
  for (const { path, headers, body } of receiver.requests) {
    if (!matches(path)) continue
    const id = headers['webhook-id'] ?? headers['x-signalbox-delivery'] ?? ''
    const first = bodies.get(id)
    // A repeated request has the same body.
    if (first !== undefined) expect(body).toBe(first)
    repeats += first === undefined ? 0 : 1
    bodies.set(id, body)
  }
  return { ids: new Set(bodies.keys()), repeats }
}

test(`processes killed with -9 at random for ${SECONDS} seconds lose nothing, and repeat only what was in flight`, async () => {
  const end = performance.now() + SECONDS * 1000
  const responses: Answer[] = []
  let approved = 0
  const loads = boxes.map(async (box) => {
    // The same user, at the other API process.
    const actor = new Actor(box, ada.name, ada.email, ada.id, ada.token, ada.refreshToken)
    while (performance.now() < end) {
      const gates = await openGatesWithRetries(box, actor)
      await approveAll(actor, gates, responses)
      approved += gates.length
    }
  })
  const killing = (async () => {
    while (performance.now() < end) {
      await Bun.sleep(300 + Math.random() * 1_200)
      await killRandomProcess()
    }
  })()
  await Promise.all([...loads, killing])
  await waitUntilIdle(boxes[0], 90_000)
  // The one channel has a single lane, which is slower than those of the hooks.
  const haveMessagesSettled = async () => {
    const [{ open }] = await boxes[0].sql<[{ open: boolean }]>`
      select exists (select from channel_messages where status = 'pending') as open
    `
    return !open
  }
  await boxes[0].until('no message is pending', haveMessagesSettled, 60_000)

  expect(kills.api).toBeGreaterThan(0)
  expect(kills.worker).toBeGreaterThan(0)
  // Every response is a success, a conflict of a repeated approval, or a 503 that asks to retry.
  expect(responses.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual([])
  expect(await fetchTotals(boxes[0])).toEqual(expectedTotals(approved, HOOKS))
  const hooks = received((path) => path !== CHANNEL)
  expect(hooks.ids.size).toBe(approved * HOOKS)
  expect(hooks.repeats).toBeLessThanOrEqual(kills.worker * HOOKS * IN_FLIGHT)

  const [messages] = await boxes[0].sql`
    select count(*) as all, count(distinct event_id) as events, count(*) filter (where status = 'succeeded') as succeeded
    from channel_messages
  `
  expect(messages).toEqual({ all: approved, events: approved, succeeded: approved })
  const channel = received((path) => path === CHANNEL)
  expect(channel.ids.size).toBe(approved)
  expect(channel.repeats).toBeLessThanOrEqual(kills.worker * IN_FLIGHT)
})

/** Opens gates, retrying while its process is killed or the database away. */
async function openGatesWithRetries(box: Box, actor: Actor): Promise<string[]> {
  for (;;) {
    try {
      return await openGates(box, actor, site.project.id, BATCH)
    } catch (error) {
      if (!(error instanceof Error) || !(isAway(error) || /answered 503/.test(error.message))) throw error
      await Bun.sleep(50)
    }
  }
}
