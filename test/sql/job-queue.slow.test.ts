/** The boundary to graphile-worker: its schema can change below our views, and their plans are as good as on its tables. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { emptyDatabase, freshDatabase } from '../support/server.ts'
import { untilReleaseWaits } from './releases.ts'

/** The migrations that graphile-worker applies. */
const { migrations }: { migrations: Record<string, string> } = await import(
  new URL('generated/sql.js', import.meta.resolve('graphile-worker')).href
)
const published = { ...migrations }
const NEXT = '000999.sql'

const sessions: Sql[] = []
const sessionOf = (url: string): Sql => {
  const sql = connect(url, 'signalbox test', 1)
  sessions.push(sql)
  return sql
}
afterAll(() => Promise.all(sessions.map((each) => each.end({ timeout: 1 }))))

const additions = async (sql: Sql) =>
  (
    await sql<{ name: string }[]>`
      select format('%I.%I', nspname, relname) as name
      from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('ops', 'queue') and relkind = 'v'
        or nspname = 'graphile_worker' and starts_with(relname, 'ops_')
      union all
      select tgname from pg_trigger where starts_with(tgname, 'ops_')
      order by 1
    `
  ).map(({ name }) => name)

describe('a new version of graphile-worker', () => {
  /** Changes every private table, and a column of each of our views, indexes and triggers. */
  const CHANGES = `
    drop view :GRAPHILE_WORKER_SCHEMA.jobs;
    alter table :GRAPHILE_WORKER_SCHEMA._private_jobs alter column run_at type timestamptz(3), alter column flags type text;
    alter table :GRAPHILE_WORKER_SCHEMA._private_jobs alter column flags type jsonb using flags::jsonb;
    alter table :GRAPHILE_WORKER_SCHEMA._private_jobs drop column last_error;
    alter table :GRAPHILE_WORKER_SCHEMA._private_jobs add column last_error varchar(100000);
    alter table :GRAPHILE_WORKER_SCHEMA._private_job_queues drop column is_available;
    alter table :GRAPHILE_WORKER_SCHEMA._private_job_queues alter column locked_at type timestamptz(3);
    alter table :GRAPHILE_WORKER_SCHEMA._private_job_queues
      add column is_available boolean not null generated always as (locked_at is null and locked_by is null) stored;
    alter table :GRAPHILE_WORKER_SCHEMA._private_tasks alter column identifier type varchar(200);
    alter table :GRAPHILE_WORKER_SCHEMA._private_known_crontabs alter column last_execution type timestamptz(3);
    ${published['000017.sql']}
  `
  let url: string
  let sql: Sql

  /** Uses a database of the previous version, with a job in it. */
  async function open(database: string): Promise<void> {
    url = database
    sql = sessionOf(url)
    await sql`
      select from graphile_worker.add_job('mail_verification', '{}', flags := array['org:00000000-0000-4000-8000-000000000001'])
    `
  }
  afterEach(() => {
    for (const name of Object.keys(migrations)) delete migrations[name]
    Object.assign(migrations, published)
  })

  const lastMigration = async () =>
    (await sql<[{ last: number }]>`select max(id) as last from graphile_worker.migrations`)[0].last

  test('is migrated below the views while the previous version reads them', async () => {
    // Our views on an earlier schema of graphile-worker.
    const earlier = await emptyDatabase()
    for (const name of ['000018.sql', '000019.sql', '000020.sql']) delete migrations[name]
    await migrate(earlier)
    await open(earlier)
    expect(await lastMigration()).toBe(17)

    Object.assign(migrations, published, { [NEXT]: CHANGES })
    const before = await additions(sql)
    const failures = new Set<string>()
    let releasing = true
    const reading = ['health', 'backlog_detail', 'stranded_detail'].map(async (view) => {
      const reader = sessionOf(url)
      while (releasing) await reader`select from ${reader(`ops.${view}`)}`.catch(({ code }) => failures.add(code))
    })
    // A transaction that has read the views and continues to read: the release waits for it.
    const late = sessionOf(url)
    let releases: Promise<unknown> = Promise.resolve()
    await late.begin(async (tx) => {
      await tx`select from ops.health`
      releases = Promise.all([migrate(url), migrate(url)])
      await untilReleaseWaits(sql)
      expect(await tx`select from ops.backlog_detail`).toHaveLength(1)
    })
    await releases
    releasing = false
    await Promise.all(reading)

    expect(await lastMigration()).toBe(999)
    expect(await additions(sql)).toEqual(before)
    expect((await sql`select task, state from ops.jobs`).map((row) => ({ ...row }))).toEqual([
      { task: 'mail_verification', state: 'ready' },
    ])
    // The views are missing for a moment; readers must tolerate that.
    expect([...failures].filter((code) => code !== '42P01')).toEqual([])
  })

  test('that cannot be applied leaves the previous version with its views', async () => {
    await open(await freshDatabase())
    migrations[NEXT] = `${CHANGES} select 1 / 0;`
    const before = await additions(sql)
    const error = await migrate(url).catch(({ code }) => code)
    expect(error).toBe('22012')
    expect(await lastMigration()).toBe(20)
    expect(await additions(sql)).toEqual(before)
    expect(await sql`select from ops.backlog`).toHaveLength(1)
  })

  test('is not changed by a release of the previous version', async () => {
    await open(await freshDatabase())
    migrations[NEXT] = CHANGES
    await migrate(url)
    delete migrations[NEXT]
    await migrate(url)
    expect(await lastMigration()).toBe(999)
    expect(await sql`select from ops.backlog`).toHaveLength(1)
  })
})

test('a failing migration of our own leaves the previous version with its views', async () => {
  const url = await freshDatabase()
  const sql = sessionOf(url)
  const before = await additions(sql)
  // The migration is applied again and fails, because its table exists.
  await sql`delete from schema_migrations where name = '0016_deliverables_and_comparisons.sql'`
  const error = await migrate(url).catch(({ code }) => code)
  expect(error).toBe('42P07')
  expect(await additions(sql)).toEqual(before)
})

describe('with a queue of many jobs', () => {
  let sql: Sql

  beforeAll(async () => {
    sql = sessionOf(await freshDatabase())
    const jobs = (count: number, run_at: string) => sql`
      select from graphile_worker.add_jobs(array(
        select (
          'task_' || number % 3, '{}', null, now() + ${run_at}::interval, null, null, null,
          array['org:00000000-0000-4000-8000-' || lpad((number % 20)::text, 12, '0')]
        )::graphile_worker.job_spec
        from generate_series(1, ${count}::integer) as number
      ))
    `
    await jobs(10_000, '-1 minute')
    await jobs(10_000, '1 minute')
    const ids = sql`select id from graphile_worker._private_jobs order by id`
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where id = any(array(${ids} limit 20))`
    await sql`
      update graphile_worker._private_jobs
      set locked_at = now() - interval '1 hour', locked_by = 'gone'
      where id = any(array(${ids} limit 20 offset 20))
    `
    await sql`vacuum analyze graphile_worker._private_jobs`
  })

  /**
   * The indexes that a statement uses to read jobs, `the whole table` for a sequential scan. Samples are bounded and
   * left out.
   */
  async function readsOf(statement: string): Promise<string[]> {
    const plan = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`explain (costs off) ${statement}`)
    const lines = plan.map((row) => row['QUERY PLAN']).filter((line) => / on _private_jobs\b/.test(line))
    const reads = lines.filter((line) => !line.includes('Sample Scan'))
    return [...new Set(reads.map((line) => /using (\w+)/.exec(line)?.[1] ?? 'the whole table'))].sort()
  }

  test.each([
    ['ops.backlog', ['ops_jobs_tenant']],
    ['ops.failed_jobs', ['ops_jobs_failed']],
    ['ops.stuck_jobs', ['ops_jobs_locked']],
    ['ops.workers', ['ops_jobs_locked']],
    ['ops.queue_stats', ['ops_jobs_failed', 'ops_jobs_locked', 'ops_jobs_task', 'ops_jobs_tenant']],
    ['ops.tenant_load', ['ops_jobs_failed', 'ops_jobs_locked', 'ops_jobs_tenant']],
  ])('%s reads only what it shows', async (view, indexes) => {
    expect(await readsOf(`select * from ${view}`)).toEqual(indexes)
  })

  test('ops.stranded looks up jobs by key', async () => {
    expect(await readsOf('select * from ops.stranded')).toEqual([expect.stringContaining('key')])
  })

  test('the views show the right numbers', async () => {
    const [stats] = await sql`
      select sum(running) as running, sum(failed) as failed, sum(ready + retrying + scheduled) > 15000 as many
      from ops.queue_stats
      where kind = 'job'
    `
    expect({ ...stats }).toEqual({ running: 20, failed: 20, many: true })
    expect(await sql`select from ops.backlog`).toHaveLength(60)
    expect(await sql`select from ops.failed_jobs`).toHaveLength(20)
    expect(await sql`select from ops.stuck_jobs`).toHaveLength(20)
  })
})
