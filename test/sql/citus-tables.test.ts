/** What a new table of tenants needs on a cluster, where each migration is applied as well. None is needed to find out. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DROPPED_KEYS, PEOPLE, tenantTables } from '../../sql/citus/layout.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { onCitus } from '../support/databases.ts'
import { freshDatabase } from '../support/server.ts'
import { COMMON } from './tenants.ts'

interface ForeignKey {
  name: string
  from: string
  to: string
  definition: string
}

/** Foreign keys that are checked at the commit, with the reason that they never fail there. */
const CHECKED_AT_COMMIT: Record<string, string> = {
  organizations_owner_is_member: 'a member cannot be removed while the organization that they own is locked',
}

/** Foreign keys that set a column to null, with what does it on a cluster. */
const SET_NULL: Record<string, string> = {
  executions_runtime: 'the trigger `runtimes_clear`',
}

/** Functions in SQL that read tables of tenants, with what runs them on a cluster. */
const IN_SQL: Record<string, string> = {
  environment_figures: 'sql/citus/functions.ts lets a query on a node call it',
  unsealed_tenants: 'worker/audit-logs/seal.ts does not call it on a cluster',
  waiting_tenants: 'worker/outbox/waiting.ts does not call it on a cluster',
}

let sql: Sql
let tables: string[]
let keys: ForeignKey[]

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
  tables = await tenantTables(sql)
  keys = await sql<ForeignKey[]>`
    select
      conname as name, pg_get_constraintdef(pg_constraint.oid) as definition,
      conrelid::regclass::text as "from", confrelid::regclass::text as "to"
    from pg_constraint
    where contype = 'f'
      and conparentid = 0
      and connamespace = 'public'::regnamespace
  `
})
afterAll(() => sql.end({ timeout: 1 }))

const outsideOf = (listed: Record<string, string>, names: string[]) => names.filter((name) => !(name in listed))

/** On a cluster the catalog is that of the distributed tables. */
const testAsWritten = test.skipIf(onCitus)

testAsWritten('foreign keys stay within the tables of tenants, or refer to a user, or are listed in sql/citus/layout.ts', () => {
  expect(keys.length).toBeGreaterThan(50)
  const across = keys.filter(({ from, to }) => {
    if (tables.includes(from)) return !tables.includes(to) && to !== 'users'
    return tables.includes(to)
  })
  expect(
    outsideOf(
      DROPPED_KEYS,
      across.map(({ name }) => name),
    ),
  ).toEqual([])
})

testAsWritten('foreign keys do not set columns to null, unless something else does it on a cluster', () => {
  const kept = keys.filter(({ from, definition }) => tables.includes(from) && / on delete set /i.test(definition))
  const names = kept.map(({ name }) => name).filter((name) => !(name in DROPPED_KEYS))
  expect(names).toEqual(Object.keys(SET_NULL))
})

testAsWritten(
  'foreign keys are checked at once, or never fail: an error of a commit on a node does not say which key was violated',
  () => {
    const late = keys.filter(({ from, definition }) => tables.includes(from) && / initially deferred/i.test(definition))
    expect(late.map(({ name }) => name)).toEqual(Object.keys(CHECKED_AT_COMMIT))
  },
)

test('tables of tenants have a primary key, by which the rows of a shard that moves are found on its new node', async () => {
  const without = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relname = any(${tables})
      and relnamespace = 'public'::regnamespace
      and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)
  `
  expect([...without]).toEqual([])
})

testAsWritten('triggers of the tables of tenants read and write no other tables, because they fire on the nodes', async () => {
  const functions = await sql<{ name: string; body: string }[]>`
    select distinct proname as name, prosrc as body
    from pg_trigger
    join pg_proc on pg_proc.oid = tgfoid
    join pg_class on pg_class.oid = tgrelid
    where relname = any(${tables})
      and relnamespace = 'public'::regnamespace
      and not tgisinternal
  `
  expect(functions.length).toBeGreaterThan(20)
  const others = Object.keys(COMMON).filter((name) => name !== PEOPLE)
  const reads = new RegExp(`\\b(from|join|into|update)\\s+(${others.join('|')})\\b`, 'i')
  expect(functions.filter(({ body }) => reads.test(body)).map(({ name }) => name)).toEqual([])
})

testAsWritten('functions that read tables of tenants are not in SQL, or are listed', async () => {
  const functions = await sql<{ name: string; body: string }[]>`
    select proname as name, prosrc as body
    from pg_proc
    join pg_language as language on language.oid = prolang
    where pronamespace = 'public'::regnamespace
      and lanname = 'sql'
  `
  const reads = new RegExp(`\\b(from|join)\\s+(${tables.join('|')})\\b`, 'i')
  const found = functions.filter(({ body }) => reads.test(body)).map(({ name }) => name)
  expect(found.sort()).toEqual(Object.keys(IN_SQL))
})
