/**
 * All keys of tenant tables contain the organization, with few exceptions, so that tenants could be spread over several
 * machines.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parsePlPgSQLSync } from 'libpg-query'
import { each } from '../../sql/citus/tree.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { freshDatabase } from '../support/server.ts'
import { looseTables } from './loose-tables.ts'
import { COMMON, ORGANIZATION, tenantViews } from './tenants.ts'

/** Keys across organizations, or from a table without organization to a tenant table. */
const CROSS_TENANT_KEYS: Record<string, string> = {
  organization_names_organization: 'names are deleted with their organization',
  personal_tokens_member: 'a token for one organization is deleted with the membership',
  notifications_organization_id_fkey: 'notifications about an organization are deleted with it',
  sso_domains_verified: 'a domain is verified for one organization',
}

interface Table {
  name: string
  has_organization: boolean
  has_primary_key: boolean
}

interface Key {
  table: string
  name: string
  columns: string[]
  /** The table that a foreign key refers to. */
  of: string | null
}

let sql: Sql
let tables: Table[]
let keys: Key[]

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
  tables = await sql<Table[]>`
    select
      case when relnamespace = 'public'::regnamespace then relname else relnamespace::regnamespace || '.' || relname end as name,
      exists (
        select 1 from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and attnotnull
      ) as has_organization,
      exists (select 1 from pg_constraint where conrelid = pg_class.oid and contype = 'p') as has_primary_key
    from pg_class
    where relnamespace in ('public'::regnamespace, 'ops'::regnamespace)
      and relkind in ('r', 'p')
      and not relispartition
    order by 1
  `
  // Keys of partitions are listed under the parent table.
  keys = await sql<Key[]>`
    with part as (
      select pg_class.oid, coalesce(parent.relname, pg_class.relname) as name
      from pg_class
      left join pg_inherits on inhrelid = pg_class.oid
      left join pg_class as parent on parent.oid = inhparent
      where pg_class.relnamespace = 'public'::regnamespace
        and pg_class.relkind in ('r', 'p')
    )
    select part.name as table, index.relname as name, null as of, array(
      select attname from pg_attribute where attrelid = part.oid and attnum = any(indkey)
    ) as columns
    from part
    join pg_index on indrelid = part.oid
    join pg_class as index on index.oid = indexrelid
    where indisunique
    union all
    select part.name, conname, target.name, array(
      select attname from pg_attribute where attrelid = part.oid and attnum = any(conkey)
    )
    from part
    join pg_constraint on conrelid = part.oid
    join part as target on target.oid = confrelid
    where contype = 'f'
  `
})
afterAll(() => sql.end({ timeout: 1 }))

const isTenant = (name: string) => name === ORGANIZATION || !(name in COMMON)
const organizationOf = (table: string) => (table === ORGANIZATION ? 'id' : 'organization_id')

test('every table has an organization or is listed in COMMON', () => {
  const without = tables
    .filter(({ name, has_organization }) => name !== ORGANIZATION && !has_organization)
    .map(({ name }) => name)
  expect(without.filter((name) => !(name in COMMON))).toEqual([])
  const known = tables.map(({ name }) => name)
  expect(Object.keys(COMMON).filter((name) => !known.includes(name))).toEqual([])
})

test("every unique key of a tenant's table contains the organization", () => {
  const wrong = keys.filter(
    ({ table, of, columns }) => of === null && isTenant(table) && !columns.includes(organizationOf(table)),
  )
  expect(wrong.map(({ name }) => name).filter((name) => !(name in CROSS_TENANT_KEYS))).toEqual([])
  const names = keys.map(({ name }) => name)
  expect(Object.keys(CROSS_TENANT_KEYS).filter((name) => !names.includes(name))).toEqual([])
})

test('every foreign key between tenant tables contains the organization, and no common table refers to a tenant table', () => {
  const between = keys.filter(({ of }) => of !== null && isTenant(of))
  expect(between.length).toBeGreaterThan(30)
  const wrong = between.filter(({ table, columns }) => !isTenant(table) || !columns.includes(organizationOf(table)))
  expect(wrong.map(({ name }) => name).filter((name) => !(name in CROSS_TENANT_KEYS))).toEqual([])
})

test('every tenant table has a primary key or a unique key', () => {
  const withoutPrimaryKey = tables
    .filter(({ name, has_primary_key }) => isTenant(name) && !has_primary_key)
    .map(({ name }) => name)
  const unique = new Set(keys.filter(({ of }) => of === null).map(({ table }) => table))
  expect(withoutPrimaryKey.filter((name) => !unique.has(name))).toEqual([])
})

/** The statements and expressions of a function in PL/pgSQL. */
function statementsOf(definition: string): string[] {
  const found: string[] = []
  // How the parser knows what it parses: an expression, or an assignment.
  each(parsePlPgSQLSync(definition), 'PLpgSQL_expr', ({ query, parseMode }) => {
    const text = String(query)
    found.push(parseMode === 0 ? text : `select ${parseMode === 2 ? text : text.slice(text.indexOf('=') + 1)}`)
  })
  return found
}

/** Functions of the schema that read all tenants, each with the reason. */
const CROSS_TENANT_FUNCTIONS: Record<string, string> = {
  detach_partitions: 'retention drops partitions by time, for all tenants',
  waiting_tenants: 'the tenants with pending events',
  unsealed_tenants: 'the tenants with unsealed audit log entries',
}

test('every function of the schema names the organization of each tenant table that it reads, or is a listed exception', async () => {
  const views = await tenantViews(sql)
  expect(views).toContain('dispatch_attempts')
  const ofTenants = [...tables.map(({ name }) => name).filter(isTenant), ...views]
  const columns = new Map(ofTenants.map((name): [string, string] => [name, organizationOf(name)]))
  const functions = await sql<{ name: string; language: string; definition: string; body: string }[]>`
    select proname as name, lanname as language, pg_get_functiondef(pg_proc.oid) as definition, prosrc as body
    from pg_proc
    join pg_language as language on language.oid = prolang
    where pronamespace = 'public'::regnamespace
      and lanname in ('sql', 'plpgsql')
      and prosrc <> ''
  `
  expect(functions.length).toBeGreaterThan(15)
  const loose = functions.flatMap(({ name, language, definition, body }) => {
    const statements = language === 'sql' ? [body] : statementsOf(definition)
    return statements.flatMap((text) => looseTables(text, columns)).map(() => name)
  })
  expect([...new Set(loose)].filter((name) => !(name in CROSS_TENANT_FUNCTIONS))).toEqual([])
  expect(Object.keys(CROSS_TENANT_FUNCTIONS).filter((name) => !loose.includes(name))).toEqual([])
})
