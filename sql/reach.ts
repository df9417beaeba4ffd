/**
 * How far a statement reaches. Every statement names the organization of each table of tenants that it reads or writes; one that cannot is
 * wrapped in one of these functions, which say why. On one PostgreSQL they change nothing. A cluster asks all nodes for such a statement, or
 * one organization after the other. Tests fail for a statement that needs one of them and has none, or has one that it does not need.
 */
import type { MaybeRow, PendingQuery, Row } from 'postgres'

export type Reach =
  | { kind: 'across'; away: 'fails' | 'partly' }
  | { kind: 'locating'; id: string }
  | { kind: 'each'; user_id: string; merge: (rows: Row[]) => Row[] }
  /** Of a statement that a cluster sends alongside another. Null: not restricted. */
  | { kind: 'within'; organizations: string[] | null }

function mark<Rows extends readonly MaybeRow[]>(query: PendingQuery<Rows>, reach: Reach): PendingQuery<Rows> {
  // The types of postgres.js lack the options of a query.
  const { options } = query as unknown as { options: { reach?: Reach } }
  options.reach = reach
  return query
}

/** How far a statement reaches; undefined if it names its organizations. */
export const reachOf = (statement: object): Reach | undefined => (statement as { options?: { reach?: Reach } }).options?.reach

/**
 * Marks a statement that serves several organizations: a sweep, a metric, or what belongs to a user who may be in any of them.
 *
 * @param query was not sent yet
 * @param away what happens on a cluster while a node is away: the statement `fails`, or has the rows of the other nodes as result (`partly`)
 */
export const acrossTenants = <Rows extends readonly MaybeRow[]>(
  query: PendingQuery<Rows>,
  away: 'fails' | 'partly' = 'fails',
): PendingQuery<Rows> => mark(query, { kind: 'across', away })

const partial = new WeakSet<object>()

/** Notes that rows of organizations on a node that is away are missing in a result. */
export function notePartial<Rows extends object>(rows: Rows): Rows {
  partial.add(rows)
  return rows
}

/** Whether rows are missing in the result of a statement that has rows `partly`. */
export const isPartial = (rows: object): boolean => partial.has(rows)

/** For a statement that is like one of several tenants, but about one tenant, or a table of none. */
export const unmarked: typeof acrossTenants = (query) => query

/**
 * Marks a statement that finds something by its id, to learn its organization. A cluster looks first where the id was found before. While a
 * node is away, it looks on the others; if it is not there, the statement fails.
 *
 * @param id of the row that the statement returns with its `id` and `organization_id`; null if it looks for none
 */
export const locating = <Rows extends readonly MaybeRow[]>(query: PendingQuery<Rows>, id: string | null): PendingQuery<Rows> =>
  id === null ? query : mark(query, { kind: 'locating', id })

/**
 * Marks a statement about all organizations of a user. A cluster sends it for each of them, in the order of their ids.
 *
 * @param merge makes one result of those of all organizations, which are given one after the other
 */
export const eachOrganization = <Rows extends readonly MaybeRow[]>(
  query: PendingQuery<Rows>,
  user_id: string,
  merge: (rows: Row[]) => Row[] = (rows) => rows,
): PendingQuery<Rows> => mark(query, { kind: 'each', user_id, merge })
