/** Open streams of notifications: what they cost the API, and how soon all of them receive a notification. */
import { createHmac } from 'node:crypto'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { median } from './figures.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { IN_FLIGHT, sendLoad, type Workload } from './requests.ts'
import { type Stage, until } from './stage.ts'
import type { StreamOrder } from './stream-clients.ts'

const NOTIFICATIONS = 5
/** Users in one NOTIFY; its payload is limited to 8,000 bytes. */
const USERS_PER_NOTIFY = 200

export interface User {
  user_id: string
  session_id: string
}

/** Creates users with a session, without hashing passwords. */
export async function createUsers(sql: Sql, count: number): Promise<User[]> {
  return await sql<User[]>`
    with created as (
      insert into users (email, email_verified, name, password_hash)
      select gen_random_uuid() || '@example.com', true, 'Bench ' || number, ''
      from generate_series(1, ${count}::integer) as number
      returning id
    )
    insert into sessions (user_id, device, ip_address)
    select id, 'bench', '127.0.0.1'
    from created
    returning user_id, id as session_id
  `
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An access token as the API issues it. */
function tokenFor({ user_id, session_id }: User, secret: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: user_id, sid: session_id, iat: now, exp: now + 3_600, iss: 'signalbox', aud: 'signalbox' }
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Adds one notification to each inbox and sends NOTIFY, as the worker does. */
async function notify({ sql, tenant }: Stage, users: User[]): Promise<void> {
  const ids = users.map(({ user_id }) => user_id)
  await sql`
    with inbox as (
      insert into notification_inboxes as inbox (user_id, sequence, notified_at)
      select id, 1, clock_timestamp()
      from unnest(${ids}::uuid[]) as id
      on conflict (user_id) do update
        set sequence    = inbox.sequence + 1,
            notified_at = greatest(clock_timestamp(), inbox.notified_at + interval '1 millisecond')
      returning user_id, sequence, notified_at
    )
    insert into notifications (
      user_id, sequence, organization_id, source_id, type, title, body, resource_type, resource_id, created_at
    )
    select
      user_id, sequence, ${tenant.organization.id}, gen_random_uuid(), 'gate_pending',
      'The gate Release review awaits your review', 'Checkout · Platform · Acme Robotics', 'gate', gen_random_uuid(), notified_at
    from inbox
  `
  for (let from = 0; from < ids.length; from += USERS_PER_NOTIFY) {
    await sql`select pg_notify('signalbox_inbox', ${ids.slice(from, from + USERS_PER_NOTIFY).join(' ')})`
  }
}

/** Starts another API on the database of the stage. */
export async function startApi({ environment }: Stage) {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const process = startProcess('api/server.ts', { ...environment, PORT: String(port) })
  await until('Another API is ready', () => isReady(url))
  return { port, url, memory: process.memory, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() }
}
type Api = Awaited<ReturnType<typeof startApi>>

/**
 * Requests per second of an API with streams and of one without, in pairs of short rounds: other load on the machine
 * affects both of a pair, and neither is always the first.
 */
async function compareLoads(crowded: Api, quiet: Api, workload: Workload, rounds: number, seconds: number) {
  const rateOf = async (api: Api): Promise<number> => {
    const load = await sendLoad(api.url, workload, seconds)
    return load.requests / load.seconds
  }
  const samples = { beside: [] as number[], without: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    if (round % 2) samples.without.push(await rateOf(quiet))
    samples.beside.push(await rateOf(crowded))
    if (!(round % 2)) samples.without.push(await rateOf(quiet))
  }
  return { beside: median(samples.beside), without: median(samples.without) }
}

const scaleOf = (quick: boolean) =>
  quick ? { streams: 200, rounds: 2, seconds: 0.5 } : { streams: 1_000, rounds: 20, seconds: 1 }

async function measure(stage: Stage, { streams, rounds, seconds }: ReturnType<typeof scaleOf>) {
  const { sql, environment } = stage
  await using crowded = await startApi(stage)
  await using quiet = await startApi(stage)
  const users = await createUsers(sql, streams)
  const tokens = users.map((user) => tokenFor(user, environment.JWT_SECRET ?? ''))
  const workload: Workload = {
    paths: ['/api/v1/users/me'],
    order: { method: 'GET', headers: { Authorization: `Bearer ${tokens[0]}` }, status: 200, contains: '"email":' },
  }
  for (const api of [quiet, crowded]) await sendLoad(api.url, workload, 2 * seconds)
  const memoryBefore = (await crowded.memory()) ?? Number.NaN

  await using clients = startProcess('bin/bench/stream-clients.ts', environment)
  const clientsUrl = await clients.firstLine
  const counters = async () => (await (await fetch(clientsUrl)).json()) as { open: number; received: number }
  const order: StreamOrder = {
    port: crowded.port,
    path: '/api/v1/notifications/stream',
    headers: tokens.map((token) => `Authorization: Bearer ${token}`),
    greeting: 'event: unread_count',
    counted: 'event: notification',
  }
  await fetch(clientsUrl, { method: 'POST', body: JSON.stringify(order) })
  await until('All streams are open', async () => (await counters()).open === streams)
  const memory = ((await crowded.memory()) ?? Number.NaN) - memoryBefore

  const rates = await compareLoads(crowded, quiet, workload, rounds, seconds)
  const waits: number[] = []
  for (let round = 1; round <= NOTIFICATIONS; round++) {
    const begun = performance.now()
    await notify(stage, users)
    await until('All streams receive the notification', async () => (await counters()).received >= round * streams, 20_000, 2)
    waits.push(performance.now() - begun)
  }
  const { open, received } = await counters()
  if (open !== streams || received !== NOTIFICATIONS * streams) {
    throw new Failure(`${open} of ${streams} streams are open; ${received} of ${NOTIFICATIONS * streams} notifications arrived.`)
  }
  return { ...rates, memory, wait: median(waits) }
}

export const streams: Part = {
  name: 'streams',
  slow: true,
  describe(quick) {
    const { streams, rounds, seconds } = scaleOf(quick)
    return [
      `streams     ${streams.toLocaleString('en')} open streams of different users on one API: the memory that they add; GET /users/me, ${IN_FLIGHT} in flight,`,
      `            against an API without streams, ${rounds} pairs of ${seconds} s; and the time from writing one notification for each user until the last client receives it.`,
    ].join('\n')
  },
  async run(stage, quick) {
    const scale = scaleOf(quick)
    const { beside, without, memory, wait } = await measure(stage, scale)
    const count = scale.streams.toLocaleString('en')
    return [
      { name: `read beside ${count} streams`, value: beside, unit: '/s', baseline: without, ratioAtLeast: 0.9 },
      { name: `notification to ${count} streams`, value: wait, unit: 'ms' },
      { name: `memory of ${count} streams`, value: memory, unit: 'MiB', atMost: 100 },
    ]
  },
}
