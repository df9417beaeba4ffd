import { expect, test } from 'bun:test'
import { looseTables } from './loose-tables.ts'

const TENANTS = new Map([
  ['organizations', 'id'],
  ...['projects', 'gates', 'executions', 'dispatches', 'deliveries', 'outbox'].map((name): [string, string] => [
    name,
    'organization_id',
  ]),
])

const loose = (text: string) => looseTables(text, TENANTS)

test.each([
  'select from organizations where id = $1',
  'select * from gates where id = $1 and organization_id = $2',
  'select * from gates where (organization_id = $1 and id = $2) for no key update',
  'delete from outbox where organization_id = any($1::uuid[]) and id = any($2::uuid[])',
  'select * from gates as gate join executions as e on e.organization_id = gate.organization_id where gate.organization_id = $1',
  'select * from gates as gate left join executions as e on e.organization_id = gate.organization_id where gate.organization_id = $1',
  'update gates as gate set x = 1 from executions as e where e.organization_id = $1 and gate.organization_id = e.organization_id',
  'select (select name from projects where id = e.id and organization_id = e.organization_id) from executions as e where e.organization_id = $1',
  'insert into gates (a) select id from executions where organization_id = $1 on conflict (id) do update set a = 1',
  'select extract(epoch from created_at) from gates where a is distinct from b and organization_id = $1',
  "select 'from gates' from users where id = $1",
])('names the organization of each tenant table: %s', (text) => {
  expect(loose(text)).toEqual([])
})

test.each([
  ['select * from gates where id = $1', ['gates']],
  ['select a, b from gates where execution_id = execution.id', ['gates']],
  ['select from gates, executions where gates.organization_id = $1', ['executions']],
  [
    'select * from gates as gate join executions as e on e.id = gate.execution_id where gate.organization_id = $1',
    ['executions'],
  ],
  ['select * from gates as gate left join executions as e on gate.organization_id = $1', ['gates', 'executions']],
  ['select * from projects where organization_id = $1 and exists (select from gates where project_id = projects.id)', ['gates']],
  [
    'select from dispatches as d cross join lateral (select from deliveries where id = d.id) as x where d.organization_id = $1',
    ['deliveries'],
  ],
  ['select id from gates where organization_id = $1 union all select id from executions', ['executions']],
  ['with x as (select id from gates) delete from executions where organization_id = $1', ['gates']],
  [
    'insert into gates (a) values (1) on conflict (id) do update set a = 1 returning (select id from executions limit 1)',
    ['executions'],
  ],
  ['update gates set organization_id = $1 where id = $2', ['gates']],
  // Conditions that do not restrict every row.
  ['select * from gates where organization_id = $1 or id = $2', ['gates']],
  ['select * from gates where (organization_id = $1 or id = $2) and id = $3', ['gates']],
  ['select * from gates where not (organization_id = $1)', ['gates']],
  ['select * from gates where organization_id not in ($1)', ['gates']],
  ['select * from gates where case when id = $2 then organization_id = $1 else true end', ['gates']],
  ['select * from gates where organization_id = coalesce($1, organization_id)', ['gates']],
  ['select organization_id = $1 from gates', ['gates']],
])('reads a tenant table without its organization: %s', (text, tables) => {
  expect(loose(text)).toEqual(tables)
})
