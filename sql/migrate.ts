/**
 * The release process: migrates the database to the version of this code. Concurrent runs wait for each other; a second run
 * changes nothing.
 */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createFunctions } from './citus/functions.ts'
import { isDistributed, unreachableNodes } from './citus/layout.ts'
import { applyDistributed } from './citus/migration.ts'
import { at, list, loadParser, type Node, statementsIn, wordsOf } from './citus/tree.ts'
import { connect, PostgresError, type Sql, type Tx } from './index.ts'
import { retryLockedTransaction } from './locks.ts'
import { isJobsMigrationPending, migrateJobs } from './migrate-jobs.ts'
import { olderProcesses } from './older-processes.ts'
import { analyzePartitioned, makePartitions } from './partitions.ts'
import { type DatabaseTarget, targetOf } from './target.ts'
import { unsuitableSettings } from './unsuitable-settings.ts'
import { version } from './version.ts'
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
const CONTRACT = '-- Contract: '

/** The migrations of a folder, in order. */
export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await Bun.file(`${folder}/${name}`).text()
      const checksum = createHash('sha256').update(text).digest('hex')
      const contract = text.split('\n').find((line) => line.startsWith(CONTRACT))
      return { name, text, checksum, oldest_version: contract?.slice(CONTRACT.length) ?? null }
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
 *   cannot run on, it was created before 0.3.0, or a process asks and the release has not made the views
 */
export async function pendingMigrations(sql: Sql | Tx, isProcess = false, folder = MIGRATIONS): Promise<Migration[]> {
  const files = await readMigrations(folder)
  const [{ exists, has_views }] = await sql<[{ exists: boolean; has_views: boolean }]>`
    select
      to_regclass('schema_migrations') is not null as exists,
      to_regclass('ops.stranded') is not null and to_regclass('queue.jobs') is not null as has_views
  `
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
  const pending = files.filter(({ name }) => !done.has(name))
  if (isProcess && pending.length === 0 && !has_views)
    throw new MigrationError(
      'The database lacks the schemas ops, queue or graphile_worker, as after the restore of a dump without them: run the release process, bun sql/migrate.ts.',
    )
  return pending
}

/**
 * Migrates the database in one transaction: the pending migrations, the schema of graphile-worker, and the views. So a release that
 * fails or is killed changes nothing, and processes of the previous version never miss what it replaces. A migration can therefore
 * contain nothing that PostgreSQL refuses in a transaction, such as `create index concurrently`.
 *
 * @param folder of the migrations
 * @returns the names of the applied migrations
 * @throws {MigrationError} as `pendingMigrations`, and if the connection was lost while it committed; a PostgresError if a statement
 *   fails
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
    const applied = await migrateAll(sql, log, folder)
    await prepareTables(sql, applied.length > 0).catch(({ message }) =>
      log(
        `The database is migrated. A worker will update its statistics and make its partitions, because this failed: ${message}`,
      ),
    )
    return applied
  } finally {
    // Without a timeout it would not return if the connection was lost.
    await sql.end({ timeout: 1 })
  }
}

async function migrateAll(sql: Sql, log: (line: string) => void, folder: string): Promise<string[]> {
  let applied: string[] = []
  let isCommitting = false
  try {
    const run = async (tx: Tx) => {
      isCommitting = false
      await endWithClient(tx)
      applied = await applyAll(tx, log, folder)
      isCommitting = true
    }
    await retryLockedTransaction(sql, run, (tx) => lockReleases(tx, log))
  } catch (error) {
    if (isCommitting && isLost(error))
      throw new MigrationError(
        'The connection was lost while the release was committed: either all of it is done, or nothing. Run it again, which does what is missing.',
      )
    throw error
  }
  return applied
}

/** Whether the connection ended, so that the outcome of a commit is not known. The server or a pooler that ends it sends an error first. */
const isLost = (error: unknown): boolean => !(error instanceof PostgresError) || /^(FATAL|PANIC)$/.test(error.severity ?? '')

async function applyAll(tx: Tx, log: (line: string) => void, folder: string): Promise<string[]> {
  const onCluster = await isDistributed(tx)
  if (onCluster) await requireNodes(tx)
  await tx`
    create table if not exists schema_migrations (
      name           text primary key,
      checksum       text not null,
      oldest_version text,
      applied_at     timestamptz(3) not null default now()
    )
  `
  const pending = await pendingMigrations(tx, false, folder)
  const applied = (await readMigrations(folder)).filter(({ name }) => pending.every((other) => other.name !== name))
  if (applied.length > 0) await requireStopped(tx, pending)
  await restoreTables(tx, applied, log)
  // A migration may change columns that views use.
  await dropViews(tx, await tablesIn(tx, pending))
  for (const migration of pending) {
    log(`applying ${migration.name}`)
    if (onCluster) await applyDistributed(tx, migration.text)
    else await tx.unsafe(migration.text)
    await tx`insert into schema_migrations ${tx(migration, 'name', 'checksum', 'oldest_version')}`
    // A table with constraints that wait for the commit could not be altered by the next one.
    await tx.unsafe('set constraints all immediate; set constraints all deferred')
  }
  // Those of a cluster read what the last migration leaves.
  if (onCluster) await createFunctions(tx)
  await migrateJobs(tx)
  await createReader(tx, log)
  await createViews(tx)
  return pending.map(({ name }) => name)
}

/** The tables that migrations name, and those of the job queue if it is migrated; in the order in which transactions often use them. */
async function tablesIn(tx: Tx, pending: Migration[]): Promise<string[]> {
  const tables = await tx<{ name: string }[]>`
    select format('%I.%I', nspname, relname) as name
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in ('public', 'ops', 'graphile_worker')
      and relkind in ('r', 'p')
      and not relispartition
      and relname <> 'schema_migrations'
      and (
        exists (select from unnest(${pending.map(({ text }) => text)}::text[]) as migration where strpos(migration, relname) > 0)
        or (nspname = 'graphile_worker' and ${await isJobsMigrationPending(tx)})
      )
    order by pg_class.oid
  `
  return tables.map(({ name }) => name)
}

/** Makes the tables of `ops` as the applied migrations have made them, if there are none: a dump of the schema `public` alone lacks them. */
async function restoreTables(tx: Tx, applied: Migration[], log: (line: string) => void): Promise<void> {
  await tx`create schema if not exists ops`
  const [table] = await tx`select from pg_class where relnamespace = 'ops'::regnamespace and relkind in ('r', 'p') limit 1`
  if (table || applied.length === 0) return
  await loadParser()
  log('making the tables of ops again')
  for (const { tree, text } of applied.flatMap(({ text }) => statementsIn(text))) if (isOfOps(tree)) await tx.unsafe(text)
}

/** Whether a statement makes a table of `ops`, or something of one. */
function isOfOps(tree: Node): boolean {
  const relation = ['CreateStmt', 'IndexStmt', 'AlterTableStmt']
    .map((type) => at(at(tree, type), 'relation'))
    .find((each) => each)
  const { objtype, object } = at(tree, 'CommentStmt') ?? {}
  const commented = objtype === 'OBJECT_TABLE' ? wordsOf(list(at(object, 'List'), 'items')) : []
  return relation?.schemaname === 'ops' || commented[0] === 'ops'
}

/** What workers do as well, when they start and every night, so it need not succeed. */
async function prepareTables(sql: Sql, isChanged: boolean): Promise<void> {
  await sql`set lock_timeout = '5s'`
  // In this order: of a partition that was counted while it was empty, a kept plan reads all rows when it has filled.
  if (isChanged) await analyzePartitioned(sql)
  await makePartitions(sql)
}

/** Waits until no other release runs, for however long that takes. */
async function lockReleases(tx: Tx, log: (line: string) => void): Promise<void> {
  const [{ is_locked }] = await tx<[{ is_locked: boolean }]>`
    select pg_try_advisory_xact_lock(hashtext('signalbox.migrate')) as is_locked
  `
  if (is_locked) return
  log('Another release is running: waiting for it.')
  await tx`select pg_advisory_xact_lock(hashtext('signalbox.migrate'))`
}

/** Lets the server end the statement of a release that was killed, and free its locks. Not every operating system can. */
const endWithClient = (tx: Tx): Promise<unknown> =>
  tx.savepoint((inner) => inner`set local client_connection_check_interval = '1s'`).catch(() => {})

/** A migration changes the tables of all nodes. @throws {MigrationError} if one is away */
async function requireNodes(sql: Tx): Promise<void> {
  const away = await unreachableNodes(sql)
  if (away.length === 0) return
  throw new MigrationError(
    `The coordinator cannot reach ${away.join(' and ')}: start ${away.length === 1 ? 'this node' : 'these nodes'} of the Citus cluster, then run this again.`,
  )
}

/** @throws {MigrationError} if processes are connected that use what a migration removes */
async function requireStopped(tx: Tx, pending: Migration[]): Promise<void> {
  const [oldest] = pending
    .flatMap(({ oldest_version }) => oldest_version ?? [])
    .sort((one, other) => Bun.semver.order(other, one))
  if (oldest === undefined) return
  const older = await olderProcesses(tx, oldest)
  if (older.length === 0) return
  throw new MigrationError(
    `This release removes what processes of versions before ${oldest} use, and these are connected: ${older.join('; ')}. Nothing was changed. Stop them, then run it again. A session that outlasts its process, as behind a pooler, ends with pg_terminate_backend.`,
  )
}

const USAGE = `npx --yes bun run migrate

Migrates the database at DATABASE_DIRECT_URL, or DATABASE_URL, to this version, under a lock: the release process. It is one
transaction: if it fails or is killed, nothing was changed.`

if (import.meta.main) {
  if (process.argv.includes('--help')) {
    console.log(USAGE)
    process.exit(0)
  }
  const [{ directTarget, explainDirectError, FOREIGN_KEY, hasForeignKey }, { readDatabaseSettings }, { settingsOrExit }] =
    await Promise.all([
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
  // The release is done: that this cannot be checked is no failure of it.
  try {
    if (await hasForeignKey(settings)) console.error(FOREIGN_KEY)
  } catch (error) {
    console.error(`SECRETS_KEY could not be checked. ${explainDirectError(settings, error).message}`)
  }
}
