/** Connections to PostgreSQL. */
import postgres from 'postgres'
import { cluster, type Statement } from './cluster.ts'
import { sessionSettings } from './session.ts'
import { type DatabaseTarget, sessionName, socketOf, targetOf } from './target.ts'

// Times are strings in the format of the API (ISO 8601, UTC, milliseconds): Date objects took four times as long to serialize.
// Counts and money are numbers, because all of them fit in a double.
const types = {
  timestamp: {
    to: 1184,
    from: [1184],
    serialize: (value: string | Date) => (value instanceof Date ? value.toISOString() : value),
    parse: (text: string) =>
      `${text.slice(0, 10)}T${text.slice(11, text.lastIndexOf('+')).padEnd(12, text.includes('.') ? '0' : '.000')}Z`,
  },
  // A `date` is text: as a Date it would depend on the time zone of the process.
  day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (text: string) => text },
  number: { to: 1700, from: [20, 1700], serialize: (value: number) => String(value), parse: Number },
}

type Types = { timestamp: string; day: string; number: number }

/** A connection pool; every statement is its own transaction. */
export type Sql = postgres.Sql<Types>
/** An open transaction. Only the function that opened it commits. */
export type Tx = postgres.TransactionSql<Types>
/** Either of them, for reads that may run inside a transaction or outside. */
export type Queryable = postgres.ISql<Types>
/** A part of a statement. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>
/** A value that can be stored as `jsonb`. */
export type Json = postgres.JSONValue

export const { PostgresError } = postgres

/** The constraint that a statement violated; undefined if it failed for another reason. */
export const violatedConstraint = (error: unknown): string | undefined =>
  // Class 23: violations of constraints.
  error instanceof PostgresError && error.code.startsWith('23') ? error.constraint_name : undefined

/** The text of a statement as it is sent. */
const rewrite = (statement: Statement, text: string, parameters: unknown[], types: number[]): string =>
  cluster()?.rewrite(statement, text, parameters, types) ?? text

// The driver would look for a server of that kind, and a URL has one host.
delete process.env.PGTARGETSESSIONATTRS

/**
 * Opens a pool.
 *
 * @param server a target, or the URL of a server without TLS and without a pooler
 * @param name shown in `pg_stat_activity`
 * @param max maximum number of connections; they are opened on demand
 * @param settings of PostgreSQL for these sessions; not sent through a pooler
 */
export function connect(server: string | DatabaseTarget, name: string, max: number, settings: Record<string, string> = {}): Sql {
  const target = typeof server === 'string' ? targetOf(server) : server
  const { host, port, user, password, database, ssl, sslnegotiation, pooled, options } = target
  return postgres({
    ...(host.startsWith('/') ? { path: socketOf(target) } : {}),
    user,
    password,
    database,
    max,
    types,
    ssl,
    // Behind a pooler, the next transaction may get a session that has not prepared the statement, and pipelined statements may
    // go to different sessions.
    prepare: !pooled,
    // The types of postgres.js lack these options. Of a host that is no list, it would take the part before a colon.
    ...({
      ...(host === '' ? {} : { host: [host] }),
      port: [port],
      max_pipeline: pooled ? 0 : 100,
      rewrite,
      sslnegotiation,
    } as object),
    // After a failover, connections to the old server are closed soon.
    max_lifetime: 300,
    onnotice: () => {},
    connect_timeout: target.connect_timeout,
    keep_alive: target.keep_alive,
    // Per connection that cannot be opened. What waits fails with each try, and requests are answered with 503.
    backoff: (retries) => Math.min(1, 0.05 * 2 ** retries),
    connection: {
      application_name: sessionName(name, target),
      ...(options === '' ? {} : { options }),
      ...sessionSettings(pooled),
      // Poolers reject these parameters.
      ...(pooled
        ? {}
        : {
            // No statement takes this long; one that does is stuck, and must release its locks.
            statement_timeout: 30_000,
            idle_in_transaction_session_timeout: 30_000,
            ...settings,
          }),
    },
  })
}

/**
 * Measures every statement of this process, also those in transactions, from the call to its result. postgres.js has a hook for
 * the start of a statement only, so this wraps the two functions that end one.
 *
 * @param sql any pool
 * @param ended called with the command (empty if it failed), the duration in seconds, and the SQLSTATE or code of a failure
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

/**
 * Makes PostgreSQL plan a query for the values of its parameters: a statement without a name has no plan that is kept.
 *
 * @param query was not sent yet
 */
export function plannedAnew<Rows extends postgres.MaybeRow[]>(query: postgres.PendingQuery<Rows>): postgres.PendingQuery<Rows> {
  // The types of postgres.js lack the options of a query.
  const { options } = query as unknown as { options: { prepare?: boolean } }
  options.prepare = false
  return query
}
