/** A database with 100,000 waiting dispatches and messages gets the table of deliveries while the version before works on it. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { migrateJobs } from '../../sql/migrate-jobs.ts'
import { targetOf } from '../../sql/target.ts'
import { emptyDatabase } from '../support/server.ts'
import { deliver, drain, fill, type Hook, newDispatch, notify, remember, type Work } from './before-deliveries.ts'
import { migrateUntil, untilReleaseWaits } from './releases.ts'

/** What the version before is told: the column or table is gone. */
const GONE = ['42703', '42P01']

let url: string
let sql: Sql
const sessions: Sql[] = []

const session = (): Sql => {
  const opened = connect(url, 'signalbox test', 1)
  sessions.push(opened)
  return opened
}

/** Two transactions that lock lanes and dispatches in opposite orders, as drain and lanes did, around a release. */
async function lockBothWays([one, other]: [Hook, Hook], release: () => Promise<unknown>): Promise<void> {
  const releaseBegun = Promise.withResolvers<void>()
  const both = [
    session().begin(async (tx) => {
      await tx`update hook_lanes set version = version + 1 where hook_id = ${one.id}`
      await releaseBegun.promise
      await newDispatch(tx, one)
    }),
    session().begin(async (tx) => {
      await newDispatch(tx, other)
      await releaseBegun.promise
      await tx`update hook_lanes set version = version + 1 where hook_id = ${other.id}`
    }),
  ]
  await untilSettledLocks(2)
  const released = release()
  await untilReleaseWaits(sql)
  releaseBegun.resolve()
  await Promise.all(both)
  await released
}

/** Waits until so many transactions hold what they have locked first. */
async function untilSettledLocks(count: number): Promise<void> {
  for (let idle = -1; idle !== count; ) {
    const [found] = await sql<[{ idle: number }]>`
      select count(*) as idle from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
    `
    idle = found.idle
  }
}

const works: Work[] = []

beforeAll(async () => {
  url = await emptyDatabase()
  sql = session()
  await migrateJobs(sql, targetOf(url))
  await migrateUntil(sql, '0060')
  await fill(sql)
  await remember(sql)
  const [first, second, third, fourth] = await sql<[Hook, Hook, Hook, Hook]>`
    select id, organization_id, workspace_id, project_id from deployment_hooks order by id limit 4
  `
  const [channel] = await sql<[{ id: string }]>`select id from notification_channels limit 1`
  await sql`
    select from graphile_worker.add_job(
      'dispatch_hook', ${sql.json({ hook_id: first.id })}::json, run_at := now() + interval '1 hour',
      job_key := ${`dispatch_hook:${first.id}`}::text, flags := array[${`org:${first.organization_id}`}::text, 'task:dispatch_hook']
    )
  `
  let over = false
  const working = [
    drain(session(), first, () => over),
    drain(session(), second, () => over),
    deliver(session(), second, () => over),
    notify(session(), channel.id, () => over),
  ]
  await lockBothWays([third, fourth], () => migrate(url))
  over = true
  works.push(...(await Promise.all(working)))
}, 60_000)

afterAll(() => Promise.all(sessions.map((each) => each.end({ timeout: 1 }))))

/** The ids of rows that differ between two queries, or that only one of them has. */
async function differences(one: string, other: string): Promise<string[]> {
  const rows = await sql.unsafe<{ id: string }[]>(`
    select coalesce(one.id, other.id) as id
    from (${one}) as one
    full join (${other}) as other on other.id = one.id
    where one is distinct from other
    limit 10
  `)
  return rows.map(({ id }) => id)
}

const COLUMNS = {
  deliveries: 'id, organization_id, lane_id, kind, event, due_at, attempt_count, is_test, cancel_requested',
  unsuccessful_deliveries: 'id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at',
}

describe('after the migration', () => {
  test('what waited waits, once, as it did', async () => {
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from before.deliveries`
    expect(count).toBeGreaterThan(100_000)
    const kept = `select ${COLUMNS.deliveries} from deliveries where id in (select id from before.deliveries)`
    expect(await differences(kept, `select ${COLUMNS.deliveries} from before.deliveries`)).toEqual([])
  })

  test('jobs that wake hooks and channels name their lane, and keep their time and flags', async () => {
    const jobs = await sql<{ lane_id: string; key: string; is_later: boolean; flags: string[] }[]>`
      select
        payload ->> 'lane_id' as lane_id, key, run_at > now() + interval '30 minutes' as is_later,
        array(select jsonb_object_keys(flags) order by 1) as flags
      from graphile_worker._private_jobs
    `
    const [hook] = await sql<[Hook]>`select id, organization_id from deployment_hooks order by id limit 1`
    expect([...jobs]).toEqual([
      {
        lane_id: hook.id,
        key: `dispatch_hook:${hook.id}`,
        is_later: true,
        flags: [`org:${hook.organization_id}`, 'task:dispatch_hook'],
      },
    ])
  })

  test('what is pending has a row of the queue, and nothing else has, whoever wrote it', async () => {
    const pending = `
      select id, 'dispatch' from dispatches where status = 'pending'
      union all
      select id, 'message' from channel_messages where status = 'pending'
    `
    expect(await differences('select id, kind from deliveries', pending)).toEqual([])
  })

  test('what the version before wrote meanwhile is there, and what it tries afterwards is refused', async () => {
    for (const { ids, refusals } of works) {
      expect(ids.length).toBeGreaterThan(0)
      const found = await sql`
        select from dispatches where id = any(${ids}::uuid[])
        union all
        select from channel_messages where id = any(${ids}::uuid[])
      `
      expect(found.length).toBe(ids.length)
      expect(refusals.size).toBeGreaterThan(0)
      expect([...refusals].filter((code) => !GONE.includes(code))).toEqual([])
    }
  })

  test('what did not succeed is listed, and nothing else', async () => {
    const listed = `select ${COLUMNS.unsuccessful_deliveries} from unsuccessful_deliveries`
    expect(await differences(listed, `select ${COLUMNS.unsuccessful_deliveries} from before.unsuccessful_deliveries`)).toEqual([])
  })

  test('dispatches are counted, by hook, week, event and status', async () => {
    const counts = `select concat_ws(' ', hook_id, organization_id, span, event, status) as id, count from dispatch_counts`
    // Ids were made with their rows.
    const counted = `
      select concat_ws(' ', hook_id, organization_id, week, event, counted_as) as id, count(*)
      from dispatches
      cross join lateral (select floor(extract(epoch from created_at - '2024-01-01 00:00:00Z') / 604800)) as span (week)
      cross join lateral unnest(array['made', case when status in ('failed', 'cancelled') then status end]) as counted_as
      where counted_as is not null
      group by 1
    `
    expect(await differences(counts, counted)).toEqual([])
    const [{ spans }] = await sql<[{ spans: number }]>`select count(distinct span) as spans from dispatch_counts`
    expect(spans).toBeGreaterThanOrEqual(5)
  })

  test('history, bodies and mailboxes are kept', async () => {
    const dispatches = `
      select id, status, event, text.body, sequence, redelivery_of, error, created_at, completed_at
      from dispatches
      join dispatch_bodies as text on text.dispatch_id = dispatches.id and text.organization_id = dispatches.organization_id
      where id in (select id from before.dispatches)
    `
    expect(await differences('select * from before.dispatches', dispatches)).toEqual([])
    const messages = `
      select id, status, event, event_id, error, created_at, completed_at
      from channel_messages
      where id in (select id from before.messages)
    `
    expect(await differences('select * from before.messages', messages)).toEqual([])
    const mailboxes = `
      select message_id as id, number, accepted, refused
      from channel_attempts
      where message_id in (select id from before.messages) and (accepted <> '{}' or refused <> '{}')
    `
    expect(await differences('select * from before.mailboxes', mailboxes)).toEqual([])
  })

  test('lanes go on with their numbers, and know how their receivers did', async () => {
    const [lanes] = await sql`
      select
        count(*) filter (where kind = 'hook') as hooks, count(*) filter (where kind = 'channel') as channels,
        min(sequence) filter (where kind = 'hook') as sequence,
        (select count(*) from lane_health where failures = 3) as failing
      from lanes
    `
    expect({ ...lanes }).toMatchObject({ hooks: 20, channels: 10, sequence: 100_000 })
    expect(lanes?.failing).toBeGreaterThanOrEqual(18)
  })
})

describe('queue and history stay in step', () => {
  const refused = (asked: PromiseLike<unknown>): Promise<string> =>
    Promise.resolve(asked).then(
      () => 'accepted',
      ({ code }) => code,
    )
  const REFUSED = '23000'

  test.each(['dispatch', 'message'])('no row of the queue is without its %s', async (kind) => {
    const history = sql(kind === 'dispatch' ? 'dispatches' : 'channel_messages')
    const add = (id: ReturnType<typeof sql>) => sql`
      insert into deliveries (id, organization_id, lane_id, kind, event)
      select ${id}, organization_id, lane_id, kind, event from deliveries where kind = ${kind} limit 1
    `
    expect(await refused(add(sql`uuidv7()`))).toBe(REFUSED)
    expect(await refused(add(sql`(select id from ${history} where status = 'succeeded' limit 1)`))).toBe(REFUSED)
    for (const status of ['succeeded', 'failed', 'cancelled']) {
      const finish = sql`
        update ${history}
        set status = ${status}, completed_at = now()
        where id = (select id from deliveries where kind = ${kind} limit 1)
      `
      expect([status, await refused(finish)]).toEqual([status, REFUSED])
    }
  })

  test.each(['dispatch', 'message'])('no %s waits without its row of the queue', async (kind) => {
    const history = sql(kind === 'dispatch' ? 'dispatches' : 'channel_messages')
    const one = sql`(select id from deliveries where kind = ${kind} limit 1)`
    expect(await refused(sql`delete from deliveries where id = ${one}`)).toBe(REFUSED)
    const [{ before }] = await sql<[{ before: number }]>`select count(*) as before from deliveries where kind = ${kind}`
    await sql`delete from ${history} where id = ${one}`
    const [{ after }] = await sql<[{ after: number }]>`select count(*) as after from deliveries where kind = ${kind}`
    expect(after).toBe(before - 1)
    // A message may be tried again, and then waits; a dispatch is sent again as a new one.
    const again = sql`
      update ${history} set status = 'pending', completed_at = null where id = (select id from ${history} where status = 'failed' limit 1)
    `
    expect(await refused(again)).toBe(kind === 'dispatch' ? REFUSED : 'accepted')
    const [{ loose }] = await sql<[{ loose: number }]>`
      select count(*) as loose
      from ${history} as entry
      where status = 'pending'
        and not exists (select from deliveries where id = entry.id)
    `
    expect(loose).toBe(0)
  })

  test('what is finished in the statement that takes it out of the queue is finished', async () => {
    for (const [kind, history] of [
      ['dispatch', 'dispatches'],
      ['message', 'channel_messages'],
    ]) {
      const finished = await sql`
        with taken as (
          delete from deliveries where id = (select id from deliveries where kind = ${kind ?? ''} limit 1) returning id, organization_id
        )
        update ${sql(history ?? '')} as entry
        set status = 'succeeded', completed_at = now()
        from taken
        where entry.id = taken.id
          and entry.organization_id = taken.organization_id
        returning entry.id
      `
      expect(finished).toHaveLength(1)
    }
  })
})
