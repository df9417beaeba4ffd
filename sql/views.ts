/** Creates the views and functions of the schemas `ops` and `queue`, and the role that may read `ops`. */
import { readdir } from 'node:fs/promises'
import { isDistributed } from './citus/layout.ts'
import { beginViews, createViewsOf, endViews } from './citus/views.ts'
import { PostgresError, type Tx } from './index.ts'
import { lockTogether } from './locks.ts'

const READER = 'signalbox_ops'

/** Creates the role that may read the views of `ops` and nothing else, if this account may create roles. */
export async function createReader(tx: Tx, log: (line: string) => void): Promise<void> {
  const [role] = await tx`select from pg_roles where rolname = ${READER}`
  if (role) return
  try {
    await tx.savepoint((inner) => inner`create role ${inner(READER)} nologin`)
  } catch (error) {
    const code = error instanceof PostgresError ? error.code : undefined
    if (code === '42501')
      log(
        `The role ${READER} was not created, because this account may not create roles. Only the owner can read the views of ops.`,
      )
    // A release of another database on the same server created it at the same time.
    else if (code !== '42710' && code !== '23505') throw error
  }
}

/**
 * Views hold no data, so every release creates them again instead of migrating them. Functions are replaced, which keeps the
 * rights that were granted on them.
 */
export async function createViews(tx: Tx): Promise<void> {
  const names = (await readdir(`${import.meta.dir}/ops`)).filter((name) => name.endsWith('.sql')).sort()
  const paths = ['queue.sql', ...names.map((name) => `ops/${name}`)]
  const read = (path: string) => Bun.file(`${import.meta.dir}/${path}`).text()
  const onCluster = await isDistributed(tx)
  await dropViews(tx)
  if (onCluster) await beginViews(tx)
  for (const path of paths) await (onCluster ? createViewsOf(tx, path, await read(path)) : tx.unsafe(await read(path)))
  if (onCluster) await endViews(tx)
}

/**
 * Drops the views, so that their tables can change, and locks the tables that will. Functions stay: they resolve their tables when they
 * are called.
 *
 * Others lock in the same order: a query of an operator locks a view of `ops` and then its tables; a transaction that wakes lanes has
 * tables, and reads a view of `queue`, which locks jobs.
 */
export async function dropViews(tx: Tx, tables: string[] = []): Promise<void> {
  const views = await tx<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('ops', 'queue')
      and relkind = 'v'
    order by pg_class.oid desc
  `
  const [ofOps = [], ofQueue = []] = ['ops.', 'queue.'].map((schema) =>
    views.map(({ name }) => name).filter((name) => name.startsWith(schema)),
  )
  const [ofJobs = [], others = []] = [true, false].map((isOfJobs) =>
    tables
      .filter((name) => name.startsWith('graphile_worker.') === isOfJobs)
      .map((name) => `lock table ${name} in access exclusive mode`),
  )
  const drop = (names: string[]) => (names.length > 0 ? [`drop view ${names.join(', ')} cascade`] : [])
  for (const statement of drop(ofOps)) await tx.unsafe(statement)
  await lockTogether(tx, [...others, ...drop(ofQueue), ...ofJobs])
}

/** Drops our indexes and triggers on the jobs, which would prevent their columns from being changed. */
export async function dropJobAdditions(tx: Tx): Promise<void> {
  const indexes = await tx<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = to_regnamespace('graphile_worker')
      and relkind = 'i'
      and starts_with(relname, 'ops_jobs_')
  `
  for (const { name } of indexes) await tx`drop index ${tx(`graphile_worker.${name}`)}`
  const triggers = await tx<{ name: string; table: string }[]>`
    select tgname as name, relname as table
    from pg_trigger
    join pg_class on pg_class.oid = tgrelid
    where relnamespace = to_regnamespace('graphile_worker')
      and starts_with(tgname, 'ops_')
  `
  for (const { name, table } of triggers) await tx`drop trigger ${tx(name)} on ${tx(`graphile_worker.${table}`)}`
}
