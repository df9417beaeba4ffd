/**
 * The release process: migrates the database to the version of this code. Concurrent runs wait for each other; a second run
 * changes nothing.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { version } from '../package.json'
import { isDistributed, unreachableNodes } from './citus/layout.ts'
import { applyDistributed } from './citus/migration.ts'
import { connect, type Sql, type Tx } from './index.ts'
import { retryLocked, retryLockedTransaction } from './locks.ts'
import { migrateJobs } from './migrate-jobs.ts'
import { analyzePartitioned, makePartitions } from './partitions.ts'
import { type DatabaseTarget, targetOf } from './target.ts'
import { unsuitableSettings } from './unsuitable-settings.ts'
import { createReader, createViews, dropViews } from './views.ts'

/** An error that the operator has to resolve; its message says how. */
export class MigrationError extends Error {}

export interface Migration {
  name: string
  checksum: string
  text: string
  /** The oldest version whose processes run on the database afterwards; null if those of every version do. */
  oldest_version: string | null
}

const MIGRATIONS = `${import.meta.dir}/migrations`
/** A migration that removes what processes of earlier versions use says so. */
const CONTRACT = /^-- Contract: (\d+\.\d+\.\d+)$/m

/** The migrations of a folder, in order. */
export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await Bun.file(`${folder}/${name}`).text()
      const checksum = createHash('sha256').update(text).digest('hex')
      return { name, text, checksum, oldest_version: CONTRACT.exec(text)?.[1] ?? null }
    }),
  )
}

/** Why a database that has a migration which this code does not have cannot be used; undefined if it can. */
function explainUnknown(name: string, newest: string, oldest_version: string | null, isProcess: boolean): string | undefined {
  if (name < newest)
    return 'The database was created by a version before 0.3.0, from which there is no upgrade: export what you want to keep with pg_dump, then use a new, empty database, or for `bun start` a new folder in DATA_DIR.'
  if (!isProcess)
    return `The database has migration ${name}, which this code does not: it was migrated by a newer version. Deploy that one.`
  if (oldest_version !== null && Bun.semver.order(version, oldest_version) < 0)
    return `The database has migration ${name}, which this code, version ${version}, cannot run on: deploy ${oldest_version} or newer.`
}

/**
 * The migrations that are not applied to the database yet.
 *
 * @param isProcess whether a process asks that only uses the database: a newer version may have migrated it already, and the
 *   previous version continues to run on it
 * @param folder of the migrations
 * @throws {MigrationError} if a migration was changed after it was applied, the database has one that this code does not know or
 *   cannot run on, or it was created before 0.3.0
 */
export async function pendingMigrations(sql: Sql | Tx, isProcess = false, folder = MIGRATIONS): Promise<Migration[]> {
  const files = await readMigrations(folder)
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('schema_migrations') is not null as exists`
  // The table of an unreleased version lacks the last column.
  const applied = exists
    ? await sql<Omit<Migration, 'text'>[]>`
        select name, checksum, to_jsonb(applied) ->> 'oldest_version' as oldest_version
        from schema_migrations as applied
        order by name
      `
    : []
  const byName = new Map(files.map((file) => [file.name, file]))
  for (const { name, oldest_version } of applied) {
    const reason = !byName.has(name) && explainUnknown(name, files.at(-1)?.name ?? '', oldest_version, isProcess)
    if (reason) throw new MigrationError(reason)
  }
  const changed = applied.find(({ name, checksum }) => byName.has(name) && byName.get(name)?.checksum !== checksum)
  if (changed)
    throw new MigrationError(
      `Migration ${changed.name} was changed after it was applied. Restore the file, and put the change into a new one.`,
    )
  const done = new Set(applied.map(({ name }) => name))
  return files.filter(({ name }) => !done.has(name))
}

/**
 * Applies the pending migrations, each in its own transaction, under an advisory lock.
 *
 * @param folder of the migrations
 * @returns the names of the applied migrations
 * @throws {MigrationError} as `pendingMigrations`; a PostgresError if a statement fails
 */
export async function migrate(
  server: string | DatabaseTarget,
  log: (line: string) => void = () => {},
  folder = MIGRATIONS,
): Promise<string[]> {
  const target = typeof server === 'string' ? targetOf(server) : server
  // A migration, and the wait for another release, may take long.
  const sql = connect(target, 'signalbox release', 1, { statement_timeout: '0' })
  try {
    const unfit = await unsuitableSettings(sql)
    if (unfit.length > 0) throw new MigrationError(unfit.join(' '))
    if (await isDistributed(sql)) await requireNodes(sql)
    await lockReleases(sql, log)
    await sql`
      create table if not exists schema_migrations (
        name           text primary key,
        checksum       text not null,
        oldest_version text,
        applied_at     timestamptz(3) not null default now()
      )
    `
    const pending = await pendingMigrations(sql, false, folder)
    for (const migration of pending) {
      await retryLockedTransaction(sql, async (tx) => {
        // A migration may change columns that views use.
        await dropViews(tx)
        if (await isDistributed(tx)) await applyDistributed(tx, migration.text)
        else await tx.unsafe(migration.text)
        await tx`insert into schema_migrations ${tx(migration, 'name', 'checksum', 'oldest_version')}`
      })
      log(`migrated ${migration.name}`)
    }
    await migrateJobs(sql, target)
    await createReader(sql, log)
    await createViews(sql)
    // In this order: of a partition that was counted while it was empty, a kept plan reads all rows when it has filled.
    if (pending.length > 0) await analyzePartitioned(sql)
    // A worker that was waiting for the tables may be making the same ones.
    await retryLocked(() => makePartitions(sql))
    return pending.map(({ name }) => name)
  } finally {
    await sql.end()
  }
}

/** Waits until no other release runs. The session holds the lock, not a transaction: each migration commits on its own. */
async function lockReleases(sql: Sql, log: (line: string) => void): Promise<void> {
  const [{ is_locked }] = await sql<[{ is_locked: boolean }]>`
    select pg_try_advisory_lock(hashtext('signalbox.migrate')) as is_locked
  `
  if (is_locked) return
  log('Another release is running: waiting for it.')
  await sql`select pg_advisory_lock(hashtext('signalbox.migrate'))`
}

/** A migration changes the tables of all nodes. @throws {MigrationError} if one is away */
async function requireNodes(sql: Sql): Promise<void> {
  const away = await unreachableNodes(sql)
  if (away.length === 0) return
  throw new MigrationError(
    `The coordinator cannot reach ${away.join(' and ')}: start ${away.length === 1 ? 'this node' : 'these nodes'} of the Citus cluster, then run this again.`,
  )
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
    import('../core/platform/direct-database.ts'),
    import('../core/platform/settings.ts'),
    import('../core/platform/settings-or-exit.ts'),
  ])
  const settings = settingsOrExit(readDatabaseSettings)
  try {
    const applied = await migrate(directTarget(settings), console.log)
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.length} migrations.`)
  } catch (error) {
    const { message } = explainDirectError(settings, error)
    const isRefused = error instanceof MigrationError
    console.error(isRefused ? message : `The migration failed, and the database is as it was before. ${message}`)
    process.exit(1)
  }
}
