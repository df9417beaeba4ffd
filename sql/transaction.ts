/** Short transactions: with retries, work after the commit, and statements that share a round trip. */
import { PostgresError, type Queryable, type Sql, type Tx, violatedConstraint } from './index.ts'

const callbacks = new WeakMap<Queryable, Set<() => void>>()

/** Statements of open transactions that were sent without waiting for their results. */
const pipelined = new WeakMap<Tx, Promise<unknown>[]>()

/**
 * Calls a function after the open transaction has committed. The same function is called once, however often it was
 * passed. A crash between the commit and the call loses the call.
 *
 * @returns false if this is no transaction of `runTransaction`: the function is not called
 */
export function afterCommit(tx: Queryable, callback: () => void): boolean {
  return callbacks.get(tx)?.add(callback) !== undefined
}

/** Runs part of a transaction in a savepoint, so that it can fail alone. If it does, its callbacks are not called. */
export async function savepoint<Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const afterwards = new Set<() => void>()
  const outer = callbacks.get(tx)
  const result = await tx.savepoint((inner) => {
    if (outer) callbacks.set(inner as Tx, afterwards)
    return work(inner as Tx)
  })
  for (const callback of afterwards) outer?.add(callback)
  return result as Result
}

/**
 * Sends a statement without waiting for its result, so that the next statement, or the commit, goes in the same round
 * trip. If it fails, the transaction fails: PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK.
 */
export async function pipeline(tx: Tx, statement: { execute(): Promise<unknown> }): Promise<void> {
  const others = pipelined.get(tx)
  const sent = statement.execute()
  if (!others) return void (await sent)
  // `runTransaction` awaits it after the commit; until then its failure must not count as unhandled.
  sent.catch(() => {})
  others.push(sent)
}

/**
 * Makes PostgreSQL look up rows by their keys in the open transaction, whatever it believes about the sizes of tables. For batches that
 * join a table which is nearly empty most of the time: a plan that was made then would read all of it once it has grown.
 *
 * What is left are bitmap scans, which need a condition. An index scan without one reads all of its table.
 */
export const joinByKeys = (tx: Tx): Promise<void> =>
  pipeline(
    tx,
    tx`
      select set_config('enable_' || name, 'off', true)
      from unnest(array['hashjoin', 'mergejoin', 'seqscan', 'indexscan', 'indexonlyscan']) as name
    `,
  )

/**
 * A deadlock, a serialization failure, or a concurrent request with the same Idempotency-Key. Nothing was written, and a
 * retry sees what the other transaction committed.
 */
const isRetryable = (error: unknown): boolean =>
  error instanceof PostgresError &&
  (['40P01', '40001'].includes(error.code) || violatedConstraint(error) === 'idempotency_keys_pkey')

const MAX_TRIES = 3
/** The transaction that this one was aborted for has to get on before the next try: otherwise both may wait for each other again. */
const PAUSE_MS = 50

/**
 * Runs one short transaction and then its `afterCommit` callbacks. Retries it when PostgreSQL aborted it because of a
 * concurrent transaction, so `work` must have no effects outside of the database.
 *
 * @param isEager whether the first statements are sent together with BEGIN. If that fails, they run outside of a transaction, so they
 *   must change nothing. Those that follow them are rejected.
 * @throws what `work` throws, and the error of a statement that failed
 */
export async function runTransaction<Result>(db: Sql, work: (tx: Tx) => Promise<Result>, isEager = false): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const afterwards = new Set<() => void>()
    const statements: Promise<unknown>[] = []
    try {
      const result = await db.begin(isEager ? 'eager' : '', (tx) => {
        callbacks.set(tx, afterwards)
        pipelined.set(tx, statements)
        return work(tx)
      })
      await Promise.all(statements)
      for (const callback of afterwards) callback()
      return result as Result
    } catch (error) {
      if (tries === MAX_TRIES || !isRetryable(error)) throw error
      await Bun.sleep(PAUSE_MS * tries * (0.5 + Math.random()))
    }
  }
}
