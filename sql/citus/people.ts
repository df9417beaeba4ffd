/**
 * The users, as statements of tenants join them. On plain PostgreSQL, `people` is a view of them. On a cluster that view has another name, and
 * `people` is a table with a copy on every node, which a trigger writes in the transaction that changes a user. So whether a user has a second
 * factor, by which notifications are withheld, is not stale once the change is committed on all nodes. What checks the access of a caller reads
 * `users`.
 */
import type { Tx } from '../index.ts'
import { PEOPLE } from './layout.ts'
import { at, type Node, print } from './tree.ts'

const VIEW = 'people_of_users'

/** Replaces the view by the table. */
export async function createPeople(tx: Tx): Promise<void> {
  await tx`alter view ${tx(PEOPLE)} rename to ${tx(VIEW)}`
  await tx`create table ${tx(PEOPLE)} as select * from ${tx(VIEW)}`
  await tx`alter table ${tx(PEOPLE)} add primary key (id)`
  await tx`select create_reference_table(${PEOPLE}::text::regclass)`
  await followView(tx)
}

/** Applies a statement of a migration that replaces the view: the table gets its new columns. */
export async function replacePeople(tx: Tx, statement: Node): Promise<void> {
  const view = at(at(statement, 'ViewStmt'), 'view')
  if (view) view.relname = VIEW
  await tx.unsafe(print(statement))
  await followView(tx)
}

/** Gives the table the columns of the view, and makes the trigger write them. */
async function followView(tx: Tx): Promise<void> {
  const all = await tx<{ name: string; type: string; is_shown: boolean; is_copied: boolean }[]>`
    select
      attname as name, format_type(atttypid, atttypmod) as type,
      bool_or(attrelid = ${VIEW}::text::regclass) as is_shown, bool_or(attrelid = ${PEOPLE}::text::regclass) as is_copied
    from pg_attribute
    where attrelid in (${VIEW}::text::regclass, ${PEOPLE}::text::regclass)
      and attnum > 0
      and not attisdropped
    group by 1, 2
    order by min(attnum)
  `
  const columns = all.filter(({ is_shown }) => is_shown).map(({ name }) => name)
  const names = columns.join(', ')
  const update = `on conflict (id) do update set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
  const changes = all.flatMap(({ name, type, is_shown, is_copied }) => {
    if (!is_shown) return `drop column ${name}`
    return is_copied ? [] : `add column ${name} ${type}`
  })
  if (changes.length > 0) {
    await tx.unsafe(`alter table people ${changes.join(', ')}`)
    await tx.unsafe(`insert into people (${names}) select ${names} from ${VIEW} ${update}`)
  }
  await tx.unsafe(`
    create or replace function copy_person() returns trigger
      language plpgsql
      as $$
        begin
          insert into people (${names}) select ${names} from ${VIEW} where id = new.id ${update};
          return null;
        end
      $$
  `)
  const [{ read }] = await tx<[{ read: string }]>`
    select string_agg(column_name, ', ') as read from information_schema.view_column_usage where view_name = ${VIEW}
  `
  await tx.unsafe(`
    create or replace trigger users_copy after insert or update of ${read} on users
      for each row execute function copy_person()
  `)
}
