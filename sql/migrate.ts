/**
 * The release process: brings the database to the version of this code. Several at once wait for each
 * other; a second run changes nothing.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { connect, PostgresError, type Sql, type Tx } from './index.ts'
import { analyzePartitioned, makePartitions } from './partitions.ts'
import { type Target, targetOf } from './target.ts'
import { unfitSettings } from './unfit-settings.ts'

/** A fault of the migrations themselves, told in a sentence. */
export class MigrationError extends Error {}

interface Migration {
  name: string
  checksum: string
  text: string
}

const folder = `${import.meta.dir}/migrations`
const views = `${import.meta.dir}/ops`

async function filesOf(path: string): Promise<Migration[]> {
  const names = (await readdir(path)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await Bun.file(`${path}/${name}`).text()
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Names of the migrations that this code has and the database has not.
 *
 * @throws {MigrationError} where the two have drifted apart: a migration was changed after it was
 *   applied, or the database knows one that is no file here and may not be newer.
 *
 * @param mayBeNewer the version after this one may have migrated already: every migration is safe for the one before
 */
export async function pendingMigrations(sql: Sql | Tx, mayBeNewer = false): Promise<Migration[]> {
  const files = await filesOf(folder)
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('schema_migrations') is not null as exists`
  const applied = exists
    ? await sql<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations order by name`
    : []
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const { name, checksum } of applied) {
    const file = byName.get(name)
    if (!file && mayBeNewer) continue
    if (!file)
      throw new MigrationError(
        `The database has migration ${name}, which this code does not: it was migrated by a newer version. Deploy that one.`,
      )
    if (file.checksum !== checksum)
      throw new MigrationError(
        `Migration ${name} was changed after it was applied. Restore the file, and put the change into a new one.`,
      )
  }
  const done = new Set(applied.map(({ name }) => name))
  return files.filter(({ name }) => !done.has(name))
}

/**
 * Applies what is pending, each migration in a transaction of its own, under an advisory lock.
 *
 * @returns the names of those applied
 * @throws {MigrationError} on drift; a PostgresError where a statement fails
 */
export async function migrate(server: string | Target, log: (line: string) => void = () => {}): Promise<string[]> {
  const target = typeof server === 'string' ? targetOf(server) : server
  const sql = connect(target, 'signalbox release', 1)
  try {
    const unfit = await unfitSettings(sql)
    if (unfit.length > 0) throw new MigrationError(unfit.join(' '))
    // Held by the session, not by one transaction: migrations commit one by one beneath it.
    await sql`select pg_advisory_lock(hashtext('signalbox.migrate'))`
    await sql`
      create table if not exists schema_migrations (
        name       text primary key,
        checksum   text not null,
        applied_at timestamptz(3) not null default now()
      )
    `
    const pending = await pendingMigrations(sql)
    for (const migration of pending) {
      await sql.begin(async (tx) => {
        // The old version still runs: a migration that cannot have its lock soon gives way, and is run again.
        await tx`set local lock_timeout = '5s'`
        await tx`set local statement_timeout = 0`
        await tx.unsafe(migration.text)
        await tx`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
      })
      log(`migrated ${migration.name}`)
    }
    await migrateJobs(target)
    await createReader(sql, log)
    await createViews(sql)
    await makePartitions(sql)
    if (pending.length > 0) await analyzePartitioned(sql)
    return pending.map(({ name }) => name)
  } finally {
    await sql.end()
  }
}

/** Brings the schema of the job queue to the version that this code runs. */
async function migrateJobs(target: Target): Promise<void> {
  // Not with the file: the API reads here what is pending, and has no other use for them.
  const [{ runMigrations }, { openJobPool }] = await Promise.all([import('graphile-worker'), import('./job-pool.ts')])
  // What breaks here, the migration itself reports.
  const pgPool = openJobPool(target, 'signalbox release', 1, () => {})
  try {
    await runMigrations({ pgPool })
  } finally {
    await pgPool.end()
  }
}

const READER = 'signalbox_ops'

/** Makes the role that may read the views of `ops` and nothing else, where this account may make roles. */
async function createReader(sql: Sql, log: (line: string) => void): Promise<void> {
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
async function createViews(sql: Sql): Promise<void> {
  const files = await filesOf(views)
  await sql.begin(async (tx) => {
    await tx`set local lock_timeout = '5s'`
    await tx`create schema if not exists ops`
    // The newest first: what is read through others is locked after those, as whoever reads them at this moment does it.
    const old = await tx<{ name: string }[]>`
      select relname as name
      from pg_class
      where relnamespace = 'ops'::regnamespace
        and relkind = 'v'
      order by oid desc
    `
    for (const { name } of old) await tx`drop view if exists ${tx(`ops.${name}`)} cascade`
    for (const { text } of files) await tx.unsafe(text)
  })
}

const USAGE = `npx --yes bun run migrate

Migrates the database at DATABASE_DIRECT_URL, or DATABASE_URL, to this version, under a lock: the release process. Where it fails
nothing was changed; where there is nothing to do, nothing is.`

if (import.meta.main) {
  if (process.argv.includes('--help')) {
    console.log(USAGE)
    process.exit(0)
  }
  const [{ directTarget, explainDirectError }, { readDatabaseSettings }, { settingsOrExit }] = await Promise.all([
    import('../core/direct-database.ts'),
    import('../core/settings.ts'),
    import('../core/settings-or-exit.ts'),
  ])
  const settings = settingsOrExit(readDatabaseSettings)
  try {
    const applied = await migrate(directTarget(settings), console.log)
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`)
  } catch (error) {
    console.error(`The migration failed, and the database is as it was before. ${explainDirectError(settings, error).message}`)
    process.exit(1)
  }
}
