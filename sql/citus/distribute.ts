/**
 * Distributes the tables of a migrated database over the nodes of a Citus cluster, by organization. Every step is recorded with it
 * in one transaction, so a run that was interrupted is continued by the next one, and a complete one changes nothing.
 */
import type { Sql, Tx } from '../index.ts'
import { retryLockedTransaction } from '../locks.ts'
import { createViews, dropViews } from '../views.ts'
import { createFunctions } from './functions.ts'
import {
  DROPPED_KEYS,
  isCitus,
  keptKey,
  MANAGED,
  ORGANIZATIONS,
  PEOPLE,
  setSessionDefaults,
  tenantTables,
  unreachableNodes,
} from './layout.ts'
import { createMemberOrganizations } from './paths.ts'
import { createPeople } from './people.ts'
import { MEMBER_ORGANIZATIONS } from './statements.ts'
import { list, loadParser, type Node, parse, print } from './tree.ts'

/** An error that the operator has to resolve; its message says how. */
export class DistributionError extends Error {}

interface Distribution {
  /** How many shards each table has. It limits the number of nodes, and can only be changed by distributing again. */
  shards: number
  log: (line: string) => void
}

/** A foreign key or a trigger. */
interface Part {
  table: string
  name: string
  /** The statement that creates it. */
  definition: string
}

/**
 * @param sql a pool of one connection; its session holds the lock of `migrate` meanwhile
 * @returns how many steps were taken
 * @throws {DistributionError} if the server is not the coordinator of a cluster
 */
export async function distribute(sql: Sql, { shards, log }: Distribution): Promise<number> {
  await requireCoordinator(sql)
  await loadParser()
  await sql`select pg_advisory_lock(hashtext('signalbox.migrate'))`
  try {
    return await takeSteps(sql, { shards, log })
  } finally {
    await sql`select pg_advisory_unlock(hashtext('signalbox.migrate'))`
  }
}

async function takeSteps(sql: Sql, { shards, log }: Distribution): Promise<number> {
  await sql`create table if not exists distribution_steps (name text primary key, done_at timestamptz(3) not null default now())`
  await sql`
    create table if not exists distribution_parts ("table" text, name text, definition text not null, primary key ("table", name))
  `
  const done = new Set((await sql<{ name: string }[]>`select name from distribution_steps`).map(({ name }) => name))
  const tables = await tenantTables(sql)
  const steps: [name: string, run: (tx: Tx) => Promise<unknown>][] = [
    ['foreign keys and triggers are removed', (tx) => removeParts(tx, tables)],
    [`${PEOPLE} is on every node`, createPeople],
    [`${MEMBER_ORGANIZATIONS} is a table`, createMemberOrganizations],
    ['two_phases is a table', createTwoPhases],
    ...MANAGED.map((name): [string, (tx: Tx) => Promise<unknown>] => [
      `${name} is managed`,
      (tx) => tx`select citus_add_local_table_to_metadata(${name}::text::regclass)`,
    ]),
    ...tables.map((name): [string, (tx: Tx) => Promise<unknown>] => [
      `${name} is distributed`,
      (tx) => distributeTable(tx, name, shards),
    ]),
    ['notifications are committed with their events', joinNotifications],
    ['paths are looked up by organization', createFunctions],
    ['sessions have the settings', (tx) => setSessionDefaults(tx)],
  ]
  let taken = 0
  const take = async (name: string, run: (tx: Tx) => Promise<unknown>): Promise<void> => {
    if (done.has(name)) return
    await sql.begin(async (tx) => {
      await tx`
        select
          set_config('statement_timeout', '0', true), set_config('client_min_messages', 'warning', true),
          set_config('citus.multi_shard_modify_mode', 'sequential', true)
      `
      await run(tx)
      await tx`insert into distribution_steps (name) values (${name})`
    })
    taken += 1
    log(name)
  }
  for (const [name, run] of steps) await take(name, run)
  const parts = await sql<Part[]>`select "table", name, definition from distribution_parts order by "table", name`
  for (const part of parts) await take(`${part.name} of ${part.table} is back`, (tx) => restorePart(tx, part))
  if (taken > 0) await retryLockedTransaction(sql, createViews)
  return taken
}

async function requireCoordinator(sql: Sql): Promise<void> {
  if (!(await isCitus(sql)))
    throw new DistributionError('The database has no Citus extension: run `create extension citus` on every node.')
  const [{ group, nodes }] = await sql<[{ group: number; nodes: number }]>`
    select
      (select groupid from pg_dist_local_group) as group,
      (select count(*) from pg_dist_node where groupid > 0 and shouldhaveshards) as nodes
  `
  if (group !== 0) throw new DistributionError('The database is on a worker node: connect to the coordinator.')
  if (nodes === 0)
    throw new DistributionError('The cluster has no worker nodes: add some with citus_set_coordinator_host and citus_add_node.')
  const away = await unreachableNodes(sql)
  if (away.length > 0) throw new DistributionError(`The coordinator cannot reach ${away.join(' and ')}.`)
  const [unsafe] = await sql`select where current_setting('citus.enable_unsafe_triggers', true) = 'on'`
  if (!unsafe)
    throw new DistributionError(
      'Set citus.enable_unsafe_triggers = on in the configuration of every node: all triggers here write rows of the same organization.',
    )
}

/**
 * Citus refuses to distribute partitions that have foreign keys, and tables whose keys refer to tables that are not distributed; and triggers
 * would fire for each row that it moves to a node, where other tables are not yet.
 */
async function removeParts(tx: Tx, tables: string[]): Promise<void> {
  await dropViews(tx)
  const parts = await tx<(Part & { removal: string })[]>`
    select
      conrelid::regclass::text as "table", conname as name,
      format('alter table %s add constraint %I ', conrelid::regclass, conname)
        || pg_get_constraintdef(pg_constraint.oid) as definition,
      format('alter table %s drop constraint %I', conrelid::regclass, conname) as removal
    from pg_constraint
    left join pg_inherits on inhrelid = conrelid
    where contype = 'f'
      and conparentid = 0
      and connamespace = 'public'::regnamespace
      and (
        conname = any(${Object.keys(DROPPED_KEYS)})
        or coalesce(inhparent, conrelid)::regclass::text = any(${tables})
      )
    union all
    select
      tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), format('drop trigger %I on %s', tgname, tgrelid::regclass)
    from pg_trigger
    where not tgisinternal
      and tgparentid = 0
      and tgrelid::regclass::text = any(${tables})
  `
  for (const { table, name, definition, removal } of parts) {
    await tx.unsafe(removal)
    if (name in DROPPED_KEYS) continue
    await tx`insert into distribution_parts ("table", name, definition) values (${table}, ${name}, ${definition})`
  }
}

function restorePart(tx: Tx, { definition }: Part) {
  const statement = parse(definition)
  const command = list(statement.AlterTableStmt, 'cmds')[0]?.AlterTableCmd as Node | undefined
  if (command) command.def = keptKey(command.def as Node)
  return tx.unsafe(command ? print(statement) : definition)
}

const distributeTable = (tx: Tx, name: string, shards: number) =>
  name === ORGANIZATIONS
    ? tx`
        select create_distributed_table(
          ${name}::text::regclass, 'id', shard_count := ${shards}::integer, colocate_with := 'none'
        )
      `
    : tx`select create_distributed_table(${name}::text::regclass, 'organization_id', colocate_with := ${ORGANIZATIONS})`

/**
 * Creates a table without rows. Deleting from it, which finds none, makes Citus prepare the open transaction on all nodes before it
 * commits any: without that, a change on a node is kept when the coordinator crashes before it commits what it has itself.
 */
async function createTwoPhases(tx: Tx): Promise<void> {
  await tx`create table two_phases (id integer primary key)`
  await tx`
    create function commit_in_two_phases() returns trigger
      language plpgsql
      as $$ begin delete from two_phases where id = 0; return null; end $$
  `
}

/** Notifications are on the coordinator, and the mark that their event is drained on a node. `endViews` does the same for jobs. */
const joinNotifications = (tx: Tx) => tx`
  create trigger notifications_two_phases after insert on notifications
    for each statement execute function commit_in_two_phases()
`
