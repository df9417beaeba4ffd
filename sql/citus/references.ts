/** Where a statement reads and writes the tables of tenants, and with what it compares their organizations. */
import { at, each, list, type Node, wordsOf } from './tree.ts'

/** The column with the organization of each table of tenants. */
export type Keys = ReadonlyMap<string, string>

/** A table of tenants in a statement. */
export interface Reference {
  table: string
  alias: string
  /** The column with the organization. */
  key: string
  /** `{ RangeVar }` in a list of tables; the statement itself if its rows are changed or deleted. */
  holder: Node
  isTarget: boolean
  /** What is read together with it. */
  scope: object
  /** What its organization is equal to, or in, for every row that is used: the other sides of the comparisons. */
  equals: Node[]
}

/** Tables that are read together, and the conditions on their rows. */
interface Scope {
  tables: { name: string; schema: string | undefined; alias: string; holder: Node; isTarget: boolean }[]
  /** Each with the tables whose rows it restricts, if not all. */
  conditions: { expression: Node; only: Set<string> | null }[]
}

export function referencesIn(tree: Node, keys: Keys): Reference[] {
  const subqueries = new Set<unknown>()
  each(tree, 'CommonTableExpr', ({ ctename }) => subqueries.add(ctename))
  return scopesIn(tree).flatMap((scope) => {
    const { tables, conditions } = scope
    const ofTenants = tables.filter(
      ({ name, schema }) => keys.has(name) && (schema ?? 'public') === 'public' && !subqueries.has(name),
    )
    // Where one table has organizations, its column may stand without its name.
    const isOnly = ofTenants.length === 1
    return ofTenants.map(({ name, alias, holder, isTarget }) => {
      const key = keys.get(name) as string
      const isKey = (side: Node): boolean => {
        const words = wordsOf(list(at(side, 'ColumnRef'), 'fields'))
        return words.at(-1) === key && (words.length === 1 ? isOnly : words.at(-2) === alias)
      }
      const equals = conditions
        .filter(({ only }) => !only || only.has(alias))
        .flatMap(({ expression }) => equalitiesIn(expression))
        .flatMap(([one, other]) => (isKey(one) ? [other] : isKey(other) ? [one] : []))
      return { table: name, alias, key, holder, isTarget, scope, equals }
    })
  })
}

const EQUAL = ['AEXPR_OP', 'AEXPR_NOT_DISTINCT', 'AEXPR_OP_ANY', 'AEXPR_IN']

/** The expressions of which one is equal to the other, or in it, in every row that fulfils a condition. */
function equalitiesIn(expression: Node): [Node, Node][] {
  const both = at(expression, 'BoolExpr')
  if (both) return both.boolop === 'AND_EXPR' ? list(both, 'args').flatMap(equalitiesIn) : []
  const { kind, lexpr, rexpr } = at(expression, 'A_Expr') ?? {}
  const isEqual = EQUAL.includes(String(kind)) && wordsOf(list(at(expression, 'A_Expr'), 'name'))[0] === '='
  if (isEqual) return [[lexpr as Node, rexpr as Node]]
  const { subLinkType, testexpr, subselect } = at(expression, 'SubLink') ?? {}
  return subLinkType === 'ANY_SUBLINK' ? [[testexpr as Node, subselect as Node]] : []
}

function scopesIn(tree: Node): Scope[] {
  const scopes: Scope[] = []
  const add = (tables: Node[], where: unknown, changed?: Node): void => {
    const scope: Scope = { tables: [], conditions: [] }
    if (changed) addTable(scope, at(changed, 'relation') as Node, changed, true)
    for (const table of tables) addTables(scope, table)
    if (where) scope.conditions.push({ expression: where as Node, only: null })
    scopes.push(scope)
  }
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    // The parts of a union are queries without the name of their type.
    if ('limitOption' in node) add(list(node, 'fromClause'), at(node, 'whereClause'))
    for (const [type, part] of Object.entries(node)) {
      if (type === 'UpdateStmt') add(list(part, 'fromClause'), at(part, 'whereClause'), part as Node)
      if (type === 'DeleteStmt') add(list(part, 'usingClause'), at(part, 'whereClause'), part as Node)
      visit(part)
    }
  }
  visit(tree)
  return scopes
}

function addTable(scope: Scope, table: Node, holder: Node, isTarget = false): void {
  const name = String(table.relname)
  const alias = String(at(table, 'alias')?.aliasname ?? name)
  scope.tables.push({ name, schema: table.schemaname as string | undefined, alias, holder, isTarget })
}

/** Adds what one item of a list of tables contains. @returns its aliases */
function addTables(scope: Scope, item: Node): Set<string> {
  const table = at(item, 'RangeVar')
  if (table) {
    addTable(scope, table, item)
    return new Set([String(at(table, 'alias')?.aliasname ?? table.relname)])
  }
  const join = at(item, 'JoinExpr')
  if (!join) return new Set()
  const [left, right] = [addTables(scope, join.larg as Node), addTables(scope, join.rarg as Node)]
  // An outer join keeps the rows of one side that fulfil no condition.
  const only = { JOIN_LEFT: right, JOIN_RIGHT: left, JOIN_FULL: new Set<string>() }[String(join.jointype)] ?? null
  if (join.quals) scope.conditions.push({ expression: join.quals as Node, only })
  return left.union(right)
}
