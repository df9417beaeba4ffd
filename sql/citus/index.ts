/** What is different on a cluster. */
import { type Cluster, cluster, type Statement, useCluster } from '../cluster.ts'
import { plannedAnew, type Sql } from '../index.ts'
import { reachOf } from '../reach.ts'
import { type Rows, sendBeside } from './driver.ts'
import { restoreFields } from './errors.ts'
import { isDistributed, ORGANIZATIONS, tenantTables } from './layout.ts'
import { Places } from './places.ts'
import { organizationsIn } from './restrictions.ts'
import { MEMBER_ORGANIZATIONS, type Plan, Statements } from './statements.ts'
import { loadParser } from './tree.ts'

/** Finds out whether the tables are on a cluster, before they are used: a database is distributed while no process runs. */
export async function joinCluster(sql: Sql): Promise<void> {
  if (!cluster() && (await isDistributed(sql))) useCluster(await openCitus(sql))
}

/** No organization has this id: what is restricted to none is looked for in one shard, where nothing is. */
const NONE = '00000000-0000-0000-0000-000000000000'

/** Says in the log of the coordinator that a statement asks several shards, and why it may. */
const ACROSS = '/* across tenants */ '
const SEVERAL = '/* several organizations */ '

async function openCitus(sql: Sql): Promise<Cluster> {
  await loadParser()
  const keyOf = (table: string) => (table === ORGANIZATIONS ? 'id' : 'organization_id')
  const statements = new Statements(new Map((await tenantTables(sql)).map((table) => [table, keyOf(table)])))
  const places = new Places(sql)

  /**
   * The text of a statement that is restricted to some organizations, which are added to the parameters; null: to none.
   *
   * @param isWhole whether tables that are compared with a parameter already are restricted as well
   */
  function textFor(plan: Plan, parameters: unknown[], types: number[], organizations: string[] | null, isWhole = true): string {
    if (!organizations) return plan.text
    const [first = NONE] = organizations
    const isOne = organizations.length < 2 && plan.lists.every((number) => parameters[number - 1] !== null)
    const { text, isMore } = plan.restricted({ isOne, isWhole })
    for (const number of isOne ? plan.lists : []) {
      parameters[number - 1] = organizationsIn([parameters[number - 1]])?.includes(first) ? first : NONE
      types[number - 1] = 0
    }
    if (isMore) {
      parameters.push(isOne ? first : [first, ...organizations.slice(1)])
      types.push(0)
    }
    return organizations.length > 1 ? SEVERAL + text : text
  }

  return {
    organizationOf: (id) => (id === null ? null : places.get(id)),
    rewrite(statement, text, parameters, types) {
      const plan = statements.planOf(text, parameters.length)
      const given = [...parameters]
      if (plan.isPlannedAnew) plannedAnew(statement as never)
      const send = (organizations: string[] | null, other = text) => sendBeside(statement, other, given, organizations)
      restoreErrors(statement)
      const reach = reachOf(statement)
      if (reach?.kind === 'within') return textFor(plan, parameters, types, reach.organizations)
      if (reach?.kind === 'across') {
        if (reach.away === 'partly') places.searchReachable(statement, send, () => true)
        return ACROSS + plan.text
      }
      if (reach?.kind === 'locating') {
        const known = places.get(reach.id)
        const hasTables = plan.restricted({ isOne: true, isWhole: true }).isMore
        places.rememberRows(statement)
        if (known !== null && hasTables) return textFor(plan, parameters, types, [known])
        if (hasTables) places.searchReachable(statement, send, (rows) => rows.length > 0)
        return ACROSS + plan.text
      }
      const named = plan.named(given)
      if (reach?.kind === 'each') {
        const { resolve, reject } = statement
        statement.resolve = (rows) => {
          const organizations = rows.map(({ id }) => String(id)).filter((id) => named?.includes(id) ?? true)
          Promise.all(organizations.map((id) => send([id]))).then((found) => resolve(reach.merge(found.flat())), reject)
        }
        parameters.splice(0, parameters.length, reach.user_id)
        types.splice(0, types.length, 0)
        return `select organization_id as id from ${MEMBER_ORGANIZATIONS} where user_id = $1 order by organization_id`
      }
      if (plan.copy) alsoSend(statement, [send(null, plan.copy)], (rows) => rows)
      const [first, ...others] = plan.locks && named ? named.toSorted() : []
      if (first === undefined || others.length === 0) return textFor(plan, parameters, types, named, false)
      alsoSend(
        statement,
        others.map((organization) => send([organization])),
        (rows, more) => Object.assign(rows, rows.concat(...more)),
      )
      return textFor(plan, parameters, types, [first])
    },
  }
}

/** Makes the result of a statement wait for those of others. */
function alsoSend(statement: Statement, others: Promise<Rows>[], merge: (rows: Rows, more: Rows[]) => Rows): void {
  const { resolve, reject } = statement
  const sent = Promise.all(others)
  statement.resolve = (rows) => void sent.then((more) => resolve(merge(rows, more)), reject)
  // If the statement fails, its error says more.
  sent.catch(() => {})
}

function restoreErrors(statement: Statement): void {
  const { reject } = statement
  statement.reject = (error) => {
    restoreFields(error)
    reject(error)
  }
}
