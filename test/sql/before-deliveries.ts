/** A busy database as it was before deliveries had a table of their own, and the version of that time at work on it. */
import type { Queryable, Sql } from '../../sql/index.ts'

/** How many there are. One in eight is finished, and the others wait. */
const DISPATCHES = 70_000
const MESSAGES = 46_000

/**
 * Fills it. The ids of dispatches and messages lie in the last five weeks; some were tried, some of those in vain, some were
 * cancelled while they were under way, and some are tests.
 */
export async function fill(sql: Sql): Promise<void> {
  for (const family of [
    ['dispatches', 'dispatch_attempts'],
    ['channel_events', 'channel_messages', 'channel_attempts'],
  ])
    await sql`select ensure_partitions(${family}::text[]::regclass[], '7 days', now(), now() + interval '14 days')`
  await sql.begin(async (tx) => {
    // What is around hooks and channels does not matter here, and is left out.
    await tx`set local session_replication_role = replica`
    await tx`
      create function id_at(at timestamptz, number integer) returns uuid
        language sql immutable
        return (
          lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(number::text), 1, 3)
            || '8' || substr(md5(number::text), 4, 15)
        )::uuid
    `
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
    await tx`insert into hook_lanes (hook_id, organization_id, sequence) select id, organization_id, 100000 from deployment_hooks`
    await tx`insert into channel_lanes (channel_id, organization_id) select id, organization_id from notification_channels`
    await tx`insert into hook_receivers (hook_id, organization_id, failures) select id, organization_id, 3 from deployment_hooks`

    await tx`
      create temporary table deeds on commit drop as
      select
        number,
        id_at(at, number) as id,
        at as created_at,
        case when number % 8 > 0 then 'pending' else (array['succeeded', 'failed', 'cancelled'])[1 + number / 8 % 3] end as status,
        case when number % 8 = 0 then 1 + number / 8 % 3 else greatest(0, number % 7 - 4) end as attempts,
        case when number % 40 = 1 then 'test.ping' when number % 2 = 0 then 'gate.approved' else 'execution.completed' end as event,
        case when number % 8 > 0 then now() + (number % 900 - 600) * interval '1 second' end as next_attempt_at,
        case when number % 8 = 0 then at + interval '1 minute' end as completed_at
      from generate_series(1, ${DISPATCHES + MESSAGES}::integer) as number
      cross join lateral (select (now() - number % 35 * interval '1 day')::timestamptz(3)) as moment (at)
    `
    await tx`
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, body, status,
        attempt_count, max_attempts, next_attempt_at, response_status, response_body, duration_ms, error, redelivery_of,
        created_at, completed_at, cancel_asked
      )
      select
        deed.id, organization_id, workspace_id, project_id, hook.id, deed.id, deed.event, 'production', number,
        '{"number":' || number || '}', status, attempts, 9, next_attempt_at,
        case when attempts > 0 then 500 end, case when attempts > 0 then 'no' end, case when attempts > 0 then 3 end,
        case when attempts > 0 and status <> 'succeeded' then '{"code": "http_error"}'::jsonb end,
        case when number % 32 = 0 then id_at(now() - interval '30 days', number % 1000) end,
        deed.created_at, completed_at, status = 'pending' and number % 50 = 3
      from deeds as deed
      join (select *, row_number() over (order by id) as place from deployment_hooks) as hook on hook.place = 1 + number % 20
      where number <= ${DISPATCHES}::integer
    `
    await tx`
      insert into dispatch_attempts (dispatch_id, organization_id, number, started_at, duration_ms, response_status)
      select id, organization_id, number, created_at, 3, 500
      from dispatches
      cross join generate_series(1, attempt_count) as number
    `
    await tx`
      insert into channel_events (id, organization_id, body)
      select deed.id, organizations.id, '{"number":' || number || '}'
      from deeds as deed
      cross join organizations
      where number > ${DISPATCHES}::integer
    `
    await tx`
      insert into channel_messages (
        id, organization_id, workspace_id, channel_id, event_id, event, status, attempt_count, max_attempts, next_attempt_at,
        response_status, duration_ms, error, accepted, refused, created_at, completed_at
      )
      select
        deed.id, channel.organization_id, workspace_id, channel.id, deed.id, deed.event, status, attempts, 9, next_attempt_at,
        null, case when attempts > 0 then 3 end, case when attempts > 0 and status <> 'succeeded' then '{"code": "smtp"}'::jsonb end,
        case when attempts > 0 and number % 3 > 0 then array['ada@example.com', number || '@example.com'] else '{}' end,
        case when attempts > 0 and number % 5 = 0 then jsonb_build_object('bob@example.com', '550') else '{}' end,
        deed.created_at, completed_at
      from deeds as deed
      join (select *, row_number() over (order by id) as place from notification_channels) as channel on channel.place = 1 + number % 10
      where number > ${DISPATCHES}::integer
    `
    await tx`
      insert into channel_attempts (message_id, organization_id, number, started_at, duration_ms)
      select id, organization_id, number, created_at, 3
      from channel_messages
      cross join generate_series(1, attempt_count) as number
    `
  })
}

/** Notes what there is, in the words of the version after. */
export async function remember(sql: Sql): Promise<void> {
  await sql`create schema before`
  await sql`
    create table before.deliveries as
    select
      id, organization_id, hook_id as lane_id, 'dispatch' as kind, event, next_attempt_at as due_at, attempt_count,
      event = 'test.ping' as is_test, cancel_asked as cancel_requested
    from dispatches
    where status = 'pending'
    union all
    select id, organization_id, channel_id, 'message', event, next_attempt_at, attempt_count, event = 'test.ping', false
    from channel_messages
    where status = 'pending'
  `
  await sql`
    create table before.unsuccessful_deliveries as
    select
      id, organization_id, hook_id as lane_id, 'dispatch' as kind, event, status, coalesce(redelivery_of, id) as first_id,
      created_at, completed_at
    from dispatches
    where status in ('failed', 'cancelled')
    union all
    select id, organization_id, channel_id, 'message', event, status, id, created_at, completed_at
    from channel_messages
    where status in ('failed', 'cancelled')
  `
  await sql`
    create table before.dispatches as
    select id, status, event, body, sequence, redelivery_of, error, created_at, completed_at from dispatches
  `
  await sql`
    create table before.messages as
    select id, status, event, event_id, error, created_at, completed_at from channel_messages
  `
  await sql`
    create table before.mailboxes as
    select id, attempt_count as number, accepted, refused
    from channel_messages
    where accepted <> '{}'
      or refused <> '{}'
  `
  await sql`
    analyze before.deliveries, before.unsuccessful_deliveries, before.dispatches, before.messages, before.mailboxes, channel_messages,
      channel_attempts
  `
  // Views of ops as they were then.
  await sql`create view ops.then_waiting as select hook_id, count(next_attempt_at), bool_or(cancel_asked) from dispatches group by 1`
  await sql`
    create view ops.then_health as
    select * from ops.then_waiting join hook_lanes using (hook_id) join hook_receivers using (hook_id, organization_id)
  `
}

/** A hook, and where it is. */
export type Hook = Record<'id' | 'organization_id' | 'workspace_id' | 'project_id', string>

/** What a session of the version before came to. */
export interface Work {
  /** The ids that it has written. */
  ids: string[]
  /** The codes of PostgreSQL for what was refused. */
  refusals: Set<string>
}

/** Does something again and again until it is over, and once more after that. */
async function work(isOver: () => boolean, once: () => Promise<string[]>): Promise<Work> {
  const done: Work = { ids: [], refusals: new Set() }
  for (let last = false; !last; ) {
    last = isOver()
    await once().then(
      (ids) => done.ids.push(...ids),
      ({ code }) => done.refusals.add(code),
    )
  }
  return done
}

/** Writes a dispatch that waits. */
export const newDispatch = (tx: Queryable, { id, organization_id, workspace_id, project_id }: Hook) => tx<{ id: string }[]>`
  insert into dispatches (
    organization_id, workspace_id, project_id, hook_id, event_id, event, environment, body, max_attempts, next_attempt_at
  )
  values (${organization_id}, ${workspace_id}, ${project_id}, ${id}, uuidv7(), 'gate.approved', 'production', '{}', 9, now())
  returning id
`

/** The drain: holds a hook and its lane, and writes a dispatch. */
export const drain = (sql: Sql, hook: Hook, isOver: () => boolean): Promise<Work> =>
  work(isOver, () =>
    sql.begin(async (tx) => {
      await tx`select from deployment_hooks where id = ${hook.id} for key share`
      await tx`select from hook_lanes where hook_id = ${hook.id} for no key update`
      await tx`update hook_lanes set sequence = sequence + 1, version = version + 1 where hook_id = ${hook.id}`
      return (await newDispatch(tx, hook)).map(({ id }) => id)
    }),
  )

/** A request for a test, which writes a dispatch, and the lane, which records that it succeeded. */
export const deliver = (sql: Sql, hook: Hook, isOver: () => boolean): Promise<Work> =>
  work(isOver, async () => {
    const ids = await sql.begin(async (tx) => {
      await tx`select from deployment_hooks where id = ${hook.id}`
      await tx`update hook_lanes set version = version + 1 where hook_id = ${hook.id}`
      return (await newDispatch(tx, hook)).map(({ id }) => id)
    })
    await sql`
      with settled as (
        update dispatches
        set status = 'succeeded', attempt_count = 1, next_attempt_at = null, completed_at = now(), response_status = 200
        where id = any(${ids}::uuid[])
          and completed_at is null
        returning id, organization_id, hook_id
      ),
      attempts as (
        insert into dispatch_attempts (dispatch_id, organization_id, number, started_at, duration_ms)
        select id, organization_id, 1, now(), 3 from settled
      ),
      receivers as (
        insert into hook_receivers as receiver (hook_id, organization_id, last_success_at)
        select hook_id, organization_id, now() from settled
        on conflict (hook_id, organization_id) do update
        set last_success_at = excluded.last_success_at
      )
      select lane.version
      from (select hook_id from settled group by hook_id) as served
      join deployment_hooks as hook on hook.id = served.hook_id
      join hook_lanes as lane on lane.hook_id = served.hook_id
    `
    return ids
  })

/** A channel: gets a message, and records that it could not be delivered yet. */
export const notify = (sql: Sql, channel_id: string, isOver: () => boolean): Promise<Work> =>
  work(isOver, () =>
    sql.begin(async (tx) => {
      const [{ id }] = await tx<[{ id: string }]>`
        with told as (
          insert into channel_events (id, organization_id, body)
          select uuidv7(), organization_id, '{}' from notification_channels where id = ${channel_id}
          returning id
        )
        insert into channel_messages (organization_id, workspace_id, channel_id, event_id, event, max_attempts)
        select organization_id, workspace_id, channel.id, told.id, 'gate.approved', 9
        from notification_channels as channel
        cross join told
        where channel.id = ${channel_id}
        returning id
      `
      await tx`
        with settled as (
          update channel_messages
          set attempt_count = 1, next_attempt_at = now() + interval '1 minute', accepted = accepted || '{ada@example.com}'
          where id = ${id}
          returning id, organization_id
        )
        insert into channel_attempts (message_id, organization_id, number, started_at, duration_ms)
        select id, organization_id, 1, now(), 3 from settled
      `
      await tx`update channel_lanes set failures = failures + 1 where channel_id = ${channel_id}`
      return [id]
    }),
  )
