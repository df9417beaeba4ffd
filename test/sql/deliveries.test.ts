/**
 * The queue (`deliveries`) and the history (dispatches and messages): triggers keep them consistent, whatever writes to
 * them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'

/** The number of rows. One in eight is completed, the others are pending. */
const DISPATCHES = 7_000
const MESSAGES = 4_600

let sql: Sql

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
  await fill()
})
afterAll(() => sql.end({ timeout: 1 }))

/** Inserts dispatches and messages of the last five weeks, with triggers enabled. */
async function fill(): Promise<void> {
  await sql.begin(async (tx) => {
    // The rows around hooks and channels do not matter here.
    await tx`set local session_replication_role = replica`
    await tx`insert into organizations (name, org_key, slug, owner_id) values ('First', 'F', 'first', uuidv7())`
    await tx`
      insert into deployment_hooks (organization_id, workspace_id, project_id, name, url, trigger_on, created_by)
      select organizations.id, uuidv7(), uuidv7(), 'Hook ' || number, 'http://127.0.0.1:9/', 'gate_approved', uuidv7()
      from organizations
      cross join generate_series(1, 20) as number
    `
    await tx`
      insert into notification_channels (organization_id, workspace_id, name, channel_type, config, secrets, created_by)
      select organizations.id, uuidv7(), 'Channel ' || number, 'email', '{}', '', uuidv7()
      from organizations
      cross join generate_series(1, 10) as number
    `
  })
  await sql.begin(async (tx) => {
    await tx`
      create temporary table entries on commit drop as
      select
        number,
        (
          lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(number::text), 1, 3)
            || '8' || substr(md5(number::text), 4, 15)
        )::uuid as id,
        at as created_at,
        case
          when number % 8 > 0 then 'pending'
          else (array['succeeded', 'failed', 'cancelled'])[1 + number / 8 % 3]
        end as status,
        case
          when number % 40 = 1 then 'test.ping'
          when number % 2 = 0 then 'gate.approved'
          else 'execution.completed'
        end as event,
        case when number % 8 = 0 then at + interval '1 minute' end as completed_at
      from generate_series(1, ${DISPATCHES + MESSAGES}::integer) as number
      cross join lateral (select (now() - number % 35 * interval '1 day')::timestamptz(3)) as moment (at)
    `
    await tx`
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, status, max_attempts,
        redelivery_of, created_at, completed_at
      )
      select
        entry.id, organization_id, workspace_id, project_id, hook.id, entry.id, entry.event, 'production', number, status, 9,
        case when number % 32 = 0 then uuidv7() end, entry.created_at, completed_at
      from entries as entry
      join (select *, row_number() over (order by id) as place from deployment_hooks) as hook on hook.place = 1 + number % 20
      where number <= ${DISPATCHES}::integer
    `
    await tx`
      insert into channel_events (id, organization_id, body)
      select entry.id, organizations.id, '{}'
      from entries as entry
      cross join organizations
      where number > ${DISPATCHES}::integer
    `
    await tx`
      insert into channel_messages (
        id, organization_id, workspace_id, channel_id, event_id, event, status, max_attempts, created_at, completed_at
      )
      select
        entry.id, channel.organization_id, workspace_id, channel.id, entry.id, entry.event, status, 9, entry.created_at,
        completed_at
      from entries as entry
      join (
        select *, row_number() over (order by id) as place
        from notification_channels
      ) as channel on channel.place = 1 + number % 10
      where number > ${DISPATCHES}::integer
    `
  })
}

/** The ids of rows that differ between two queries, or exist in one of them only. */
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

describe('inserted rows are in all tables', () => {
  test('exactly the pending ones are in the queue', async () => {
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from deliveries`
    expect(count).toBe(((DISPATCHES + MESSAGES) * 7) / 8)
    const pending = `
      select id, organization_id, hook_id, 'dispatch', event, 0, event = 'test.ping', false from dispatches where status = 'pending'
      union all
      select id, organization_id, channel_id, 'message', event, 0, event = 'test.ping', false
      from channel_messages
      where status = 'pending'
    `
    const queue =
      'select id, organization_id, lane_id, kind, event, attempt_count, is_test, cancel_requested from deliveries where due_at <= now()'
    expect(await differences(queue, pending)).toEqual([])
  })

  test('exactly the unsuccessful ones are in unsuccessful_deliveries', async () => {
    const listed = `
      select id, organization_id, lane_id, kind, event, status, first_id, created_at, completed_at from unsuccessful_deliveries
    `
    const unsuccessful = `
      select
        id, organization_id, hook_id, 'dispatch', event, status, coalesce(redelivery_of, id), created_at, completed_at
      from dispatches
      where status in ('failed', 'cancelled')
      union all
      select id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
      from channel_messages
      where status in ('failed', 'cancelled')
    `
    expect(await differences(listed, unsuccessful)).toEqual([])
    const [{ count }] = await sql<[{ count: number }]>`select count(*) as count from unsuccessful_deliveries`
    expect(count).toBeGreaterThan(900)
  })

  test('dispatches are counted by hook, week, event and status', async () => {
    const counts = `select concat_ws(' ', hook_id, organization_id, week, event, status) as id, count from dispatch_counts`
    // The id has the creation time of its row.
    const counted = `
      select concat_ws(' ', hook_id, organization_id, week, event, counted_as) as id, count(*)
      from dispatches
      cross join lateral (select floor(extract(epoch from created_at - '2024-01-01 00:00:00Z') / 604800)) as since (week)
      cross join lateral unnest(array['created', case when status in ('failed', 'cancelled') then status end]) as counted_as
      where counted_as is not null
      group by 1
    `
    expect(await differences(counts, counted)).toEqual([])
    const [{ weeks }] = await sql<[{ weeks: number }]>`select count(distinct week) as weeks from dispatch_counts`
    expect(weeks).toBeGreaterThanOrEqual(5)
  })
})

describe('queue and history stay consistent', () => {
  const sqlstateOf = (statement: PromiseLike<unknown>): Promise<string> =>
    Promise.resolve(statement).then(
      () => 'accepted',
      ({ code }) => code,
    )
  const REFUSED = '23000'

  test.each(['dispatch', 'message'])('a row of the queue requires its %s, and prevents completing it', async (kind) => {
    const history = sql(kind === 'dispatch' ? 'dispatches' : 'channel_messages')
    const add = (id: ReturnType<typeof sql>) => sql`
      insert into deliveries (id, organization_id, lane_id, kind, event)
      select ${id}, organization_id, lane_id, kind, event from deliveries where kind = ${kind} limit 1
    `
    expect(await sqlstateOf(add(sql`uuidv7()`))).toBe(REFUSED)
    expect(await sqlstateOf(add(sql`(select id from ${history} where status = 'succeeded' limit 1)`))).toBe(REFUSED)
    for (const status of ['succeeded', 'failed', 'cancelled']) {
      const finish = sql`
        update ${history}
        set status = ${status}, completed_at = now()
        where id = (select id from deliveries where kind = ${kind} limit 1)
      `
      expect([status, await sqlstateOf(finish)]).toEqual([status, REFUSED])
    }
  })

  test('a row of the queue is due when it is written, and not when its transaction began', async () => {
    await sql.begin(async (tx) => {
      const isLater = async () => (await tx`select where statement_timestamp() > now() + interval '2 milliseconds'`).length > 0
      while (!(await isLater()));
      const [{ id }] = await tx<[{ id: string }]>`
        update channel_messages
        set status = 'pending', completed_at = null
        where id = (select id from channel_messages where status = 'failed' limit 1)
        returning id
      `
      expect(await tx`select from deliveries where id = ${id} and due_at > now()`).toHaveLength(1)
    })
  })

  test.each(['dispatch', 'message'])('a pending %s requires its row of the queue', async (kind) => {
    const history = sql(kind === 'dispatch' ? 'dispatches' : 'channel_messages')
    const one = sql`(select id from deliveries where kind = ${kind} limit 1)`
    expect(await sqlstateOf(sql`delete from deliveries where id = ${one}`)).toBe(REFUSED)
    const [{ before }] = await sql<[{ before: number }]>`select count(*) as before from deliveries where kind = ${kind}`
    await sql`delete from ${history} where id = ${one}`
    const [{ after }] = await sql<[{ after: number }]>`select count(*) as after from deliveries where kind = ${kind}`
    expect(after).toBe(before - 1)
    // A message can become pending again; a dispatch is redelivered as a new one instead.
    const again = sql`
      update ${history}
      set status = 'pending', completed_at = null
      where id = (select id from ${history} where status = 'failed' limit 1)
    `
    expect(await sqlstateOf(again)).toBe(kind === 'dispatch' ? REFUSED : 'accepted')
    const [{ loose: withoutQueueRow }] = await sql<[{ loose: number }]>`
      select count(*) as loose
      from ${history} as entry
      where status = 'pending'
        and not exists (select 1 from deliveries where id = entry.id)
    `
    expect(withoutQueueRow).toBe(0)
  })

  test('a statement can complete an entry and delete its row of the queue', async () => {
    for (const [kind, history] of [
      ['dispatch', 'dispatches'],
      ['message', 'channel_messages'],
    ]) {
      const finished = await sql`
        with taken as (
          delete from deliveries
          where id = (select id from deliveries where kind = ${kind ?? ''} limit 1)
          returning id, organization_id
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
