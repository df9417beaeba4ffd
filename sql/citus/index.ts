/** What is different on a cluster. */
import { type Cluster, cluster, type Statement, useCluster } from '../cluster.ts'
import { PostgresError, type Sql } from '../index.ts'
import { restrictionOf, sendBeside } from './driver.ts'
import { restoreFields } from './errors.ts'
import { acceptable } from './expressions.ts'
import { isDistributed, tenantTables } from './layout.ts'
import { readCopy, writeCopy } from './members.ts'
import { sendForEach } from './organizations-of-user.ts'
import { readEachPage } from './pages.ts'
import { lookUpByFunction } from './paths.ts'
import { Restrictions } from './restrictions.ts'
import { returnRows } from './returning.ts'
import { Searches } from './searches.ts'

/** Finds out whether the tables are on a cluster, before they are used: a database is distributed while no process runs. */
export async function joinCluster(sql: Sql): Promise<void> {
  if (!cluster() && (await isDistributed(sql))) useCluster(await openCitus(sql))
}

async function openCitus(sql: Sql): Promise<Cluster> {
  const tables = new Set(await tenantTables(sql))
  const restrictions = new Restrictions(tables)
  const searches = new Searches(sql)
  const citus: Cluster = {
    rewrite(statement, text, parameters, types) {
      const [page, ...pages] = readEachPage(text, parameters) ?? []
      if (page) {
        alsoSend(
          statement,
          pages.map((other) => sendBeside(statement, other.text, other.parameters)),
        )
        parameters.splice(0, parameters.length, ...page.parameters)
        types.splice(0, types.length, ...page.parameters.map(() => 0))
        return citus.rewrite(statement, page.text, parameters, types)
      }
      restoreErrors(statement)
      const path = lookUpByFunction(text, parameters.length)
      if (path) {
        parameters.push(searches.memory.get(parameters[path.id - 1]))
        types.push(0)
        searches.rememberRows(statement)
        return path.text
      }
      const restriction = restrictionOf(statement)
      const listing = restriction ? null : sendForEach(statement, text, parameters, restrictions)
      if (listing) {
        parameters.splice(0, parameters.length, listing.user_id)
        types.splice(0, types.length, 0)
        return listing.text
      }
      if (!restriction) writeCopy(statement, text, parameters)
      const within =
        restriction ?? searches.begin(statement, text, parameters) ?? lockApart(statement, text, parameters, restrictions)
      return returnRows(restrictions.add(acceptable(readCopy(text)), parameters, types, within), tables)
    },
    isOfNode: (error) => error instanceof PostgresError,
    async unregisteredOwners() {
      // A worker registers before it leases, so one that is missing from the second list has gone.
      const owners = await sql<{ id: string }[]>`select distinct owner_id as id from lanes where owner_id is not null`
      const registered = await sql<{ id: string }[]>`select id from workers`
      const known = new Set(registered.map(({ id }) => id))
      return owners.map(({ id }) => id).filter((id) => !known.has(id))
    },
    async tenantsWith(table, condition) {
      if (!tables.has(table)) return null
      const tenants = await sql<{ id: string }[]>`select distinct organization_id as id from ${sql(table)} where ${condition}`
      return tenants.map(({ id }) => id)
    },
  }
  return citus
}

const LOCKS = /\bfor\s+(no\s+key\s+)?update\b|\bfor\s+(key\s+)?share\b/i

/** Sends a statement that locks rows of several organizations once for each, in their order: Citus locks rows in one shard at a time. */
function lockApart(statement: Statement, text: string, parameters: unknown[], restrictions: Restrictions): string[] | null {
  const [first, ...others] = LOCKS.test(text) ? (restrictions.named(text, parameters) ?? []).toSorted() : []
  if (first === undefined || others.length === 0) return null
  alsoSend(
    statement,
    others.map((organization) => sendBeside(statement, text, parameters, [organization])),
  )
  return [first]
}

/** Adds the rows of other statements to those of a statement, whose result waits for them. */
function alsoSend(statement: Statement, others: Promise<Record<string, unknown>[]>[]): void {
  const { resolve, reject } = statement
  const sent = Promise.all(others)
  statement.resolve = (rows) => void sent.then((more) => resolve(Object.assign(rows, rows.concat(...more))), reject)
  sent.catch(() => {})
}

function restoreErrors(statement: Statement): void {
  const { reject } = statement
  statement.reject = (error) => {
    restoreFields(error)
    reject(error)
  }
}
