/** What distributes a database over a cluster, as far as it can be tested without one; `bun run test:citus` runs it. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { DistributionError, distribute } from '../../sql/citus/distribute.ts'
import { restoreFields } from '../../sql/citus/errors.ts'
import { adding, alteration, applyDistributed, takeKeys } from '../../sql/citus/migration.ts'
import { Places } from '../../sql/citus/places.ts'
import { Statements } from '../../sql/citus/statements.ts'
import { loadParser, type Node, parse, print, statementsIn } from '../../sql/citus/tree.ts'
import { connect, PostgresError, type Sql } from '../../sql/index.ts'
import { isOutage } from '../../worker/process/errors.ts'
import { onCitus } from '../support/databases.ts'
import { freshDatabase } from '../support/server.ts'

let sql: Sql

beforeAll(async () => {
  await loadParser()
  sql = connect(await freshDatabase(), 'signalbox test', 1)
})
afterAll(() => sql.end({ timeout: 1 }))

describe('A migration is split into statements', () => {
  test('at semicolons outside of texts, names, comments and function bodies', () => {
    const statements = [
      `create table a (b text default ';', -- not here; nor there\n "c;d" text)`,
      'create function f() /* ; */ returns void language plpgsql as $$ begin perform 1; end $$',
      'do $body$ begin null; execute $$ select 1; $$; end $body$',
    ]
    expect(statementsIn(statements.join(';')).map(({ text }) => text)).toEqual(statements)
  })

  test('without empty ones', () => {
    expect(statementsIn("select 'ä';\n-- The end.\n;;select 2").map(({ text }) => text)).toEqual(["select 'ä'", 'select 2'])
  })
})

test.skipIf(onCitus)('a database without Citus is not distributed, and stays as it is', async () => {
  const failure = await distribute(sql, { shards: 4, log: () => {} }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DistributionError)
  expect((failure as Error).message).toContain('create extension citus')
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('distribution_steps') is not null as exists`
  expect(exists).toBeFalse()
})

/** A text in the form in which the tree of another is printed. */
const printed = (text: string) => print(parse(text))

const KEYS = new Map([
  ['organizations', 'id'],
  ...['gates', 'executions', 'outbox', 'organization_members'].map((name): [string, string] => [name, 'organization_id']),
])

describe('A statement that names an organization', () => {
  const statements = new Statements(KEYS)
  const X = crypto.randomUUID()
  const Y = crypto.randomUUID()

  test('is restricted to it in every table, with its joins', () => {
    const { restricted, named } = statements.planOf(
      `select 1 from gates as gate join executions as execution on execution.organization_id = gate.organization_id
       left join lateral (select name from organizations where id = gate.organization_id) as named on true
       where gate.organization_id = $1 and gate.id = $2 and (gate.name = 'from outbox' or execution.agent = $3)`,
      3,
    )
    expect(restricted({ isOne: true, isWhole: false }).text).toBe(
      printed(
        `select 1 from gates as gate
         join (select * from executions where organization_id = $4::uuid) as execution on execution.organization_id = gate.organization_id
         left join lateral (
           select name from (select * from organizations where id = $4::uuid) as organizations where id = gate.organization_id
         ) as named on true
         where gate.organization_id = $1 and gate.id = $2 and (gate.name = 'from outbox' or execution.agent = $3)`,
      ),
    )
    expect(named([X, Y])).toEqual([X])
  })

  test('stays as it is if every table is compared with it', () => {
    const text = 'select 1 from gates where organization_id = $1 and exists (select from outbox where organization_id = $1)'
    const plan = statements.planOf(text, 1)
    expect(plan.restricted({ isOne: true, isWhole: false })).toEqual({ text, isMore: false })
  })

  test('is restricted where it changes and deletes rows', () => {
    const given = 'unnest($1::uuid[], $2::uuid[]) as given (id, organization_id)'
    const { restricted } = statements.planOf(
      `with gone as (delete from outbox using ${given} where outbox.id = given.id or false returning outbox.id)
       update gates as gate set name = 'x' from gone where gate.id = gone.id`,
      2,
    )
    expect(restricted({ isOne: false, isWhole: false }).text).toBe(
      printed(
        `with gone as (
           delete from outbox using ${given}
           where outbox.organization_id = any($3::uuid[]) and (outbox.id = given.id or false) returning outbox.id
         )
         update gates as gate set name = 'x' from gone where gate.organization_id = any($3::uuid[]) and gate.id = gone.id`,
      ),
    )
  })

  test('names it by itself, in a list, in rows, or behind `unnest`', () => {
    const rows =
      'from jsonb_to_recordset($1) as row (organization_id uuid) join gates on gates.organization_id = row.organization_id'
    const texts = rows.replace('jsonb_to_recordset($1)', 'json_to_recordset($1::text::json)')
    const unnest = 'from unnest($1::uuid[]) as row (organization_id) join gates on gates.organization_id = row.organization_id'
    const list = 'from outbox join gates on gates.organization_id = outbox.organization_id where outbox.organization_id = any($1)'
    const named: [string, unknown, string[]][] = [
      [rows, [{ organization_id: X }, { organization_id: Y }, { organization_id: X }], [X, Y]],
      [texts, JSON.stringify([{ organization_id: X }]), [X]],
      [unnest, [X, Y], [X, Y]],
      [unnest.replace(') as', ') with ordinality as'), [X, Y], [X, Y]],
      [list, [X], [X]],
      [list.replace('any($1)', '$1'), X, [X]],
      ['from organizations where id = any($1)', [X], [X]],
    ]
    for (const [text, given, organizations] of named)
      expect(statements.planOf(`select 1 ${text}`, 1).named([given])).toEqual(organizations)
  })

  test('names none in a filter that is not set', () => {
    expect(statements.planOf('select 1 from gates where organization_id = $1', 1).named([null])).toBeNull()
  })

  test('is restricted as a whole while a node is away', () => {
    const { restricted } = statements.planOf('select 1 from gates where organization_id = any($1)', 1)
    expect(restricted({ isOne: true, isWhole: false }).text).toBe(printed('select 1 from gates where organization_id = $1::uuid'))
    expect(restricted({ isOne: false, isWhole: true }).text).toBe(
      printed(
        'select 1 from (select * from gates where organization_id = any($2::uuid[])) as gates where organization_id = any($1)',
      ),
    )
  })
})

describe('On a cluster,', () => {
  const statements = new Statements(KEYS)
  const sent = (text: string) => statements.planOf(text, 0).text

  test('what a statement returns is computed from the rows that it wrote', () => {
    expect(sent(`update gates as gate set name = 'returning' where id = $1 returning id, upper(name)`)).toBe(
      printed(
        `with written as (update gates as gate set name = 'returning' where id = $1 returning gate.*)
         select id, upper(name) from written as gate`,
      ),
    )
    const plain = [
      'delete from gates returning id',
      'insert into users (id) values ($1) returning upper(name)',
      'select upper(name) from gates',
    ]
    for (const text of plain) expect(sent(text)).toBe(text)
  })

  test('what changes the members changes their copy', () => {
    const text = (table: string) => `update ${table} set role = $1 where ${table}.user_id = $2 and organization_id = $3`
    expect(statements.planOf(text('organization_members'), 3).copy).toBe(printed(text('member_organizations')))
    expect(statements.planOf('select from organization_members for update', 0)).toMatchObject({ copy: null, locks: true })
  })

  test('a text that PostgreSQL refuses, or with several statements, is sent as it is', () => {
    for (const text of ['select from where', 'select 1; delete from gates returning upper(name)']) expect(sent(text)).toBe(text)
  })
})

test('where resources were found is remembered for the last 10,000', () => {
  const places = new Places(sql)
  const ids = Array.from({ length: 10_001 }, () => crypto.randomUUID())
  for (const id of ids) places.add({ id, organization_id: `organization of ${id}` })
  const [first, second] = ids as [string, string]
  expect([places.get(first), places.get(second)]).toEqual([null, `organization of ${second}`])
})

test('a table is created without its foreign keys, which follow', () => {
  const create = (keys: string[], reference: string) => `create table extras (
    id uuid not null, user_id uuid not null ${reference},
    note text default ', references x' check (length(note) < 10)${keys.map((key) => `, ${key}`).join('')}
  )`
  const key = 'constraint extras_project foreign key (project_id) references projects (id) on delete cascade'
  const tree = parse(create([key], 'references users on delete cascade'))
  const keys = takeKeys(tree.CreateStmt as Node)
  expect(print(tree)).toBe(printed(create([], '')))
  const added = keys.map((key) => alteration({ relname: 'extras', inh: true, relpersistence: 'p' }, adding(key)))
  expect(added).toEqual(
    ['foreign key (user_id) references users on delete cascade', key].map((each) => printed(`alter table extras add ${each}`)),
  )
})

test.skipIf(!onCitus)('migrations of a distributed database, in one transaction, create and distribute tables', async () => {
  const { migrate } = await import('../../sql/migrate.ts')
  const url = await freshDatabase()
  const folder = `${(await import('node:os')).tmpdir()}/signalbox-migrations-${process.pid}`
  await Bun.$`rm -rf ${folder} && mkdir -p ${folder} && cp ${import.meta.dir}/../../sql/migrations/. ${folder} -r`.quiet()
  await Bun.write(
    `${folder}/9999_extras.sql`,
    `
      create table extras (
        id              uuid not null default uuidv7(),
        organization_id uuid not null references organizations on delete cascade,
        project_id      uuid not null,
        user_id         uuid not null references users,
        note            text not null default ';',
        primary key (id, organization_id),
        constraint extras_project foreign key (project_id, organization_id) references projects (id, organization_id) on delete cascade
      );
      create index extras_project on extras (project_id);
    `,
  )
  const next = `
    alter table extras add column further text not null default '';
    create index extras_further on extras (organization_id, further);
    alter table gates add column further text;
    alter table users add column further text;
    create table further (organization_id uuid not null references organizations on delete cascade, gate_id uuid not null);
  `
  // One that fails leaves nothing of those before it.
  await Bun.write(`${folder}/9999_further.sql`, `${next} select 1 / 0;`)
  expect(await migrate(url, () => {}, folder).catch(({ message }) => message)).toContain('division by zero')
  await Bun.write(`${folder}/9999_further.sql`, next)
  expect(await migrate(url, () => {}, folder)).toEqual(['9999_extras.sql', '9999_further.sql'])
  await Bun.$`rm -rf ${folder}`.quiet()
  const migrated = connect(url, 'signalbox test', 1)
  try {
    const [{ distributed, keys }] = await migrated<[{ distributed: boolean; keys: number }]>`
      select
        exists (select 1 from pg_dist_partition where logicalrelid = 'extras'::regclass and partmethod = 'h') as distributed,
        (select count(*) from pg_constraint where conrelid = 'extras'::regclass and contype = 'f') as keys
    `
    expect({ distributed, keys }).toEqual({ distributed: true, keys: 3 })
  } finally {
    await migrated.end({ timeout: 1 })
  }
})

test.skipIf(!onCitus)('a migration that replaces the view of the users changes the copy on every node', async () => {
  const migration = statementsIn(await Bun.file('sql/migrations/0029_second_factors_and_passkeys.sql').text())
  const statement = migration.find(({ tree }) => 'ViewStmt' in tree)?.text ?? ''
  const migrated = connect(await freshDatabase(), 'signalbox test', 1)
  try {
    // As it was on a cluster that was distributed before: the table had been created like `users`, and the view dropped.
    for (const text of [
      'alter table people drop column has_second_factor, add column second_factors integer not null default 0',
      'drop trigger users_copy on users',
      'drop function copy_person',
      'drop view people_of_users',
    ])
      await migrated.unsafe(text)
    await migrated`
      insert into users (email, name, password_hash, second_factors) values
        ('ada@example.com', 'Ada', '', 1), ('lin@example.com', 'Lin', '', 0)
    `
    await migrated`
      insert into people (id, email, name, email_verified) select id, email, name, email_verified from users where name = 'Ada'
    `
    await migrated.begin((tx) => applyDistributed(tx, statement))
    const factors = async () => {
      const people = await migrated<{ name: string; has_second_factor: boolean }[]>`select name, has_second_factor from people`
      return Object.fromEntries(people.map(({ name, has_second_factor }) => [name, has_second_factor]))
    }
    expect(await factors()).toEqual({ Ada: true, Lin: false })
    await migrated`update users set second_factors = 1 - second_factors`
    await migrated`insert into users (email, name, password_hash) values ('joan@example.com', 'Joan', '')`
    expect(await factors()).toEqual({ Ada: false, Joan: false, Lin: true })
    const [{ columns }] = await migrated<[{ columns: string }]>`
      select string_agg(column_name, ' ' order by column_name) as columns
      from information_schema.columns
      where table_name = 'people'
    `
    expect(columns).toBe('deleted_at email email_verified has_second_factor id name')
  } finally {
    await migrated.end({ timeout: 1 })
  }
})

test('a shard that was moved before a statement came to it makes the database unavailable, and the statement is retried', () => {
  const fields = { code: 'XX000', message: 'could not find valid entry for shard 102008' }
  const error = Object.assign(Object.create(PostgresError.prototype), fields)
  restoreFields(error)
  expect([error.code, isUnavailable(error), isOutage(error)]).toEqual(['40001', true, true])
})
