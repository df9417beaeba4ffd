/** Session settings that the code relies on, whatever the defaults of the role, the database or the server are. */

export interface RequiredSetting {
  value: string
  /**
   * Whether a connection sends the value when it starts: `always`; `directly`, without a pooler only, because poolers in
   * transaction mode reject the parameter; or `never`, because it needs a superuser or a newer server.
   */
  pinned: 'always' | 'directly' | 'never'
  /** Other values that are acceptable. */
  fits?: (value: string) => boolean
}

/** No timeout, or one that ordinary statements never reach. */
const isLongOrNone = (milliseconds: string): boolean => Number(milliseconds) === 0 || Number(milliseconds) >= 10_000

export const REQUIRED_SETTINGS: Record<string, RequiredSetting> = {
  // `sql/index.ts` parses times by position.
  DateStyle: { value: 'ISO, MDY', pinned: 'always', fits: (value) => value.startsWith('ISO') },
  TimeZone: { value: 'UTC', pinned: 'always' },
  standard_conforming_strings: { value: 'on', pinned: 'always' },
  IntervalStyle: { value: 'postgres', pinned: 'directly' },
  // Text arrays contain `NULL`.
  array_nulls: { value: 'on', pinned: 'directly' },
  bytea_output: { value: 'hex', pinned: 'directly' },
  extra_float_digits: { value: '1', pinned: 'directly', fits: (value) => Number(value) >= 1 },
  row_security: { value: 'on', pinned: 'directly' },
  // Migrations create the tables in it, and the functions of `ops` set it.
  search_path: { value: 'public', pinned: 'directly' },
  // Statements are built from the names that the server prints.
  quote_all_identifiers: { value: 'off', pinned: 'directly' },
  // A search finds everything that matches.
  gin_fuzzy_search_limit: { value: '0', pinned: 'directly' },
  // Duplicate keys and timeouts are expected errors.
  exit_on_error: { value: 'off', pinned: 'directly' },
  'plpgsql.extra_errors': { value: 'none', pinned: 'directly' },
  // Locks and retries are designed for this level.
  default_transaction_isolation: { value: 'read committed', pinned: 'directly' },
  // Not `default_transaction_read_only`: platforms switch it on to protect a database whose disk is full.
  // `statement_timeout` bounds the wait for a lock.
  lock_timeout: { value: '0', pinned: 'directly', fits: isLongOrNone },
  // A connection that listens is idle until something happens.
  idle_session_timeout: { value: '0', pinned: 'directly', fits: isLongOrNone },
  statement_timeout: { value: '0', pinned: 'never', fits: isLongOrNone },
  idle_in_transaction_session_timeout: { value: '0', pinned: 'never', fits: isLongOrNone },
  // Exports and migrations may take minutes.
  transaction_timeout: { value: '0', pinned: 'never' },
  // Deadlocks are retried, and a release counts on it (`sql/locks.ts`).
  deadlock_timeout: { value: '1000', pinned: 'never', fits: (milliseconds) => Number(milliseconds) <= 10_000 },
  // Statements read views. Unknown to servers that have not been updated since 2024.
  restrict_nonsystem_relation_kind: { value: '', pinned: 'never' },
  // Any other tablespace will do; partitioned tables refuse this one if it is named.
  default_tablespace: { value: '', pinned: 'never', fits: (value) => value !== 'pg_default' },
  // What was answered or sent survives a crash of the server. A statement that may be lost says so itself.
  synchronous_commit: { value: 'on', pinned: 'never', fits: (value) => value !== 'off' },
  // Sessions that are stuck are found in `pg_stat_activity`.
  track_activities: { value: 'on', pinned: 'never' },
  // Without counts, no table is vacuumed, and workers do not see how many dead rows the queue has.
  track_counts: { value: 'on', pinned: 'never' },
  // Anything else switches triggers off.
  session_replication_role: { value: 'origin', pinned: 'never' },
}

/** Parameters that a connection sends when it starts. */
export function sessionSettings(pooled: boolean): Record<string, string> {
  const sent = Object.entries(REQUIRED_SETTINGS).filter(
    ([, { pinned }]) => pinned === 'always' || (pinned === 'directly' && !pooled),
  )
  return Object.fromEntries(sent.map(([name, { value }]) => [name, value]))
}

/** The same for a driver that takes command-line options: `-c name=value`, with spaces escaped. */
export const asOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ')

/**
 * Planner settings in the sessions of API and workers. PostgreSQL keeps a generic plan for as long as the connection lives, so a
 * plan made while a table is small must still be good when the table has grown by a hundred thousand rows. Every look-up in these
 * sessions has an index whose pages are cached. These costs make an index cheaper than a sequential scan of even a small table, and
 * some look-ups in an index cheaper than reading all of it once.
 */
export const PLANNER = {
  random_page_cost: '1',
  seq_page_cost: '4',
  cpu_index_tuple_cost: '0.1',
  // Compiling a plan takes longer than any of these statements.
  jit: 'off',
}
