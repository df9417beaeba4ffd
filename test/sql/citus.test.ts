/** What distributes a database over a cluster, as far as it can be tested without one; `bun run test:citus` runs it. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { KINDS } from '../../api/plugins/resources.ts'
import { DistributionError, distribute } from '../../sql/citus/distribute.ts'
import { tenantTables } from '../../sql/citus/layout.ts'
import { onShards } from '../../sql/citus/shard-triggers.ts'
import { statementsIn } from '../../sql/citus/statements.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { SEVERAL_SHARDS } from '../citus-statements.ts'
import { onCitus } from '../support/databases.ts'
import { freshDatabase } from '../support/server.ts'

let sql: Sql

beforeAll(async () => {
  sql = connect(await freshDatabase(), 'signalbox test', 1)
})
afterAll(() => sql.end({ timeout: 1 }))

describe('A migration is split into statements', () => {
  test('at semicolons outside of texts, names, comments and function bodies', () => {
    const statements = [
      `create table a (b text default ';', -- not here; nor there\n "c;d" text)`,
      '/* ; */ create function f() returns void language plpgsql as $$ begin perform 1; end $$',
      'do $body$ begin null; execute $$ select 1; $$; end $body$',
    ]
    expect(statementsIn(statements.join(';')).map((each) => each.trim())).toEqual(statements)
  })

  test('without empty ones', () => {
    expect(statementsIn('select 1;\n-- The end.\n;;')).toEqual(['select 1'])
  })
})

test('the documentation lists why statements ask several shards', async () => {
  const text = await Bun.file(`${import.meta.dir}/../../docs/citus.md`).text()
  expect(SEVERAL_SHARDS.filter(([, reason]) => !text.includes(`- ${reason}\n`))).toEqual([])
})

describe('The function of a trigger', () => {
  const tables = new Set(['parents', 'children'])

  test('names the shards of the tables that it reads and writes', () => {
    const body = `
      begin
        -- Counts from parents.
        insert into children as child (id) select id from inserted on conflict (id) do update set n = child.n + 1;
        if exists (select 1 from inserted where n > 1) then return null; end if;
        if exists (select 1 from inserted join parents on parents.id = inserted.id) then return null; end if;
        return null;
      end
    `
    expect(onShards(body, tables)?.replaceAll(/\s+/g, ' ').trim()).toBe(
      [
        "declare citus_shards text[] := shards_beside(tg_table_name, array['children', 'parents']); citus_condition boolean; begin",
        'execute format($shards$insert into %1$I as child (id) select id from inserted on conflict (id) do update set n = child.n + 1$shards$, variadic citus_shards);',
        'if exists (select 1 from inserted where n > 1) then return null; end if;',
        'execute format($shards$select exists (select 1 from inserted join %2$I as parents on parents.id = inserted.id)$shards$, variadic citus_shards) into citus_condition; if citus_condition then return null; end if;',
        'return null; end',
      ].join(' '),
    )
  })

  test('stays as it is if it uses no table of tenants', () => {
    expect(onShards('begin new.updated_at := now(); return new; end', tables)).toBeNull()
  })

  test('is refused in an unknown form', () => {
    expect(() => onShards('begin for child in select id from children loop null; end loop; end', tables)).toThrow('unknown form')
  })

  test.skipIf(onCitus)('has a known form in every migration', async () => {
    const names = new Set(await tenantTables(sql))
    const functions = await sql<{ name: string; body: string }[]>`
      select distinct proname as name, prosrc as body
      from pg_trigger
      join pg_proc on pg_proc.oid = tgfoid
      join pg_class on pg_class.oid = tgrelid
      where relname = any(${[...names]})
        and (tgoldtable is not null or tgnewtable is not null)
    `
    expect(functions.length).toBeGreaterThan(10)
    for (const { body } of functions) expect(onShards(body, names)).not.toBeNull()
  })
})

test.skipIf(onCitus)('a database without Citus is not distributed, and stays as it is', async () => {
  const failure = await distribute(sql, { shards: 4, log: () => {} }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DistributionError)
  expect((failure as Error).message).toContain('create extension citus')
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('distribution_steps') is not null as exists`
  expect(exists).toBeFalse()
})

test.skipIf(onCitus)('on plain PostgreSQL, distributing the table of a migration does nothing', async () => {
  await sql`create table extras (organization_id uuid not null)`
  await sql`select distribute_table('extras')`
  expect(await sql`select from extras`).toHaveLength(0)
})

test.skipIf(!onCitus)(
  'a migration of a distributed database creates and distributes tables, and paths stay looked up by organization',
  async () => {
    const { migrate } = await import('../../sql/migrate.ts')
    const url = await freshDatabase()
    const folder = `${(await import('node:os')).tmpdir()}/signalbox-migrations-${process.pid}`
    await Bun.$`rm -rf ${folder} && mkdir -p ${folder} && cp ${import.meta.dir}/../../sql/migrations/. ${folder} -r`.quiet()
    await Bun.write(
      `${folder}/9999_extras.sql`,
      `
      create table extras (
        id              uuid not null default uuidv7(),
        organization_id uuid not null,
        note            text not null default ';',
        primary key (id, organization_id)
      );
      select distribute_table('extras');
      alter table extras
        add constraint extras_organization foreign key (organization_id) references organizations on delete cascade;
      create or replace function path_of_hook(resource_id uuid, caller_id uuid, likely_organization_id uuid)
        returns table (
          id uuid, organization_id uuid, workspace_id uuid, project_id uuid, owner_id uuid,
          organization_role text, workspace_role text
        )
        language sql stable
        as $$ select id, organization_id, workspace_id, project_id, null::uuid, null, null from deployment_hooks where id = resource_id $$;
    `,
    )
    expect(await migrate(url, () => {}, folder)).toEqual(['9999_extras.sql'])
    await Bun.$`rm -rf ${folder}`.quiet()
    const migrated = connect(url, 'signalbox test', 1)
    try {
      const [{ distributed }] = await migrated<[{ distributed: boolean }]>`
      select exists (select 1 from pg_dist_partition where logicalrelid = 'extras'::regclass and partmethod = 'h') as distributed
    `
      expect(distributed).toBeTrue()
      const readers = await migrated`
      select proname from pg_proc where starts_with(proname, 'path_of_') and prosrc ~ 'from member_organizations_\\d+'
    `
      expect(readers).toHaveLength(Object.keys(KINDS).length)
    } finally {
      await migrated.end({ timeout: 1 })
    }
  },
)
