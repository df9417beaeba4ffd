/** Which tenants the worker serves in one transaction. */
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { withinReach } from '../../core/reachable-tenants.ts'
import { PostgresError } from '../../sql/index.ts'
import { isOutage } from './errors.ts'

/** Maximum number of tenants in one transaction. */
const MAX_TENANTS = 500

let areTogether: boolean | undefined

/**
 * Whether one transaction may serve several tenants: on one PostgreSQL, where larger batches cost less. On a cluster (docs/citus.md) each
 * tenant gets its own, so that only tenants whose node is away wait. Read once: a database is distributed while no process runs.
 */
export async function servesTogether(): Promise<boolean> {
  if (areTogether === undefined) {
    const [{ together }] = await sql<[{ together: boolean }]>`select tenants_share_transactions() as together`
    areTogether = together
  }
  return areTogether
}

/** At most `most` tenants each; on a cluster one each. */
async function groupsOf(tenants: string[], most: number): Promise<string[][]> {
  const distinct = [...new Set(tenants)]
  const size = (await servesTogether()) ? most : 1
  return Array.from({ length: Math.ceil(distinct.length / size) }, (_, at) => distinct.slice(at * size, (at + 1) * size))
}

/** Whether others can be served after this error. On a cluster it may come from the node of some. */
const concernsGroup = (error: unknown): boolean => !isOutage(error) || (areTogether === false && error instanceof PostgresError)

/**
 * Serves tenants, many in one transaction, or on a cluster one after the other. A tenant that cannot be served does not prevent the others: a
 * group that fails is served one by one, and the first error is thrown in the end.
 *
 * @param serve serves some of them in one transaction
 * @returns what it returned
 */
export async function serveTenants<Result>(
  tenants: string[],
  serve: (tenants: string[]) => Promise<Result>,
  most = MAX_TENANTS,
): Promise<Result[]> {
  const results: Result[] = []
  const failed: { organization_id: string | undefined; error: unknown }[] = []
  const groups = await groupsOf(tenants, most)
  for (const group of groups) {
    try {
      results.push(await serve(group))
    } catch (error) {
      if (!concernsGroup(error)) throw error
      if (group.length > 1) groups.push(...group.map((tenant) => [tenant]))
      else failed.push({ organization_id: group[0], error })
    }
  }
  const [first] = failed
  if (!first) return results
  log.warn({ ...first, organizations: failed.length }, 'some organizations could not be served')
  throw first.error
}

/**
 * Serves the tenants with something due.
 *
 * @param find finds them
 * @param serve serves some of them in one transaction, and returns how much was done
 * @returns how much was done in total
 */
export async function serveDue(
  find: (among: string[] | null) => Promise<{ organization_id: string }[]>,
  serve: (tenants: string[]) => Promise<number>,
): Promise<number> {
  const due = await withinReach(find)
  const done = await serveTenants(
    due.map(({ organization_id }) => organization_id),
    serve,
  )
  return done.reduce((sum, each) => sum + each, 0)
}
