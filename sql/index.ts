/** The one door to PostgreSQL. */
import postgres from 'postgres'
import { sessionSettings } from './session.ts'
import { type Target, targetOf } from './target.ts'

// Times leave the database as the API shows them (ISO 8601, UTC, milliseconds): a Date on every row cost
// four times as much to serialise. Numbers that JSON can hold are numbers: counts and money.
const types = {
  timestamp: {
    to: 1184,
    from: [1184],
    serialize: (value: string | Date) => (value instanceof Date ? value.toISOString() : value),
    parse: (text: string) =>
      `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+')).padEnd(12, text.includes('.') ? '0' : '.000')}Z`,
  },
  // `date` stays text: as a Date it would move with the time zone of the process.
  day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
  number: { to: 1700, from: [20, 1700], serialize: (value: number) => String(value), parse: Number },
}

type Types = { timestamp: string; day: string; number: number }

/** A pool of connections; every statement runs in a transaction of its own. */
export type Sql = postgres.Sql<Types>
/** One open transaction. Functions that take a `Tx` compose; only the one that opens it commits. */
export type Tx = postgres.TransactionSql<Types>
/** Either: for reads that are right in a transaction and outside of one. */
export type Queryable = postgres.ISql<Types>
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
/** A value that may be stored as `jsonb`. */
export type Json = postgres.JSONValue

export const { PostgresError } = postgres

/**
 * Opens a pool.
 *
 * @param server where: a URL alone is a server without TLS, and without a pooler in front
 * @param name what `pg_stat_activity` shows for its connections
 * @param max connections at the most; opened when they are needed
 * @param settings of PostgreSQL, for its sessions; a pooler lets none through
 */
export function connect(server: string | Target, name: string, max: number, settings: Record<string, string> = {}): Sql {
  const { url, ssl, pooled } = typeof server === 'string' ? targetOf(server) : server
  return postgres(url, {
    max,
    types,
    ssl,
    // Behind a pooler the next transaction may meet a session that does not know the statement, and the pooler may
    // take a session away between a statement and one that was sent without waiting for its answer.
    prepare: !pooled,
    // The types of postgres.js lack this option.
    ...({ max_pipeline: pooled ? 0 : 100 } satisfies object),
    // Where a standby took over, connections to the server that was are left behind soon.
    max_lifetime: 300,
    onnotice: () => {},
    connect_timeout: 5,
    // A server that is away is asked again soon: requests wait for it, and answer 503 meanwhile.
    backoff: (retries) => Math.min(1, 0.05 * 2 ** retries),
    connection: {
      application_name: name,
      ...sessionSettings(pooled),
      // Poolers reject these.
      ...(pooled
        ? {}
        : {
            // Nothing here takes longer; what does is stuck, and must not hold its locks.
            statement_timeout: 30_000,
            idle_in_transaction_session_timeout: 30_000,
            ...settings,
          }),
    },
  })
}

/**
 * Has every statement of this process measured from when it is asked for to its answer, those inside transactions too.
 * postgres.js tells of the beginning alone, so that this looks at the two functions by which a statement ends.
 *
 * @param sql any pool
 * @param ended told the command (empty where it failed), the seconds, and the SQLSTATE or code of a failure
 */
export function watchStatements(sql: Sql, ended: (command: string, seconds: number, error: string | null) => void): void {
  interface Statement {
    executed: boolean
    resolve: (result: { command?: string | null }) => void
    reject: (error: unknown) => void
  }
  const prototype = Object.getPrototypeOf(sql`select`) as { handle: (this: Statement) => Promise<void> }
  const { handle } = prototype
  prototype.handle = function () {
    if (!this.executed) {
      const begun = performance.now()
      const { resolve, reject } = this
      this.resolve = (result) => {
        ended(result?.command ?? '', (performance.now() - begun) / 1000, null)
        resolve(result)
      }
      this.reject = (error) => {
        ended('', (performance.now() - begun) / 1000, error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
        reject(error)
      }
    }
    return handle.call(this)
  }
}
