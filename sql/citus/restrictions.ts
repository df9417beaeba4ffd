/**
 * Repeats for each table of a statement to which organizations the statement is restricted. A statement names them once, as a parameter, and
 * joins the other tables by the organization; Citus finds the node of a table only by a parameter that its own column is compared with.
 */
import { type Keys, type Reference, referencesIn } from './references.ts'
import { at, each, expression, has, list, type Node, parameterOf, parse, wordsOf } from './tree.ts'

/** The distinct organizations in some parameters: one, a list, or rows as JSON. Null if these name none. */
export function organizationsIn(values: unknown[]): string[] | null {
  const lists = values.filter((value) => value !== null && value !== undefined).map(organizationsOf)
  return lists.length === 0 ? null : [...new Set(lists.flat())]
}

function organizationsOf(value: unknown): string[] {
  if (typeof value === 'string' && !value.startsWith('[')) return [value]
  const rows: unknown[] = typeof value === 'string' ? JSON.parse(value) : (value as unknown[])
  return rows.flatMap((row) => {
    const organization = typeof row === 'object' && row !== null ? (row as { organization_id?: unknown }).organization_id : row
    return typeof organization === 'string' ? organization : []
  })
}

const ORGANIZATION = 'organization_id'

/** The numbers of the parameters that have organizations. */
export function namingsIn(tree: Node, keys: Keys): number[] {
  const numbers: (number | undefined)[] = []
  const organizations = new Set(referencesIn(tree, keys).flatMap(({ key, equals }) => (key === 'id' ? equals : [])))
  each(tree, 'A_Expr', ({ kind, name, lexpr, rexpr }) => {
    if (wordsOf((name as Node[]) ?? [])[0] !== '=' || !['AEXPR_OP', 'AEXPR_OP_ANY'].includes(String(kind))) return
    const note = (column: unknown, value: unknown) => {
      const word = wordsOf(list(at(column, 'ColumnRef'), 'fields')).at(-1)
      if (word === ORGANIZATION || (word === 'id' && organizations.has(value as Node))) numbers.push(parameterOf(value))
    }
    note(lexpr, rexpr)
    note(rexpr, lexpr)
  })
  each(tree, 'RangeFunction', (range) => {
    const [call] = list(at((range.functions as Node[])[0], 'List'), 'items')
    const { funcname, args } = at(call, 'FuncCall') ?? {}
    const name = wordsOf((funcname as Node[] | undefined) ?? []).at(-1) ?? ''
    if (['jsonb_to_recordset', 'json_to_recordset'].includes(name)) {
      const columns = list(range, 'coldeflist').map((column) => at(column, 'ColumnDef')?.colname)
      if (columns.includes(ORGANIZATION)) numbers.push(parameterOf((args as Node[])[0]))
    }
    if (name === 'unnest') {
      const index = wordsOf(list(at(range, 'alias'), 'colnames')).indexOf(ORGANIZATION)
      if (index >= 0) numbers.push(parameterOf((args as Node[])[index]))
    }
  })
  return [...new Set(numbers.filter((number) => number !== undefined))]
}

/** To what a statement is restricted: one organization or several, and what it compares with organizations already as well, or not. */
export interface Restriction {
  isOne: boolean
  isWhole: boolean
}

/** The parameters that are lists of organizations and nothing else. */
export function listsIn(tree: Node): number[] {
  const [all, compared]: [number[], number[]] = [[], []]
  each(tree, 'ParamRef', ({ number }) => all.push(number as number))
  eachList(tree, (_, number) => compared.push(number))
  const countIn = (numbers: number[], wanted: number) => numbers.filter((number) => number === wanted).length
  return [...new Set(compared)].filter((number) => countIn(all, number) === countIn(compared, number))
}

/** Calls a function with each comparison of an organization with a list that is a parameter. */
function eachList(tree: Node, visit: (comparison: Node, number: number) => void): void {
  each(tree, 'A_Expr', (comparison) => {
    const { kind, lexpr, rexpr } = comparison
    const number = parameterOf(rexpr)
    const isOrganization = wordsOf(list(at(lexpr, 'ColumnRef'), 'fields')).at(-1) === ORGANIZATION
    if (kind === 'AEXPR_OP_ANY' && isOrganization && number !== undefined) visit(comparison, number)
  })
}

/** Makes a statement compare with one organization in place of lists. */
export function compareWithOne(tree: Node, lists: number[]): void {
  eachList(tree, (comparison, number) => {
    if (lists.includes(number)) Object.assign(comparison, { kind: 'AEXPR_OP', rexpr: expression(`$${number}::uuid`) })
  })
}

/**
 * Changes a tree so that its tables are restricted to the organizations of another parameter: to one by `=`, for which Citus finds the node also
 * in a plan that is kept.
 *
 * @returns whether there was anything to restrict
 */
export function restrict(tree: Node, keys: Keys, parameter: number, { isOne, isWhole }: Restriction): boolean {
  const organizations = isOne ? `$${parameter}::uuid` : `any($${parameter}::uuid[])`
  const isLoose = ({ equals }: Reference) => isWhole || equals.every((other) => parameterOf(other) === undefined)
  const loose = referencesIn(tree, keys).filter(isLoose)
  const readsPlaces = has(tree, 'ColumnRef', ({ fields }) => wordsOf(fields as Node[]).includes('ctid'))
  for (const { table, alias, key, holder, isTarget } of loose) {
    if (isTarget) addCondition(holder, expression(`${alias}.${key} = ${organizations}`))
    else {
      const subquery = parse(`select ${readsPlaces ? 'ctid, *' : '*'} from ${table} where ${key} = ${organizations}`)
      delete holder.RangeVar
      holder.RangeSubselect = { subquery, alias: { aliasname: alias } }
    }
  }
  return loose.length > 0
}

function addCondition(statement: Node, condition: Node): void {
  const { whereClause } = statement
  statement.whereClause = whereClause ? { BoolExpr: { boolop: 'AND_EXPR', args: [condition, whereClause as Node] } } : condition
}
