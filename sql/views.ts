/** The views of `ops`, the boundary to the job queue below them, and the role that reads them. */
import { readdir } from 'node:fs/promises'
import { PostgresError, type Sql, type Tx } from './index.ts'
import { givingWay } from './locks.ts'

const READER = 'signalbox_ops'

/** Makes the role that may read the views of `ops` and nothing else, where this account may make roles. */
export async function createReader(sql: Sql, log: (line: string) => void): Promise<void> {
  const [role] = await sql`select from pg_roles where rolname = ${READER}`
  if (role) return
  try {
    await sql`create role ${sql(READER)} nologin`
  } catch (error) {
    const code = error instanceof PostgresError ? error.code : undefined
    if (code === '42501')
      log(`Went without the role ${READER}: this account may not create roles. The views of ops serve their owner.`)
    // The release of another database on the same server was faster.
    else if (code !== '42710' && code !== '23505') throw error
  }
}

/**
 * Views hold nothing, so they are made anew by every release instead of being migrated. Functions are replaced, and keep
 * the rights that were granted on them.
 */
export async function createViews(sql: Sql): Promise<void> {
  const names = (await readdir(`${import.meta.dir}/ops`)).filter((name) => name.endsWith('.sql')).sort()
  const paths = ['queue.sql', ...names.map((name) => `ops/${name}`)]
  const texts = await Promise.all(paths.map((path) => Bun.file(`${import.meta.dir}/${path}`).text()))
  await givingWay(sql, async (tx) => {
    await tx`create schema if not exists ops`
    await dropViews(tx)
    for (const text of texts) await tx.unsafe(text)
  })
}

/** Drops the views, so that the tables below them can change. Functions stay: they look for their tables when they are called. */
export async function dropViews(tx: Tx): Promise<void> {
  // The newest first: what is read through others is locked after those, as whoever reads them at this moment does it.
  const views = await tx<{ schema: string; name: string }[]>`
    select nspname as schema, relname as name
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('ops', 'queue')
      and relkind = 'v'
    order by pg_class.oid desc
  `
  for (const { schema, name } of views) await tx`drop view if exists ${tx(`${schema}.${name}`)} cascade`
}

/** Drops our indexes on the jobs: one on an expression would refuse a new type of its column. */
export async function dropJobIndexes(tx: Tx): Promise<void> {
  const indexes = await tx<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = to_regnamespace('graphile_worker')
      and relkind = 'i'
      and starts_with(relname, 'ops_jobs_')
  `
  for (const { name } of indexes) await tx`drop index ${tx(`graphile_worker.${name}`)}`
}
