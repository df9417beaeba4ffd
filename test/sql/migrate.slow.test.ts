import { afterAll, beforeEach, expect, test } from 'bun:test'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { migrateWithRollouts, readRuns, runsAfter } from '../../faults/upgrade/rollouts-before.ts'
import { version } from '../../package.json'
import { connect, type Sql } from '../../sql/index.ts'
import { MigrationError, migrate } from '../../sql/migrate.ts'
import { emptyDatabase, SECRETS } from '../support/server.ts'
import { Process, signalbox } from '../support/signalbox.ts'

let url: string
let sql: Sql | undefined
const open: Sql[] = []

beforeEach(async () => {
  url = await emptyDatabase()
  sql = connect(url, 'signalbox test', 2)
  open.push(sql)
})
afterAll(() => Promise.all(open.map((each) => each.end({ timeout: 1 }))))

const MIGRATIONS = join(import.meta.dir, '../../sql/migrations')
const files = async () => (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()

/** Runs the release process, which needs no other setting. */
async function release(): Promise<{ code: number; output: string }> {
  const process = new Process('sql/migrate.ts', { DATABASE_URL: url })
  const code = await process.exited
  return { code, output: process.lines.join('\n') }
}

const applied = async () =>
  (await (sql as Sql)<{ name: string }[]>`select name from schema_migrations order by applied_at, name`).map(({ name }) => name)

test('an empty database gets every migration in order, and a second run changes nothing', async () => {
  const first = await release()
  expect([first.code, first.output]).toEqual([0, expect.stringContaining(`Applied ${(await files()).length} migrations.`)])
  expect((await applied()).sort()).toEqual(await files())
  const before = await (sql as Sql)`select * from schema_migrations order by name`
  const second = await release()
  expect([second.code, second.output]).toEqual([0, 'The database is up to date.'])
  expect(await (sql as Sql)`select * from schema_migrations order by name`).toEqual(before)
})

test('three concurrent releases apply each migration once, and all succeed', async () => {
  const releases = await Promise.all([release(), release(), release()])
  expect(releases.filter(({ code }) => code !== 0)).toEqual([])
  expect(releases.filter(({ output }) => output.includes('up to date'))).toHaveLength(2)
  expect((await applied()).sort()).toEqual(await files())
})

test('a release waits for another one, also for longer than other statements may take', async () => {
  const other = connect(url, 'signalbox test', 1)
  open.push(other)
  await other`select pg_advisory_lock(hashtext('signalbox.migrate'))`
  const waiting = new Process('sql/migrate.ts', { DATABASE_URL: url })
  await waiting.said('Another release is running: waiting for it.')
  // Ordinary statements are ended after 30 seconds.
  await Bun.sleep(31_000)
  await other.end()
  expect(await waiting.exited).toBe(0)
  expect(await applied()).toHaveLength((await files()).length)
})

test('a release that others keep from its views says what to do, and changes nothing', async () => {
  await release()
  const views = () =>
    (sql as Sql)`select oid from pg_class where relnamespace in ('ops'::regnamespace, 'queue'::regnamespace) order by oid`
  const before = await views()
  const operator = connect(url, 'signalbox test', 1, { idle_in_transaction_session_timeout: '0' })
  open.push(operator)
  const { code, output } = await operator.begin(async (tx) => {
    await tx`select from ops.health`
    return release()
  })
  expect([code, output]).toEqual([
    1,
    'The migration failed, and the database is as it was before. Other sessions use the tables all the time: end long transactions and backups, then run it again.',
  ])
  expect(await views()).toEqual(before)
}, 180_000)

test('a release that is done has not failed because the key could not be checked', async () => {
  await release()
  const database = sql as Sql
  const { code, output } = await database.begin(async (tx) => {
    await tx`lock table totp_setups in access exclusive mode`
    const process = new Process('sql/migrate.ts', { DATABASE_URL: url, SECRETS_KEY: SECRETS.SECRETS_KEY })
    await process.said('The database is up to date.')
    // Statements are sent again after their connection was lost.
    while (!process.hasExited)
      await database`
        select pg_terminate_backend(pid)
        from pg_stat_activity
        where datname = current_database()
          and application_name = 'signalbox release'
          and wait_event_type = 'Lock'
      `
    const code = await process.exited
    await process.isRead
    return { code, output: process.lines.join('\n') }
  })
  expect([code, output]).toEqual([0, expect.stringMatching(/^The database is up to date\.\nSECRETS_KEY could not be checked\. /)])
})

test('a migration that was changed after it was applied stops the release and is named', async () => {
  await release()
  await (sql as Sql)`update schema_migrations set checksum = 'other' where name = '0003_organizations.sql'`
  const { code, output } = await release()
  expect([code, output]).toEqual([
    1,
    'Migration 0003_organizations.sql was changed after it was applied. Restore the file, and put the change into a new one.',
  ])
})

test('a migration of a newer version stops the release and is named', async () => {
  await release()
  await (sql as Sql)`insert into schema_migrations (name, checksum) values ('9999_from_the_future.sql', 'x')`
  expect(await release()).toEqual({
    code: 1,
    output:
      'The database has migration 9999_from_the_future.sql, which this code does not: it was migrated by a newer version. Deploy that one.',
  })
})

test('rollouts from before promotion say where their subjects run', async () => {
  const [organization_id, workspace_id, project_id] = Array.from({ length: 3 }, () => crypto.randomUUID()) as [
    string,
    string,
    string,
  ]
  const place = { organization_id, workspace_id, project_id }
  // Without the triggers that would ask for the rest.
  const wrapped = (statements: string) => `
    set local session_replication_role = replica;
    insert into projects (id, organization_id, workspace_id, name, created_by)
    values ('${project_id}', '${organization_id}', '${workspace_id}', 'Checkout', '${project_id}');
    ${statements}
    set local session_replication_role = origin;
  `
  await migrateWithRollouts(sql as Sql, place, (folder) => migrate(url, undefined, folder), wrapped)
  expect(await readRuns(sql as Sql, place)).toEqual(runsAfter(project_id))
  expect(await release()).toEqual({ code: 0, output: 'The database is up to date.' })
})

test('a database from before 0.3.0 is left unchanged, with advice', async () => {
  const database = sql as Sql
  await database`
    create table schema_migrations (
      name       text primary key,
      checksum   text not null,
      applied_at timestamptz(3) not null default now()
    )
  `
  // Some file numbers are the same, with other migrations.
  for (const name of ['0001_foundations.sql', '0003_organizations.sql', '0064_dropping_partitions.sql'])
    await database`insert into schema_migrations (name, checksum) values (${name}, 'x')`
  await database`create table organizations as select 'Acme Robotics' as name`
  const state = () => database`
    select
      (select array_agg(name order by name) from schema_migrations) as migrations,
      (select name from organizations) as organization,
      (select array_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as relations
  `
  const before = await state()
  const { code, output } = await release()
  expect(code).toBe(1)
  expect(output).toContain('created by a version before 0.3.0')
  expect(output).toContain('use a new, empty database, or for `bun start` a new folder in DATA_DIR.')
  expect(await state()).toEqual(before)

  const port = await freePort('0.0.0.0')
  const api = new Process('api/server.ts', { ...SECRETS, DATABASE_URL: url, PORT: String(port), EMAIL_VERIFICATION: 'off' })
  await api.said('API listening')
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('before 0.3.0'),
  ])
  api.kill('SIGTERM')
  expect(await api.exited).toBe(0)
})

test('an API whose database is not migrated reports that, and is ready after the migration', async () => {
  const port = await freePort('0.0.0.0')
  const environment = { ...SECRETS, DATABASE_URL: url, PORT: String(port), EMAIL_VERIFICATION: 'off' }
  const api = new Process('api/server.ts', environment)
  await api.said('API listening')
  const ready = () => fetch(`http://127.0.0.1:${port}/readyz`)
  const before = await ready()
  expect([before.status, ((await before.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('not migrated'),
  ])
  expect((await release()).code).toBe(0)
  expect((await ready()).status).toBe(200)
  api.kill('SIGTERM')
  expect(await api.exited).toBe(0)
})

/** Starts API and worker. @returns what the API says about its readiness, after the worker has said `line` */
async function startProcesses(line: string): Promise<{ status: number; detail?: string; workers: number }> {
  const port = await freePort('0.0.0.0')
  const environment = { ...SECRETS, DATABASE_URL: url, PORT: String(port), EMAIL_VERIFICATION: 'off' }
  const processes = [new Process('api/server.ts', environment), new Process('worker/main.ts', environment)] as const
  await Promise.all([processes[0].said('API listening'), processes[1].said(line)])
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  const { detail } = (await answer.json()) as { detail?: string }
  const [{ workers }] = await (sql as Sql)<[{ workers: number }]>`select count(*) as workers from workers`
  for (const process of processes) process.kill('SIGTERM')
  expect(await Promise.all(processes.map(({ exited }) => exited))).toEqual([0, 0])
  return { status: answer.status, detail, workers }
}

test('API and worker that are started during the rollout of a newer version serve on the migrated database', async () => {
  await release()
  await (sql as Sql)`insert into schema_migrations (name, checksum) values ('9999_from_the_future.sql', 'x')`
  expect(await startProcesses('worker started')).toEqual({ status: 200, detail: undefined, workers: 1 })
})

test('no process serves on a database whose newer migrations it cannot run on, and each says so', async () => {
  await release()
  await (sql as Sql)`
    insert into schema_migrations (name, checksum, oldest_version) values ('9999_from_the_future.sql', 'x', '99.1.0')
  `
  const detail = `The database has migration 9999_from_the_future.sql, which this code, version ${version}, cannot run on: deploy 99.1.0 or newer.`
  expect(await startProcesses(detail)).toEqual({ status: 503, detail, workers: 0 })
})

test('no process serves on a database with another text of a migration, and each says so', async () => {
  await release()
  await (sql as Sql)`update schema_migrations set checksum = 'other' where name = '0003_organizations.sql'`
  const detail =
    'Migration 0003_organizations.sql was changed after it was applied. Restore the file, and put the change into a new one.'
  expect(await startProcesses(detail)).toEqual({ status: 503, detail, workers: 0 })
})

/** The migrations, and one that removes what versions before 99.1.0 use. */
async function withContract(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  const text = '-- Nobody reads it any more.\n-- Contract: 99.1.0\nalter table gate_approvals drop column comment;\n'
  await Bun.write(join(folder, '9999_contract.sql'), text)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('a migration that ends the use by earlier versions is recorded with the oldest that may run', async () => {
  await release()
  await using contract = await withContract()
  expect(await migrate(url, undefined, contract.folder)).toEqual(['9999_contract.sql'])
  const ends = await (sql as Sql)`
    select name, oldest_version
    from schema_migrations
    where name in (${(await files())[0] ?? ''}, '9999_contract.sql')
    order by name desc
  `
  expect(ends.map((row) => ({ ...row }))).toEqual([
    { name: '9999_contract.sql', oldest_version: '99.1.0' },
    { name: (await files())[0], oldest_version: null },
  ])
})

test('a migration that ends the use by earlier versions waits until their processes are stopped', async () => {
  await release()
  await using contract = await withContract()
  const before = await applied()
  const box = await signalbox({ own: true, url, workers: 1 })
  const refusal = migrate(url, undefined, contract.folder)
  await expect(refusal).rejects.toBeInstanceOf(MigrationError)
  await expect(refusal).rejects.toThrow(
    new RegExp(
      `what processes of versions before 99\\.1\\.0 use, and these are connected: signalbox main ${version}.* \\(sessions [\\d, ]+\\); signalbox server ${version}.* \\(sessions [\\d, ]+\\)\\. Nothing was changed\\. Stop them`,
    ),
  )
  expect(await applied()).toEqual(before)
  await (await box.user('Ada')).make('/api/v1/organizations', { name: 'Acme Robotics' })
  await box.kill()

  // Sessions of 0.3.0 name no version. New processes may wait for the release, and operators look.
  const first = connect(url, 'signalbox server', 1)
  open.push(first)
  const names = ['signalbox main 99.1.0', 'signalbox main 100.0.0 (eu)', 'signalbox ops (ada@example.com)', 'psql']
  const others = names.map((name) => connect(url, name, 1))
  open.push(...others)
  await Promise.all([first, ...others].map((session) => session`select`))
  await expect(migrate(url, undefined, contract.folder)).rejects.toThrow(/ are connected: signalbox server [^;]*\. Nothing/)
  await first.end()
  expect(await migrate(url, undefined, contract.folder)).toEqual(['9999_contract.sql'])
})
