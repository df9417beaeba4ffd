/** Settings of a session that the code relies on, whatever the defaults of the role, the database or the server are. */

export interface Need {
  value: string
  /**
   * Where a connection asks for the value as it starts: `always`, or `directly`, because poolers in transaction mode
   * reject the parameter. `never`: it takes a superuser, or a newer server.
   */
  pinned: 'always' | 'directly' | 'never'
  /** What serves as well. */
  fits?: (value: string) => boolean
}

/** No limit, or one that ordinary statements never reach. */
const isPatient = (milliseconds: string): boolean => Number(milliseconds) === 0 || Number(milliseconds) >= 10_000

export const NEEDS: Record<string, Need> = {
  // `sql/index.ts` parses times by position.
  DateStyle: { value: 'ISO, MDY', pinned: 'always', fits: (value) => value.startsWith('ISO') },
  TimeZone: { value: 'UTC', pinned: 'always' },
  standard_conforming_strings: { value: 'on', pinned: 'always' },
  IntervalStyle: { value: 'postgres', pinned: 'directly' },
  bytea_output: { value: 'hex', pinned: 'directly' },
  extra_float_digits: { value: '1', pinned: 'directly', fits: (value) => Number(value) >= 1 },
  row_security: { value: 'on', pinned: 'directly' },
  // Migrations create the tables there, and the functions of `ops` name it.
  search_path: { value: 'public', pinned: 'directly' },
  // Locks and retries are designed for this level.
  default_transaction_isolation: { value: 'read committed', pinned: 'directly' },
  // Not `default_transaction_read_only`: platforms switch it on to protect a database whose disk is full.
  // `statement_timeout` bounds the wait for a lock.
  lock_timeout: { value: '0', pinned: 'directly', fits: isPatient },
  // LISTEN waits for as long as nothing happens.
  idle_session_timeout: { value: '0', pinned: 'directly', fits: isPatient },
  statement_timeout: { value: '0', pinned: 'never', fits: isPatient },
  idle_in_transaction_session_timeout: { value: '0', pinned: 'never', fits: isPatient },
  // Exports and migrations take minutes.
  transaction_timeout: { value: '0', pinned: 'never' },
  // Anything else switches triggers off.
  session_replication_role: { value: 'origin', pinned: 'never' },
}

/** Parameters that a connection sends as it starts. */
export function sessionSettings(pooled: boolean): Record<string, string> {
  const sent = Object.entries(NEEDS).filter(([, { pinned }]) => pinned === 'always' || (pinned === 'directly' && !pooled))
  return Object.fromEntries(sent.map(([name, { value }]) => [name, value]))
}

/** The same for a driver that takes command-line options: `-c name=value`, with spaces escaped. */
export const asOptions = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, '\\$&')}`)
    .join(' ')

/**
 * What the planner is to assume in the sessions of API and workers. A plan is kept with its statement for as long as the
 * connection lives, so that one that is made while a table is small must still be right when it has grown by a hundred
 * thousand rows. All that these sessions look up has an index whose pages are cached. Said as costs: a page that an index
 * leads to costs less than reading a table through, however small that is.
 */
export const PLANNER = {
  random_page_cost: '1',
  seq_page_cost: '4',
  // To compile a plan takes longer than any of these statements.
  jit: 'off',
}
