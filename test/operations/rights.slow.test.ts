import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../../bin/support/postgres.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { WITHOUT_FSYNC } from '../support/postgres-without-fsync.ts'
import { SECRETS } from '../support/server.ts'
import { Process } from '../support/signalbox.ts'
import { ops } from './support.ts'

// Roles belong to a server, and the server shared by all tests has ours already.
let folder: string
let postgres: Postgres
let admin: Sql
const open: Sql[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-test-'))
  postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: WITHOUT_FSYNC })
  admin = connectAs(postgres.url)
})

afterAll(async () => {
  await Promise.all(open.map((sql) => sql.end({ timeout: 1 })))
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

function connectAs(url: string): Sql {
  const sql = connect(url, 'signalbox test', 2)
  open.push(sql)
  return sql
}

function urlOf(user: string, database: string): string {
  const url = new URL(postgres.url)
  Object.assign(url, { username: user, password: 'pass', pathname: `/${database}` })
  return url.href
}

/** Runs the release process. */
async function release(url: string): Promise<{ code: number; output: string }> {
  const process = new Process('sql/migrate.ts', { ...SECRETS, DATABASE_URL: url, EMAIL_VERIFICATION: 'off' })
  const code = await process.exited
  return { code, output: process.lines.join('\n') }
}

const sqlstateOf = (asked: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(asked).then(
    () => 'allowed',
    (error) => error.code,
  )

/** SQLSTATE of insufficient privileges. */
const FORBIDDEN = '42501'

const views = async (sql: Sql) =>
  (
    await sql<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'ops'::regnamespace and relkind = 'v' order by relname
    `
  ).map(({ name }) => name)

describe('an owner that may not create roles', () => {
  let owner: string

  beforeAll(async () => {
    await admin`create role plain login password 'pass'`
    await admin`create database plain owner plain`
    owner = urlOf('plain', 'plain')
  })

  test('gets all views, and a note that the role signalbox_ops was not created', async () => {
    for (const _ of ['first', 'second']) {
      const { code, output } = await release(owner)
      expect([code, output]).toEqual([0, expect.stringContaining('The role signalbox_ops was not created')])
    }
    const sql = connectAs(owner)
    expect((await views(sql)).length).toBeGreaterThanOrEqual(12)
    for (const view of await views(sql)) await sql.unsafe(`table ops.${view}`)
    const [pause] = await sql`select flag, paused_by from ops.pause('task:dispatch_hook', 'a test')`
    expect(pause).toEqual({ flag: 'task:dispatch_hook', paused_by: 'plain' })
    expect((await ops({ DATABASE_URL: owner })).code).toBe(2)
  })
})

describe('a member of signalbox_ops', () => {
  let reader: Sql
  let url: string

  beforeAll(async () => {
    await admin`create role owner login createrole password 'pass'`
    await admin`create database signal owner owner`
    const released = await release(urlOf('owner', 'signal'))
    expect([released.code, released.output]).toEqual([0, expect.not.stringContaining('was not created')])
    const owner = connectAs(urlOf('owner', 'signal'))
    await owner`select from graphile_worker.add_job('mail_verification', '{}', run_at := now() - interval '2 minutes')`
    await admin`create role grace login password 'pass' in role signalbox_ops`
    url = urlOf('grace', 'signal')
    reader = connectAs(url)
  })

  test('can read every view, with the same rows as the owner', async () => {
    for (const view of await views(reader)) await reader.unsafe(`table ops.${view}`)
    expect(await reader`select task, state from ops.jobs`).toEqual([{ task: 'mail_verification', state: 'ready' }] as never)
    const { code, json } = await ops({ DATABASE_URL: url }, '--json')
    expect([code, json().queues[0].task]).toEqual([2, 'mail_verification'])
  })

  test('can read no table and change nothing', async () => {
    const [{ may }] = await reader<[{ may: string[] | null }]>`
      select array_agg(oid::regclass::text) as may
      from pg_class
      where relkind in ('r', 'p', 'S', 'm')
        and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and case relkind
          when 'S' then has_sequence_privilege(oid, 'select') or has_sequence_privilege(oid, 'usage')
          else has_table_privilege(oid, 'select, insert, update, delete, truncate')
        end
    `
    expect(may).toBeNull()
    expect(await sqlstateOf(reader`select from dispatches`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.pauses`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from graphile_worker.jobs`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`update ops.action_log_detail set reason = 'mine'`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`create view ops.mine as select 1`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.pause('task:dispatch_hook', 'a test')`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.resume('task:dispatch_hook')`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.retry(array['1'])`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.retry_failed()`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.discard(array['1'], 'a test')`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.unlock_dead_workers()`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.wake_stranded()`)).toBe(FORBIDDEN)
    expect(await sqlstateOf(reader`select from ops.note_action('retry', '{}', 0, null)`)).toBe(FORBIDDEN)
    const { code, output } = await ops({ DATABASE_URL: url }, 'pause', 'task:dispatch_hook', '--reason', 'a test')
    expect([code, output]).toEqual([1, expect.stringContaining('permission denied')])
  })

  test('can pause and resume under its own name once that is granted, also after a release', async () => {
    const owner = connectAs(urlOf('owner', 'signal'))
    await owner`grant execute on function ops.pause(text, text, timestamptz), ops.resume(text) to grace`
    expect((await release(urlOf('owner', 'signal'))).code).toBe(0)
    await reader`select from ops.pause('task:dispatch_hook', 'a test')`
    await reader`select ops.resume('task:dispatch_hook')`
    const actions = await reader`select actor, action from ops.action_log`
    expect(actions).toEqual([
      { actor: 'grace', action: 'resume' },
      { actor: 'grace', action: 'pause' },
    ] as never)
    expect(await sqlstateOf(reader`select from ops.retry_failed()`)).toBe(FORBIDDEN)
  })
})
