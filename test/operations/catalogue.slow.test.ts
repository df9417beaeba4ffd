import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TASKS } from '../../worker/tasks.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { failedJob } from './support.ts'

const VIEWS = [
  'jobs',
  'queue_stats',
  'failed_jobs',
  'stuck_jobs',
  'workers',
  'task_stats',
  'tenant_load',
  'outbox_lag',
  'hook_health',
  'channel_health',
  'crons',
  'sweeps',
  'health',
]

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true, environment: { HOOK_RETRY_SECONDS: '0.1', CHANNEL_RETRY_SECONDS: '0.1' } })
})
afterAll(() => bench.close())

const views = async () =>
  (
    await bench.box.sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'ops'::regnamespace and relkind = 'v' order by relname
    `
  ).map(({ name }) => name)

test('every documented view exists', async () => {
  expect(await views()).toEqual(expect.arrayContaining(VIEWS))
})

test('every view, column and function, both tables and the schema have a comment', async () => {
  const uncommented = await bench.box.sql<{ what: string }[]>`
    select relation.oid::regclass::text as what
    from pg_class as relation
    where relnamespace = 'ops'::regnamespace
      and relname in (select relname from pg_class where relkind = 'v' union select unnest('{pauses,actions}'::text[]))
      and obj_description(relation.oid, 'pg_class') is null
    union all
    select format('%s.%I', attrelid::regclass, attname)
    from pg_attribute
    join pg_class as relation on relation.oid = attrelid
    where relnamespace = 'ops'::regnamespace
      and relkind = 'v'
      and attnum > 0
      and col_description(attrelid, attnum) is null
    union all
    select oid::regprocedure::text
    from pg_proc
    where pronamespace = 'ops'::regnamespace
      and obj_description(oid, 'pg_proc') is null
    union all
    select nspname from pg_namespace where nspname = 'ops' and obj_description(oid, 'pg_namespace') is null
  `
  expect(uncommented.map(({ what }) => what)).toEqual([])
})

test('ops.tasks describes exactly the tasks that exist', async () => {
  const described = await bench.box.sql<
    { task: string }[]
  >`select task from ops.tasks where description is not null order by task`
  expect(described.map(({ task }) => task)).toEqual(Object.keys(TASKS).sort())
})

test('functions with side effects have a fixed search_path, run as the owner, and must be granted to other roles', async () => {
  const functions = await bench.box.sql<{ name: string; definer: boolean; path: string; open: boolean }[]>`
    select
      proname as name, prosecdef as definer, coalesce(array_to_string(proconfig, ','), '') as path,
      proname not in (
        'vacuum_holders', 'nodes', 'moving_shards', 'shown_error', 'tenant_of', 'origin', 'cut', 'wrapped', 'short_id',
        'lane_task'
      )
        and (has_function_privilege('signalbox_ops', oid, 'execute') or proacl is null or proacl::text ~ '[{,]=') as open
    from pg_proc
    where pronamespace = 'ops'::regnamespace
  `
  const withSideEffects = ['discard', 'pause', 'resume', 'retry', 'retry_failed', 'unlock_dead_workers', 'wake_stranded']
  // PostgreSQL hides sessions from other accounts.
  const withHiddenRows = ['vacuum_holders']
  expect(
    functions
      .filter(({ definer }) => definer)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...withSideEffects, ...withHiddenRows].sort())
  for (const { path } of functions.filter(({ definer }) => definer)) expect(path).toBe('search_path=pg_catalog, public, pg_temp')
  expect(functions.filter(({ open }) => open)).toEqual([])
})

test('no view shows a payload or a secret, whatever failed', async () => {
  const secrets = {
    hook: 's3cret-of-the-hook',
    header: 'v4lue-of-a-header',
    path: 'p4th-of-a-web-address',
    payload: 'p4yload-of-a-job',
    short: 'hunter2',
    answer: 'what-the-receiver-4nswered',
    gate: 'G4te-of-the-event',
  }
  const { box, admin, site } = bench
  const { project, receiver } = await bench.hooked({ secret: secrets.hook, headers: { 'X-Api-Key': secrets.header } })
  receiver.answer = () => new Response(secrets.answer, { status: 500 })
  const channel = await admin.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Room',
    channel_type: 'webhook',
    config: { url: `${receiver.url}/${secrets.path}`, secret: secrets.hook },
  })
  await admin.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: 'gate.*' })
  const execution = await box.running(admin, project.id)
  const gate = await admin.make(`/api/v1/executions/${execution.id}/gates`, { name: secrets.gate })
  await admin.make(`/api/v1/gates/${gate.id}/approve`)
  await failedJob(box, secrets.payload)
  await failedJob(box, secrets.short)
  await box.until('a job, a dispatch and a message have failed', async () => {
    const [{ kinds }] = await box.sql<[{ kinds: number }]>`select count(distinct kind) as kinds from ops.failed_jobs`
    return kinds === 3
  })
  expect(await views()).toContain('failed_jobs')
  for (const view of await views()) {
    const rows = JSON.stringify(await box.sql.unsafe(`table ops.${view}`))
    for (const secret of Object.values(secrets)) expect([view, rows.includes(secret)]).toEqual([view, false])
  }
  // The same search finds values that are not secret, and the errors are readable.
  const failed = await box.sql<{ kind: string; error: string }[]>`select kind, error from ops.failed_jobs_detail`
  expect(new Set(failed.map(({ error }) => error))).toEqual(new Set(['invalid input syntax for type uuid: …', 'http_error 500']))
})
