import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fill, inboxOf } from '../notifications/inbox.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let hook_id: string
let channel_id: string

beforeAll(async () => {
  box = await signalbox({ environment: { RETENTION_DISPATCH_DAYS: '30', RETENTION_LOG_DAYS: '20' } })
  ada = await box.user('Ada')
  site = await box.site(ada)
  const hook = { name: 'Deploy', url: 'http://127.0.0.1:9/', trigger_on: 'gate_approved' }
  hook_id = (await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, hook)).id
  await ada.put(`/api/v1/deployment-hooks/${hook_id}`, { paused: true })
  const channel = { name: 'Room', channel_type: 'webhook', config: { url: 'http://127.0.0.1:9/' }, enabled: false }
  channel_id = (await ada.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, channel)).id
  // A UUID as `uuidv7()` would have made it that many days ago.
  await box.sql`
    create function id_of(days float8) returns uuid language sql volatile as $$
      select overlay(
        gen_random_uuid()::text
        placing left(partition_boundary(now() - days * interval '1 day')::text, 14) || '7' from 1
      )::uuid
    $$
  `
})
afterAll(() => box.close())

/** Runs the nightly job. */
async function runNightlyJob(): Promise<void> {
  const [{ id }] = await box.sql<
    [{ id: number }]
  >`select id from graphile_worker.add_job('forget_expired', '{}', max_attempts := 1)`
  const ended = () => box.sql<{ outcome: string }[]>`select outcome from ops.job_runs where job_id = ${id}`
  await box.until('the job has run', async () => (await ended()).length > 0)
  expect((await ended())[0]?.outcome).toBe('succeeded')
}

const place = () => box.sql`${site.organization.id}::uuid, ${site.workspace.id}::uuid, ${site.project.id}::uuid`

test('old dispatches and their attempts are deleted, except pending ones', async () => {
  const insert = (days: number, status: string, count: number) => box.sql`
    with dispatch as (
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, status, max_attempts,
        completed_at, request_id
      )
      select
        id_of(${days}), ${place()}, ${hook_id}::uuid, uuidv7(), 'gate.approved', 'production', ${status}, 1,
        case when ${status} <> 'pending' then now() end, ${`${status} ${days}`}
      from generate_series(1, ${count})
      returning id
    )
    insert into repeated_attempts (dispatch_id, organization_id, number, started_at, duration_ms)
    select id, ${site.organization.id}::uuid, 1, now(), 1 from dispatch
  `
  await insert(40, 'succeeded', 2_500)
  await insert(400, 'cancelled', 3)
  await insert(400, 'pending', 2)
  await insert(29, 'failed', 4)
  await runNightlyJob()
  const left = await box.sql<{ what: string; dispatches: number; attempts: number }[]>`
    select request_id as what, count(*) as dispatches, count(attempt) as attempts
    from dispatches
    left join dispatch_attempts as attempt
      on attempt.dispatch_id = dispatches.id
      and attempt.organization_id = dispatches.organization_id
    group by request_id
    order by request_id
  `
  expect([...left]).toEqual([
    { what: 'failed 29', dispatches: 4, attempts: 4 },
    { what: 'pending 400', dispatches: 2, attempts: 2 },
  ])
  const [counts] = await box.sql`
    select (select count(*) from repeated_attempts) as attempts
  `
  expect(counts).toEqual({ attempts: 6 })
})

test('old rollouts and runs are deleted, except those that an environment shows; unreported ones go with their dispatch', async () => {
  const insert = (days: number, state: string, count = 1) => box.sql<{ id: string }[]>`
    insert into rollouts (
      id, organization_id, workspace_id, project_id, hook_id, environment, event, event_at, state, reported_at, deadline_at,
      version
    )
    select
      id_of(${days}), ${place()}, ${hook_id}::uuid, 'production', 'gate.approved', now(), ${state},
      case when ${state} in ('succeeded', 'failed') then now() end,
      case when ${state} = 'unknown' then now() end, ${`${state} ${days}`}
    from generate_series(1, ${count})
    returning id
  `
  await box.sql`
    insert into environments (organization_id, workspace_id, project_id, environment, rollout_count)
    values (${place()}, 'production', 2506)
  `
  await box.sql`
    insert into environment_runs (organization_id, project_id, environment, digest, ended_at, ended_by, changed_at)
    select ${site.organization.id}, ${site.project.id}, 'production', age::text, now(), 'failed', now() - age * interval '1 day'
    from unnest(array[1800, 1900, 3000, 3001]) as age
  `
  await box.sql`update environments set current_digest = '3000', newest_digest = '3001'`
  await insert(1_900, 'failed', 2_500)
  const [current] = await insert(3_000, 'succeeded')
  const [latest] = await insert(2_000, 'failed')
  await box.sql`update environments set current_id = ${current?.id ?? null}, latest_id = ${latest?.id ?? null}`
  await insert(1_800, 'succeeded')
  await insert(100, 'unknown')
  await insert(100, 'awaiting')
  await insert(10, 'unknown')
  await runNightlyJob()
  const left = await box.sql<{ version: string }[]>`select version from rollouts order by version`
  expect(left.map(({ version }) => version)).toEqual(['failed 2000', 'succeeded 1800', 'succeeded 3000', 'unknown 10'])
  const [environment] = await box.sql`select rollout_count from environments`
  expect(environment?.rollout_count).toBe(4)
  const runs = await box.sql<{ digest: string }[]>`select digest from environment_runs order by digest`
  expect(runs.map(({ digest }) => digest)).toEqual(['1800', '3000', '3001'])
})

test('old log entries of channels are deleted with their events, except pending ones', async () => {
  const insert = (days: number, status: string) => box.sql`
    with event as (
      insert into channel_events (id, organization_id, project_id, body)
      values (id_of(${days}), ${site.organization.id}, ${site.project.id}, ${`${status} ${days}`})
      returning id
    ),
    message as (
      insert into channel_messages (
        id, organization_id, workspace_id, channel_id, event_id, event, status, max_attempts, completed_at
      )
      select
        overlay(gen_random_uuid()::text placing left(id::text, 15) from 1)::uuid,
        ${site.organization.id}::uuid, ${site.workspace.id}::uuid, ${channel_id}::uuid, id, 'gate.approved', ${status}, 1,
        case when ${status} <> 'pending' then now() end
      from event
      returning id
    )
    insert into channel_attempts (message_id, organization_id, number, started_at, duration_ms)
    select id, ${site.organization.id}::uuid, 1, now(), 1 from message
  `
  await insert(30, 'succeeded')
  await insert(30, 'failed')
  await insert(30, 'pending')
  await insert(19, 'succeeded')
  await runNightlyJob()
  const left = await box.sql<{ body: string; messages: number; attempts: number }[]>`
    select body, count(message) as messages, count(attempt) as attempts
    from channel_events as event
    left join channel_messages as message
      on message.event_id = event.id
      and message.organization_id = event.organization_id
    left join channel_attempts as attempt
      on attempt.message_id = message.id
      and attempt.organization_id = message.organization_id
    group by body
    order by body
  `
  expect([...left]).toEqual([
    { body: 'pending 30', messages: 1, attempts: 1 },
    { body: 'succeeded 19', messages: 1, attempts: 1 },
  ])
})

test('events are deleted after a week, unless they still wait', async () => {
  const insert = (name: string, days: number) => box.sql`
    insert into outbox (id, organization_id, name, data)
    values (id_of(${days}), ${site.organization.id}, ${name}, '{}')
  `
  await insert('old', 9)
  await insert('quarantined', 9)
  await insert('young', 6)
  await box.sql`update waiting_events set attempts = 1, failed_at = now(), retry_at = now() + interval '1 hour'`
  await box.sql`
    delete from waiting_events where id <> all(array(select id from outbox where name = 'quarantined'))
  `
  await runNightlyJob()
  const left = await box.sql<{ name: string }[]>`
    select name from outbox where name in ('old', 'quarantined', 'young') order by name
  `
  expect(left.map(({ name }) => name)).toEqual(['quarantined', 'young'])
  await box.sql`delete from outbox where name = 'quarantined'`
})

test('read notifications are deleted after half a year, and the counters are updated', async () => {
  const insert = (title: string, days: number, sequence: number, read: boolean) => box.sql`
    insert into notifications (
      id, user_id, sequence, organization_id, source_id, type, title, body, resource_type, resource_id, read_at, created_at
    )
    values (
      id_of(${days}), ${ada.id}, ${sequence}, ${site.organization.id}, uuidv7(), 'gate_pending', ${title}, '', 'gate', uuidv7(),
      ${read ? new Date().toISOString() : null}::timestamptz, now() - ${days} * interval '1 day'
    )
  `
  await box.sql`delete from notifications where user_id = ${ada.id}`
  await box.sql`
    insert into notification_inboxes (user_id, sequence) values (${ada.id}, 20)
    on conflict (user_id) do update set sequence = 20, read_through = 0
  `
  await insert('read with all', 190, 1, false)
  await box.sql`
    insert into notification_read_marks (user_id, through, read_at) values (${ada.id}, 1, now() - interval '185 days')
  `
  await box.sql`update notification_inboxes set read_through = 1, unread = 0 where user_id = ${ada.id}`
  await insert('unread', 189, 2, false)
  await insert('read', 188, 3, true)
  await insert('young', 170, 4, true)
  await runNightlyJob()
  const { body } = await ada.get('/api/v1/notifications')
  expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['young', 'unread'])
  expect([body.total, body.unread_count]).toEqual([2, 1])
  expect([...(await box.sql`select through from notification_read_marks where user_id = ${ada.id}`)]).toEqual([])
})

test('stored responses are kept for a day, and job runs for two weeks', async () => {
  await box.sql`
    insert into idempotency_keys (caller_id, key, fingerprint, status, response, created_at)
    values
      (${ada.id}, 'yesterday', '', 200, '', now() - interval '25 hours'),
      (${ada.id}, 'today', '', 200, '', now() - interval '23 hours')
  `
  await box.sql`
    insert into ops.job_runs (id, job_id, task, attempt, outcome, wait_ms, run_ms, started_at, finished_at)
    select id_of(days), 0, 'long ago ' || days, 1, 'succeeded', 1, 1, now(), now()
    from unnest(array[13.0, 16.0]) as days
  `
  await runNightlyJob()
  const keys = await box.sql<{ key: string }[]>`select key from idempotency_keys where caller_id = ${ada.id}`
  expect(keys.map(({ key }) => key)).toEqual(['today'])
  const runs = await box.sql<{ task: string }[]>`select task from ops.job_runs where job_id = 0`
  expect(runs.map(({ task }) => task)).toEqual(['long ago 13.0'])
})

test('links that decide gates are deleted a week after they have expired', async () => {
  const execution = await box.running(ada, site.project.id)
  const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })
  await box.sql`
    insert into decision_links (hash, organization_id, gate_id, user_id, email, expires_at)
    select sha256(state::bytea), ${site.organization.id}, ${gate.id}, ${ada.id}, ${ada.email}, now() + age
    from (values ('expired', interval '-7 days -1 second'), ('valid', interval '-6 days')) as link (state, age)
  `
  await runNightlyJob()
  const left = await box.sql<{ is_valid: boolean }[]>`
    select hash = sha256('valid') as is_valid from decision_links where gate_id = ${gate.id}
  `
  expect([...left]).toEqual([{ is_valid: true }])
})

test('empty job queues of tenants are deleted', async () => {
  const queue = `compare_tracks:${site.organization.id}`
  await box.sql`
    select graphile_worker.add_job(
      'mail_verification', '{"user_id": "00000000-0000-0000-0000-000000000000"}', queue_name := ${queue}
    )
  `
  const queues = () => box.sql`select from graphile_worker._private_job_queues where queue_name = ${queue}`
  expect(await queues()).toHaveLength(1)
  await box.until(
    'its job is done',
    async () => (await box.sql`select from graphile_worker.jobs where queue_name = ${queue}`).length === 0,
  )
  await runNightlyJob()
  expect(await queues()).toHaveLength(0)
})

test('expired tokens of clients are deleted, and codes too unless they were used, so that a second use is noticed', async () => {
  const client = 'https://agent.example.com/client'
  const [{ token_id }] = await box.sql<[{ token_id: string }]>`
    insert into personal_tokens (user_id, client_id, name, scope, expires_at)
    values (${ada.id}, ${client}, 'Agent', 'read', now() + interval '1 day')
    returning id as token_id
  `
  await box.sql`
    insert into client_tokens (hash, token_id, kind, scope, expires_at)
    select sha256(kind::bytea), ${token_id}, kind, 'read', now() + age
    from (values ('access', interval '-1 second'), ('refresh', interval '1 day')) as secret (kind, age)
  `
  await box.sql`
    insert into authorization_codes (
      hash, user_id, session_id, client_id, name, redirect_uri, code_challenge, scope, tools_only, token_id, expires_at
    )
    select
      sha256(state::bytea), ${ada.id}, (select id from sessions where user_id = ${ada.id} limit 1), ${client}, 'Agent',
      'https://a/', repeat('c', 43), 'read', true, case state when 'used' then ${token_id}::uuid end, now() + age
    from (
      values ('used', interval '-1 day'), ('expired', interval '-1 second'), ('waits', interval '1 minute')
    ) as code (state, age)
  `
  await runNightlyJob()
  const tokens = await box.sql<{ kind: string }[]>`select kind from client_tokens where token_id = ${token_id}`
  expect(tokens.map(({ kind }) => kind)).toEqual(['refresh'])
  const codes = await box.sql<{ is_used: boolean }[]>`
    select token_id is not null as is_used from authorization_codes where user_id = ${ada.id} order by expires_at
  `
  expect(codes.map(({ is_used }) => is_used)).toEqual([true, false])
})

test('what tells of an invitation is read once the invitation has expired', async () => {
  const person = await box.user('Invited')
  const invite = (email: string) => ada.make(`/api/v1/organizations/${site.organization.id}/members`, { email })
  const ids = [(await invite('expired@example.com')).id, (await invite('open@example.com')).id]
  await fill(box, person, site, ids.length)
  await box.sql`
    update notifications
    set type = 'invitation_received', resource_type = 'invitation', resource_id = named.id, source_id = named.id
    from unnest(${ids}::uuid[]) with ordinality as named (id, number)
    where user_id = ${person.id}
      and sequence = named.number
  `
  await box.sql`update invitations set expires_at = now() where id = ${ids[0] ?? ''}`
  await runNightlyJob()
  const { items } = await inboxOf(person)
  expect(items.map((item: Answer['body']) => [item.resource_id, item.is_read])).toEqual([
    [ids[1], false],
    [ids[0], true],
  ])
})
