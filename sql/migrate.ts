/**
 * The release process: migrates the database to the version of this code. Concurrent runs wait for each other; a second run
 * changes nothing.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { isDistributed, unreachableNodes } from './citus/layout.ts'
import { applyDistributed } from './citus/migration.ts'
import { connect, type Sql, type Tx } from './index.ts'
import { retryLockedTransaction } from './locks.ts'
import { migrateJobs } from './migrate-jobs.ts'
import { analyzePartitioned, makePartitions } from './partitions.ts'
import { type DatabaseTarget, targetOf } from './target.ts'
import { unsuitableSettings } from './unsuitable-settings.ts'
import { createReader, createViews, dropViews } from './views.ts'

/** An error that the operator has to resolve; its message says how. */
export class MigrationError extends Error {}

interface Migration {
  name: string
  checksum: string
  text: string
}

const MIGRATIONS = `${import.meta.dir}/migrations`
/** Every database since 0.2.0 has this migration; no earlier one has. */
const FIRST = '0001_types_and_functions.sql'

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await Bun.file(`${folder}/${name}`).text()
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * The migrations that are not applied to the database yet.
 *
 * @param mayBeNewer accept migrations that this code does not have: a newer version may have migrated already, and every
 *   migration is safe for the previous version
 * @param folder of the migrations
 * @throws {MigrationError} if a migration was changed after it was applied, the database has one that this code does not, or it
 *   was created before 0.2.0
 */
export async function pendingMigrations(sql: Sql | Tx, mayBeNewer = false, folder = MIGRATIONS): Promise<Migration[]> {
  const files = await readMigrations(folder)
  const [{ exists }] = await sql<[{ exists: boolean }]>`select to_regclass('schema_migrations') is not null as exists`
  const applied = exists
    ? await sql<{ name: string; checksum: string }[]>`select name, checksum from schema_migrations order by name`
    : []
  const done = new Set(applied.map(({ name }) => name))
  if (done.size > 0 && !done.has(FIRST))
    throw new MigrationError(
      'The database was created by a version before 0.2.0, from which there is no upgrade: export what you want to keep with pg_dump, then use a new, empty database, or for `bun start` a new folder in DATA_DIR.',
    )
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
  const sql = connect(target, 'signalbox release', 1)
  try {
    const unfit = await unsuitableSettings(sql)
    if (unfit.length > 0) throw new MigrationError(unfit.join(' '))
    if (await isDistributed(sql)) await requireNodes(sql)
    // The session holds the lock, not a transaction: each migration commits on its own.
    await sql`select pg_advisory_lock(hashtext('signalbox.migrate'))`
    await sql`
      create table if not exists schema_migrations (
        name       text primary key,
        checksum   text not null,
        applied_at timestamptz(3) not null default now()
      )
    `
    const pending = await pendingMigrations(sql, false, folder)
    for (const migration of pending) {
      await retryLockedTransaction(sql, async (tx) => {
        await tx`set local statement_timeout = 0`
        // A migration may change columns that views use.
        await dropViews(tx)
        if (await isDistributed(tx)) await applyDistributed(tx, migration.text)
        else await tx.unsafe(migration.text)
        await tx`insert into schema_migrations (name, checksum) values (${migration.name}, ${migration.checksum})`
      })
      log(`migrated ${migration.name}`)
    }
    await migrateJobs(sql, target)
    await createReader(sql, log)
    await createViews(sql)
    // In this order: of a partition that was counted while it was empty, a kept plan reads all rows when it has filled.
    if (pending.length > 0) await analyzePartitioned(sql)
    await makePartitions(sql)
    return pending.map(({ name }) => name)
  } finally {
    await sql.end()
  }
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
    console.error(`The migration failed, and the database is as it was before. ${explainDirectError(settings, error).message}`)
    process.exit(1)
  }
}
