import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dropPartitions, FAMILIES } from '../../sql/partitions.ts'
import { tamper } from '../audit-logs/support.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site
let hook_id: string

beforeAll(async () => {
  box = await signalbox({ own: true, workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  hook_id = await hook()
  // Far in the future, where no other partitions exist.
  await box.sql`select ensure_partitions(${tables}::text[]::regclass[], '7 days', ${week(0)}, ${week(2)})`
})
afterAll(() => box.close())

const tables = FAMILIES.dispatches.tables
const FUTURE = Date.parse('2044-01-04T00:00:00Z') // a Monday
const week = (number: number) => new Date(FUTURE + number * 7 * 86_400_000).toISOString()
const daysUntil = (number: number) => -Math.floor((Date.parse(week(number)) - Date.now()) / 86_400_000) - 1

const hook = async (): Promise<string> =>
  (
    await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
    })
  ).id

/** Inserts a dispatch with its body and an attempt, with an id of the given time. */
async function dispatch(hookId: string, at: string, status: string): Promise<string> {
  const [{ id }] = await box.sql<[{ id: string }]>`
    with dispatch as (
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, status, max_attempts, completed_at
      )
      values (
        overlay(gen_random_uuid()::text placing left(partition_boundary(${at})::text, 14) || '7' from 1)::uuid,
        ${site.organization.id}, ${site.workspace.id}, ${site.project.id}, ${hookId}, uuidv7(), 'gate.approved', 'production',
        ${status}, 1, case when ${status} <> 'pending' then now() end
      )
      returning id
    ),
    attempt as (
      insert into repeated_attempts (dispatch_id, organization_id, number, started_at, duration_ms)
      select id, ${site.organization.id}, 1, now(), 1 from dispatch
    )
    select id from dispatch
  `
  return id
}

/** Without the number of the shard. */
const nameOf = (partition: string) => partition.replace(/_\d{6}$/, '')

const partitionsOf = async (id: string) =>
  (
    await box.sql<{ dispatch: string; attempt: string }[]>`
      select dispatch.tableoid::regclass::text as dispatch, attempt.tableoid::regclass::text as attempt
      from dispatches as dispatch
      join repeated_attempts as attempt
        on attempt.dispatch_id = dispatch.id
        and attempt.organization_id = dispatch.organization_id
      where dispatch.id = ${id}
    `
  ).map(({ dispatch, attempt }) => ({ dispatch: nameOf(dispatch), attempt: nameOf(attempt) }))

test('rows are stored in the partition of their time, or in the default one', async () => {
  expect(await partitionsOf(await dispatch(hook_id, week(0), 'succeeded'))).toEqual([
    { dispatch: 'dispatches_20440104', attempt: 'repeated_attempts_20440104' },
  ])
  expect(await partitionsOf(await dispatch(hook_id, new Date(Date.parse(week(1)) - 1).toISOString(), 'succeeded'))).toEqual([
    { dispatch: 'dispatches_20440104', attempt: 'repeated_attempts_20440104' },
  ])
  expect(await partitionsOf(await dispatch(hook_id, week(1), 'succeeded'))).toEqual([
    { dispatch: 'dispatches_20440111', attempt: 'repeated_attempts_20440111' },
  ])
  expect(await partitionsOf(await dispatch(hook_id, week(9), 'succeeded'))).toEqual([
    { dispatch: 'dispatches_default', attempt: 'repeated_attempts_default' },
  ])
})

test('a week that has rows in the default partition stays there; the next one gets its own partition', async () => {
  const createPartitions = async () => {
    const [{ count }] = await box.sql<[{ count: number }]>`
      select ensure_partitions(${tables}::text[]::regclass[], '7 days', ${week(9)}, ${week(10)}) as count
    `
    return count
  }
  expect(await createPartitions()).toBe(tables.length)
  expect(await createPartitions()).toBe(0)
  const names = await box.sql<{ name: string }[]>`
    select partition::text as name from partitions_of('dispatches') where from_id >= partition_boundary(${week(9)})
  `
  expect(names.map(({ name }) => name)).toEqual(['dispatches_20440314'])
})

test.each(Object.values(FAMILIES).flatMap((family): string[] => [...family.tables]))(
  'every partition of %s has the keys and indexes of the default one',
  async (table) => {
    const shapes = await box.sql<{ shape: string; partitions: number }[]>`
      select shape, count(*) as partitions
      from (
        select partition, substring(partition::text from '_(default|[0-9]{8})$') as suffix from partitions_of(${table})
      ) as child
      cross join lateral (
        select string_agg(definition, E'\n' order by definition) as shape
        from (
          -- But for the names of indexes, which say nothing.
          select regexp_replace(replace(pg_get_indexdef(indexrelid), child.suffix, ''), 'INDEX \\S+ ON', 'INDEX ON') as definition
          from pg_index
          where indrelid = child.partition
          union all
          select replace(pg_get_constraintdef(oid), child.suffix, '')
          from pg_constraint
          where conrelid = child.partition
            and contype in ('c', 'f', 'p')
        ) as defined
      ) as shapes
      group by shape
    `
    expect(shapes).toHaveLength(1)
    expect(shapes[0]?.partitions).toBeGreaterThan(3)
    if (table !== 'ops.job_runs') expect(shapes[0]?.shape).toMatch(/^PRIMARY KEY \(\w+, (number, )?organization_id\)$/m)
  },
)

test('a sequence is unique in every partition of dispatches', async () => {
  const unique = await box.sql<{ count: number }[]>`
    select count(*) filter (where not indisprimary) as count
    from partitions_of('dispatches')
    join pg_index on indrelid = partition
    where indisunique
    group by partition
  `
  expect(unique.length).toBeGreaterThan(4)
  expect(new Set(unique.map(({ count }) => count))).toEqual(new Set([1]))
})

test('deleting a dispatch deletes its attempts in any partition, and no others', async () => {
  const [deleted, kept] = [await dispatch(hook_id, week(0), 'failed'), await dispatch(hook_id, week(0), 'failed')]
  const [early, late] = [await dispatch(hook_id, week(1), 'pending'), await dispatch(hook_id, week(30), 'succeeded')]
  await box.sql`delete from dispatches where id = any(${[deleted, early, late]})`
  const left = await box.sql<{ dispatch_id: string }[]>`
    select dispatch_id from dispatch_attempts where dispatch_id = any(${[deleted, early, late, kept]})
  `
  expect([...left]).toEqual([{ dispatch_id: kept }])
  const rest = await box.sql<{ id: string }[]>`
    select id from deliveries where id = any(${[deleted, early, late]})
    union all
    select id from unsuccessful_deliveries where id = any(${[deleted, early, late, kept]})
  `
  expect([...rest]).toEqual([{ id: kept }])
})

test('a week is dropped once all of it has expired, unless a delivery in it is pending', async () => {
  const waiting = await dispatch(hook_id, week(1), 'pending')
  const partitions = async () =>
    (
      await box.sql<{ name: string }[]>`
      select relname as name
      from pg_class
      where relname ~ '^(dispatches|repeated_attempts)_20440[12]'
        and relkind = 'r'
      order by 1
    `
    ).map(({ name }) => name)
  expect(await partitions()).toEqual([
    'dispatches_20440104',
    'dispatches_20440111',
    'dispatches_20440118',
    'repeated_attempts_20440104',
    'repeated_attempts_20440111',
    'repeated_attempts_20440118',
  ])
  // A day before the end of the first week nothing is dropped. The second week contains a pending dispatch.
  await dropPartitions(box.sql, FAMILIES.dispatches, daysUntil(1) + 2)
  expect(await partitions()).toHaveLength(6)
  await dropPartitions(box.sql, FAMILIES.dispatches, daysUntil(2) - 1)
  expect(await partitions()).toEqual([
    'dispatches_20440111',
    'dispatches_20440118',
    'repeated_attempts_20440111',
    'repeated_attempts_20440118',
  ])
  expect(await partitionsOf(waiting)).toHaveLength(1)
  await tamper(box, async (sql) => {
    await sql`delete from deliveries where id = ${waiting}`
    await sql`update dispatches set status = 'cancelled', completed_at = now() where id = ${waiting}`
  })
  await dropPartitions(box.sql, FAMILIES.dispatches, daysUntil(2) - 1)
  expect(await partitions()).toEqual(['dispatches_20440118', 'repeated_attempts_20440118'])
  expect((await ada.get(`/api/v1/deployment-hooks/${hook_id}/dispatches`)).status).toBe(200)
})

test('deleting a hook deletes its dispatches in any partition, and no others', async () => {
  const deletedHook = await hook()
  const kept = [await dispatch(hook_id, week(2), 'succeeded')]
  for (const at of [new Date().toISOString(), week(2), week(10), week(30)]) await dispatch(deletedHook, at, 'failed')
  expect((await ada.delete(`/api/v1/deployment-hooks/${deletedHook}`)).status).toBe(204)
  const [{ dispatches, orphans }] = await box.sql<[{ dispatches: number; orphans: number }]>`
    select
      (select count(*) from dispatches where hook_id = ${deletedHook}) as dispatches,
      (select count(*) from repeated_attempts where dispatch_id not in (select id from dispatches)) as orphans
  `
  expect([dispatches, orphans]).toEqual([0, 0])
  expect(await partitionsOf(kept[0] as string)).toHaveLength(1)
})
