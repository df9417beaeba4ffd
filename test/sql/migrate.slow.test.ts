import { afterAll, beforeEach, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { freePort } from '../../bin/support/ports.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { emptyDatabase, SECRETS } from '../support/server.ts'
import { Process } from '../support/signalbox.ts'

let url: string
let sql: Sql | undefined
const open: Sql[] = []

beforeEach(async () => {
  url = await emptyDatabase()
  sql = connect(url, 'signalbox test', 2)
  open.push(sql)
})
afterAll(() => Promise.all(open.map((each) => each.end({ timeout: 1 }))))

const files = async () =>
  (await readdir(`${import.meta.dir}/../../sql/migrations`)).filter((name) => name.endsWith('.sql')).sort()

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
  expect(releases.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(releases.filter(({ output }) => output.includes('up to date'))).toHaveLength(2)
  expect((await applied()).sort()).toEqual(await files())
})

test('a migration that was changed after it was applied stops the release and is named', async () => {
  await release()
  await (sql as Sql)`update schema_migrations set checksum = 'other' where name = '0003_organizations.sql'`
  const { code, output } = await release()
  expect(code).toBe(1)
  expect(output).toContain('Migration 0003_organizations.sql was changed after it was applied.')
})

test('a migration of a newer version stops the release and is named', async () => {
  await release()
  await (sql as Sql)`insert into schema_migrations (name, checksum) values ('9999_from_the_future.sql', 'x')`
  const { code, output } = await release()
  expect(code).toBe(1)
  expect(output).toContain('9999_from_the_future.sql')
  expect(output).toContain('newer version')
})

test('a database from before 0.2.0 is left unchanged, with advice', async () => {
  const database = sql as Sql
  await database`create table schema_migrations (name text primary key, checksum text not null, applied_at timestamptz(3) not null default now())`
  // Some file numbers are the same, with other migrations.
  for (const name of ['0001_foundations.sql', '0003_organizations.sql', '0064_dropping_partitions.sql'])
    await database`insert into schema_migrations (name, checksum) values (${name}, 'x')`
  await database`create table organizations as select 'Acme Robotics' as name`
  const state = () => database`
    select (select array_agg(name order by name) from schema_migrations) as migrations, (select name from organizations) as organization,
      (select array_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as relations
  `
  const before = await state()
  const { code, output } = await release()
  expect(code).toBe(1)
  expect(output).toContain('created by a version before 0.2.0')
  expect(output).toContain('use a new, empty database, or for `bun start` a new folder in DATA_DIR.')
  expect(await state()).toEqual(before)

  const port = await freePort('0.0.0.0')
  const api = new Process('api/server.ts', { ...SECRETS, DATABASE_URL: url, PORT: String(port), EMAIL_VERIFICATION: 'off' })
  await api.said('API listening')
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
    503,
    expect.stringContaining('before 0.2.0'),
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

test('an API that is started during the rollout of a newer version serves on the migrated database', async () => {
  await release()
  await (sql as Sql)`insert into schema_migrations (name, checksum) values ('9999_from_the_future.sql', 'x')`
  const port = await freePort('0.0.0.0')
  const api = new Process('api/server.ts', { ...SECRETS, DATABASE_URL: url, PORT: String(port), EMAIL_VERIFICATION: 'off' })
  await api.said('API listening')
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  api.kill('SIGTERM')
  expect(await api.exited).toBe(0)
})
