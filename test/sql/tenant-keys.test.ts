/** The change of keys, step by step, and what the version before does meanwhile. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Sql } from '../../sql/index.ts'
import { emptyDatabase } from '../support/server.ts'
import { migrateUntil } from './releases.ts'

let sql: Sql

beforeAll(async () => {
  sql = connect(await emptyDatabase(), 'signalbox test', 1)
})
afterAll(() => sql.end({ timeout: 1 }))

const ensure = (family: string[], until: string) => sql`
  select ensure_partitions(${family}::text[]::regclass[], '7 days', now(), now() + ${until}::interval)
`

test('partitions that are made before, between and after get the same keys', async () => {
  const family = ['dispatches', 'dispatch_attempts']
  // Eight weeks lie in the first partition.
  await migrateUntil(sql, '0048')
  await ensure(family, '70 days')
  await migrateUntil(sql, '0049')
  await ensure(family, '80 days')
  await migrateUntil(sql, '0050')
  await ensure(family, '90 days')

  const keys = await sql<{ table: string; count: number; definitions: string[] }[]>`
    with constraint_of as (
      select parent.relname as table, leaf.oid, regexp_replace(pg_get_constraintdef(pg_constraint.oid), '_(default|\\d{8})\\(', '(') as definition
      from pg_inherits
      join pg_class as parent on parent.oid = inhparent
      join pg_class as leaf on leaf.oid = inhrelid
      join pg_constraint on conrelid = leaf.oid
      where contype in ('p', 'f')
        and parent.relname = any(${family})
    ),
    leaves as (
      select "table", oid, array_agg(definition order by definition) as definitions from constraint_of group by 1, 2
    )
    select "table", count(*) as count, definitions from leaves group by 1, 3 order by 1
  `
  expect(keys.map(({ table }) => table)).toEqual(['dispatch_attempts', 'dispatches'])
  for (const { count } of keys) expect(count).toBeGreaterThan(4)
  expect(keys[0]?.definitions).toEqual([
    'FOREIGN KEY (dispatch_id, organization_id) REFERENCES dispatches(id, organization_id) ON DELETE CASCADE',
    'PRIMARY KEY (dispatch_id, number, organization_id)',
  ])
  expect(keys[1]?.definitions.at(-1)).toBe('PRIMARY KEY (id, organization_id)')
  const unique = await sql`
    select count(*) as count
    from pg_inherits
    join pg_index on indrelid = inhrelid
    where inhparent = 'dispatches'::regclass
      -- The first has one more, from before there were others.
      and inhrelid <> 'dispatches_19700101'::regclass
      and indisunique
      and not indisprimary
    group by inhrelid
  `
  expect(new Set(unique.map(({ count }) => count))).toEqual(new Set([1]))
  const left = await sql`select relname from pg_class where relname like '%\\_new'`
  expect(left.map(({ relname }) => relname)).toEqual([])
})

test('the version before still finds the keys that it names', async () => {
  // Planned, and not run: an `on conflict` without its index is refused then.
  for (const statement of [
    `insert into workspace_members (workspace_id, organization_id, user_id, role) values (uuidv7(), uuidv7(), uuidv7(), 'admin')
     on conflict (workspace_id, user_id) do nothing`,
    `insert into workspace_spend as spend (workspace_id, organization_id, month) values (uuidv7(), uuidv7(), '2026-01-01')
     on conflict (workspace_id, month) do update set used_usd = 0`,
    `insert into workflow_templates (organization_id, template) values (uuidv7(), 'a') on conflict (place_id) do update set template = 'b'`,
    `insert into deliverable_versions (organization_id, workspace_id, project_id, deliverable_type, requirement_id, version)
     values (uuidv7(), uuidv7(), uuidv7(), 'changelog', uuidv7(), 1)
     on conflict (project_id, deliverable_type, requirement_id) do update set version = 2`,
    `insert into api_descriptions (project_id) values (uuidv7()) on conflict (project_id) do update set title = 'a'`,
  ])
    expect((await sql.unsafe(`explain ${statement}`)).length).toBeGreaterThan(0)
})
