/** Inboxes: the first page of a small one against that of a huge one, and what many open streams cost an API. */
import { createHmac } from 'node:crypto'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { median, milliseconds, perSecond, rounded } from './figures.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import { type Stage, until } from './stage.ts'

const SMALL = 100
const IN_FLIGHT = 16

interface Person {
  user_id: string
  session_id: string
}

/** Users who are signed in, without the cost of their passwords. */
async function makePeople(sql: Sql, count: number): Promise<Person[]> {
  return await sql<Person[]>`
    with person as (
      insert into users (email, email_verified, name, password_hash)
      select gen_random_uuid() || '@example.com', true, 'Bench ' || number, ''
      from generate_series(1, ${count}::integer) as number
      returning id
    )
    insert into sessions (user_id, device, ip_address)
    select id, 'bench', '127.0.0.1'
    from person
    returning user_id, id as session_id
  `
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An access token as the API issues one. */
function tokenFor({ user_id, session_id }: Person, secret: string): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = { sub: user_id, sid: session_id, iat: now, exp: now + 3_600, iss: 'signalbox', aud: 'signalbox' }
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Tells each of these people so many things, as the worker does. */
async function tell(sql: Sql, organization_id: string, people: Person[], count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      with inbox as (
        insert into notification_inboxes as inbox (user_id, sequence, told_at)
        select person, ${count}, clock_timestamp()
        from unnest(${people.map(({ user_id }) => user_id)}::uuid[]) as person
        on conflict (user_id) do update
          set sequence = inbox.sequence + excluded.sequence,
              told_at = greatest(clock_timestamp(), inbox.told_at + interval '1 millisecond')
        returning user_id, sequence, told_at
      )
      insert into notifications (
        user_id, sequence, organization_id, source_id, type, title, body, resource_type, resource_id, created_at
      )
      select
        inbox.user_id, inbox.sequence - ${count} + number, ${organization_id}, gen_random_uuid(), 'gate_pending',
        'The gate Release review awaits your review', 'Checkout · Platform · Acme Robotics', 'gate', gen_random_uuid(),
        inbox.told_at
      from inbox
      cross join generate_series(1, ${count}::integer) as number
    `
  })
}

const read = (url: string, token: string, seconds: number, contains: string): Promise<Load> =>
  runHelper('bin/bench/load.ts', {
    urls: [url],
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
    inFlight: IN_FLIGHT,
    seconds,
    status: 200,
    contains,
  } satisfies LoadOrder)

const rateOf = ({ requests, seconds }: Load): number => requests / seconds

interface Scale {
  huge: number
  streams: number
  rounds: number
  seconds: number
}

/** Requests a second for page 1 of both inboxes, in turns; medians of the rounds. */
async function comparePages({ sql, url, environment, tenant }: Stage, { huge, rounds, seconds }: Scale) {
  const [few, many] = await makePeople(sql, 2)
  if (!few || !many) throw new Failure('The people of the inboxes were not made.')
  await tell(sql, tenant.organization.id, [few], SMALL)
  await tell(sql, tenant.organization.id, [many], huge)
  await sql`vacuum (analyze) notifications`
  const rates: Record<'small' | 'huge', number[]> = { small: [], huge: [] }
  const page = (person: Person, count: number, length: number) =>
    read(
      `${url}/api/v1/notifications`,
      tokenFor(person, environment.JWT_SECRET ?? ''),
      length,
      `"total":${count},"unread_count":${count}`,
    )
  for (let round = 0; round <= rounds; round++) {
    const length = round === 0 ? seconds / 2 : seconds
    const small = rateOf(await page(few, SMALL, length))
    const large = rateOf(await page(many, huge, length))
    // The first round warms up.
    if (round === 0) continue
    rates.small.push(small)
    rates.huge.push(large)
  }
  const begun = performance.now()
  const answer = await fetch(`${url}/api/v1/notifications/read-all`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenFor(many, environment.JWT_SECRET ?? '')}` },
  })
  const { updated } = (await answer.json()) as { updated?: number }
  if (updated !== huge) throw new Failure(`Of ${huge} notifications ${updated} were marked as read.`)
  return { small: median(rates.small), huge: median(rates.huge), read_all_ms: performance.now() - begun }
}

/** An API process of its own. */
async function startApi({ environment }: Stage) {
  const port = await freePort('127.0.0.1')
  const process = startProcess('api/server.ts', { ...environment, PORT: String(port) })
  await until('Another API gets ready', () => isReady(`http://127.0.0.1:${port}`))
  return {
    port,
    memory: async () => (await process.memory()) ?? Number.NaN,
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}

/** What many streams do to an API: its memory, its other requests against those of one without, and how soon all are told. */
async function measureStreams(stage: Stage, { streams, seconds, rounds }: Scale) {
  const { sql, environment, tenant } = stage
  await using crowded = await startApi(stage)
  await using quiet = await startApi(stage)
  const people = await makePeople(sql, streams)
  const tokens = people.map((person) => tokenFor(person, environment.JWT_SECRET ?? ''))
  const load = async ({ port }: { port: number }): Promise<number> =>
    rateOf(await read(`http://127.0.0.1:${port}/api/v1/users/me`, tokens[0] ?? '', seconds, '"email":'))
  await load(quiet)
  await load(crowded)
  const before = await crowded.memory()

  await using clients = startProcess('bin/bench/stream-clients.ts', environment)
  const clientsUrl = await clients.firstLine
  await fetch(clientsUrl, { method: 'POST', body: JSON.stringify({ port: crowded.port, tokens }) })
  const fares = async () => (await (await fetch(clientsUrl)).json()) as { open: number; told: number }
  await until('All streams are open', async () => (await fares()).open === streams)
  const opened = await crowded.memory()

  const rates: Record<'with' | 'without', number[]> = { with: [], without: [] }
  for (let round = 0; round < rounds; round++) {
    // Neither is always the first.
    if (round % 2 === 0) rates.without.push(await load(quiet))
    rates.with.push(await load(crowded))
    if (round % 2 === 1) rates.without.push(await load(quiet))
  }

  const waits: number[] = []
  for (let round = 1; round <= 5; round++) {
    await tell(sql, tenant.organization.id, people, 1)
    const begun = performance.now()
    for (let from = 0; from < people.length; from += 200) {
      const some = people.slice(from, from + 200)
      await sql`select pg_notify('signalbox_inbox', ${some.map(({ user_id }) => user_id).join(' ')})`
    }
    await until('All streams are told', async () => (await fares()).told >= round * streams, 20_000, 2)
    waits.push(performance.now() - begun)
  }
  const { open, told } = await fares()
  if (open !== streams || told !== 5 * streams) {
    throw new Failure(`${open} of ${streams} streams are open, and ${told} of ${5 * streams} notifications came.`)
  }
  return {
    without: median(rates.without),
    with: median(rates.with),
    memory: opened - before,
    after: (await crowded.memory()) - before,
    told_ms: median(waits),
  }
}

const scaleOf = (quick: boolean): Scale =>
  quick ? { huge: 20_000, streams: 200, rounds: 1, seconds: 1 } : { huge: 1_000_000, streams: 1_000, rounds: 3, seconds: 3 }

export const inbox: Part = {
  name: 'inbox',
  conditions: (quick) => {
    const { huge, streams } = scaleOf(quick)
    return [
      `inbox     GET /notifications of a user with ${huge.toLocaleString('en')} unread notifications, against one with ${SMALL}, ${IN_FLIGHT} in flight.`,
      `streams   ${streams.toLocaleString('en')} open streams of as many users on an API of its own: memory that they add, GET /users/me against another API without any,`,
      `          and the time from the commit of one notification to each until the last client has its own.`,
    ].join('\n')
  },
  async run(stage, quick) {
    const scale = scaleOf(quick)
    const pages = await comparePages(stage, scale)
    const streams = await measureStreams(stage, scale)
    const many = scale.streams.toLocaleString('en')
    return {
      rows: [
        {
          name: `inbox of ${scale.huge.toLocaleString('en')}`,
          ours: perSecond(pages.huge),
          baseline: perSecond(pages.small),
          ratio: pages.huge / pages.small,
        },
        { name: 'the same, all marked as read', ours: milliseconds(pages.read_all_ms) },
        {
          name: `read beside ${many} streams`,
          ours: perSecond(streams.with),
          baseline: perSecond(streams.without),
          ratio: streams.with / streams.without,
        },
        { name: `${many} streams, all told`, ours: milliseconds(streams.told_ms) },
        { name: `memory of ${many} streams`, ours: `${streams.memory} MB`, limit: '< 100 MB' },
        { name: 'the same, after telling', ours: `${streams.after} MB` },
      ],
      figures: {
        inbox_page_per_second: {
          small: rounded(pages.small),
          huge: rounded(pages.huge),
          ratio: rounded(pages.huge / pages.small),
        },
        inbox_read_all_ms: rounded(pages.read_all_ms),
        streams: {
          count: scale.streams,
          memory_mb: streams.memory,
          memory_after_telling_mb: streams.after,
          all_told_ms: rounded(streams.told_ms),
          read_ratio: rounded(streams.with / streams.without),
        },
      },
    }
  },
}
