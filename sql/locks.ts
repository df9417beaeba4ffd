/** Locks that a release needs while the previous version still runs. */
import { PostgresError, type Sql, type Tx } from './index.ts'

/**
 * How long a release waits for a lock before it rolls back and retries: half of PostgreSQL's `deadlock_timeout`. If another session
 * waits for the release and holds what the release needs, that session continues before PostgreSQL detects a deadlock and aborts one
 * of the two.
 */
const TIMEOUT = '500ms'
/** The same for all locks that it takes at its start. */
const TIMEOUT_TOGETHER = '750ms'
/** Long enough for PostgreSQL to cancel an autovacuum that holds the lock, for a session that holds no other. */
const VACUUM_TIMEOUT = '5s'
const TRIES = 60
const TRIES_BEFORE_VACUUMS = 10
/** What waited for a try has to get on before the next one. */
const PAUSE_MS = 200

/** SQLSTATE of a lock timeout, and of a deadlock. */
const LOCK_ERRORS = new Set<unknown>(['55P03', '40P01'])

/**
 * Runs a transaction of the release, which is retried for about a minute while others hold locks that it needs.
 *
 * @param begin what may wait for longer
 */
export async function retryLockedTransaction(
  sql: Sql,
  run: (tx: Tx) => Promise<void>,
  begin: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await sql.begin(async (tx) => {
        await begin(tx)
        await tx`select set_config('lock_timeout', ${TIMEOUT}, true)`
        await run(tx)
      })
      return
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && LOCK_ERRORS.has(error.code))) throw error
      if (tries === TRIES)
        throw new Error('Other sessions use the tables all the time: end long transactions and backups, then run it again.', {
          cause: error,
        })
      if (tries % TRIES_BEFORE_VACUUMS === 0) await endVacuums(sql)
      await Bun.sleep(PAUSE_MS * (1 + Math.random()))
    }
  }
}

/** The statements for which earlier tries waited in vain, the last one first. */
const contended: string[] = []

/**
 * Runs the statements that lock what the transaction needs, before it changes anything: if it took one lock after another between
 * changes, others would have waited for the first long enough to detect a deadlock while it waits for the last.
 *
 * A statement that waited in vain is the first of the next try: those for whom it waited wanted what was locked before it.
 */
export async function lockTogether(tx: Tx, statements: string[]): Promise<void> {
  const ordered = [...new Set([...contended.filter((statement) => statements.includes(statement)), ...statements])]
  await tx`select set_config('statement_timeout', ${TIMEOUT_TOGETHER}, true)`
  const locking = tx.unsafe(`
    do $locks$
      declare
        next text;
      begin
        foreach next in array array[${ordered.map((statement) => `'${statement.replaceAll("'", "''")}'`).join(', ')}]::text[] loop
          execute next;
        end loop;
      exception
        when query_canceled or lock_not_available then
          raise lock_not_available using table = next;
      end
    $locks$
  `)
  await locking
    .then(() => tx`select set_config('statement_timeout', '0', true)`)
    .catch((error) => {
      if (error instanceof PostgresError && error.table_name !== undefined) contended.unshift(error.table_name)
      // On a busy machine the time is also up where no lock is waited for, which the block does not catch.
      throw error.code === '57014' ? Object.assign(new Error(error.message, { cause: error }), { code: '55P03' }) : error
    })
}

/** Makes PostgreSQL cancel autovacuums of our tables, one table at a time: who waits for one lock and holds none is in no deadlock. */
async function endVacuums(sql: Sql): Promise<void> {
  const tables = await sql<{ schema: string; name: string }[]>`
    select distinct nspname as schema, relname as name
    from pg_locks
    join pg_class on pg_class.oid = relation
    join pg_namespace on pg_namespace.oid = relnamespace
    where mode = 'ShareUpdateExclusiveLock'
      and granted
      and database = (select oid from pg_database where datname = current_database())
      and relkind = 'r'
      and nspname in ('public', 'ops', 'graphile_worker')
  `
  for (const { schema, name } of tables) {
    const lock = sql.begin(async (tx) => {
      await tx`select set_config('lock_timeout', ${VACUUM_TIMEOUT}, true)`
      await tx`lock table ${tx(`${schema}.${name}`)} in access exclusive mode`
    })
    await lock.catch(() => {})
  }
}
