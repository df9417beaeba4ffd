import { afterAll, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { emptyDatabase } from '../support/server.ts'
import { migrateUntil } from './releases.ts'

const open: Sql[] = []
afterAll(() => Promise.all(open.map((each) => each.end({ timeout: 1 }))))

const database = async (url: string): Promise<Sql> => {
  const sql = connect(url, 'signalbox test', 2)
  open.push(sql)
  return sql
}

/** A hook; what is around it does not matter here, and is left out. */
async function hookWithoutProject(sql: Sql): Promise<string> {
  const [hook] = await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    return tx<{ id: string }[]>`
      insert into deployment_hooks (organization_id, workspace_id, project_id, name, url, trigger_on, created_by)
      values (uuidv7(), uuidv7(), uuidv7(), 'Deploy', 'http://127.0.0.1:9/', 'gate_approved', uuidv7())
      returning id
    `
  })
  return hook?.id ?? ''
}

/**
 * Writes a dispatch and its attempt, in this order and in one transaction; returns its id.
 *
 * @param isBefore as versions did that kept the queue in the same table
 */
function write(sql: Sql, hook_id: string, isBefore: boolean): Promise<string> {
  return sql.begin(async (tx) => {
    const [{ id }] = await tx<[{ id: string }]>`
    insert into dispatches (
      organization_id, workspace_id, project_id, hook_id, event_id, event, environment, status, max_attempts,
      ${isBefore ? tx`body, next_attempt_at,` : tx``} completed_at
    )
    select
      organization_id, workspace_id, project_id, id, uuidv7(), 'gate.approved', 'production', 'succeeded', 1,
      ${isBefore ? tx`'{}', null,` : tx``} now()
    from deployment_hooks
    where id = ${hook_id}
    returning id
  `
    await tx`
    insert into dispatch_attempts (dispatch_id, organization_id, number, started_at, duration_ms)
    select id, organization_id, 1, now(), 1 from dispatches where id = ${id}
  `
    return id
  })
}

test('dispatches that were there become the first partition, in place, while others are written', async () => {
  const url = await emptyDatabase()
  const sql = await database(url)
  await migrateUntil(sql, '0040_first_partitions.sql')
  const hook_id = await hookWithoutProject(sql)
  const ids = [await write(sql, hook_id, true), await write(sql, hook_id, true)]
  const [{ file }] = await sql<[{ file: number }]>`select pg_relation_filenode('dispatches') as file`

  // The version before goes on, on connections that have read the tables as they were, until the queue is another table.
  const writer = await database(url)
  const refused = (async () => {
    for (;;) ids.push(await write(writer, hook_id, true))
  })().catch((error: { code: string }) => error.code)
  await migrate(url)
  expect(await refused).toBe('42703')
  expect(ids.length).toBeGreaterThan(10)
  ids.push(await write(writer, hook_id, false))

  const kept = await sql<{ id: string; place: string }[]>`
    select dispatch.id, dispatch.tableoid::regclass::text as place
    from dispatches as dispatch
    join dispatch_attempts as attempt on attempt.dispatch_id = dispatch.id
  `
  expect(kept.map(({ id }) => id).sort()).toEqual(ids.sort())
  expect(new Set(kept.map(({ place }) => place))).toEqual(new Set(['dispatches_19700101']))
  const [{ same }] = await sql<[{ same: boolean }]>`select pg_relation_filenode('dispatches_19700101') = ${file} as same`
  expect(same).toBe(true)

  // What held them together holds them still.
  await sql`delete from deployment_hooks where id = ${hook_id}`
  const [{ left }] = await sql<[{ left: number }]>`
    select (select count(*) from dispatches) + (select count(*) from dispatch_attempts) as left
  `
  expect(left).toBe(0)
})
