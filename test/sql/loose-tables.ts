/**
 * Finds the tenant tables that a statement reads without naming an organization. This parses only as much SQL as
 * needed: tokens, parentheses, the tables of each query and the conditions on all of its rows.
 */

/** A word, an operator, or the contents of parentheses. */
type Token = string | Group
type Group = Token[]

const TOKEN =
  /--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_][\w$]*(?:\.(?:[a-z_][\w$]*|\*))*|\d[\d.]*|::|<=|>=|<>|!=|\|\||[^\s]/gis

/** Tokenizes a statement. Parentheses and brackets become groups. */
function tokenize(statement: string): Group {
  const open: Group[] = [[]]
  for (const [text] of statement.matchAll(TOKEN)) {
    if (text.startsWith('--') || text.startsWith('/*')) continue
    if (text === '(' || text === '[') open.push([])
    else if (text === ')' || text === ']') {
      const group = open.pop() ?? []
      open.at(-1)?.push(group)
    } else open.at(-1)?.push(text.startsWith('"') ? text.slice(1, -1) : text.startsWith("'") ? "''" : text.toLowerCase())
  }
  return open[0] ?? []
}

const isGroup = (token: Token | undefined): token is Group => Array.isArray(token)
const isQuery = (group: Group): boolean =>
  /^(select|insert|update|delete|with|values)$/.test(String(isGroup(group[0]) ? '' : group[0]))

/** Every query in a group, at any depth. The parts of a union are separate queries. */
function queriesIn(group: Group): Group[] {
  const inner = group.flatMap((token) => (isGroup(token) ? queriesIn(token) : []))
  if (!isQuery(group) && !isGroup(group[0])) return inner
  const arms: Group[] = [[]]
  for (const token of group) {
    if (/^(union|except|intersect)$/.test(String(token))) arms.push([])
    else if (token === 'all' && arms.at(-1)?.length === 0) continue
    else arms.at(-1)?.push(token)
  }
  return [...inner, ...arms.filter(isQuery)]
}

/** Keywords that start another clause of a query. */
const CLAUSES = /^(select|from|where|set|group|having|window|order|limit|offset|fetch|returning|values|into|conflict|for)$/
const JOINS = /^(join|left|right|full|cross|inner|natural)$/

interface Table {
  name: string
  alias: string
}

/** A condition on every row or, in an outer join, on the rows of one table. */
interface Condition {
  tokens: Group
  of: string | null
}

/** The tables of a query, and its `where` and `on` conditions. */
function tablesAndConditions(query: Group): { tables: Table[]; conditions: Condition[] } {
  const tables: Table[] = []
  const conditions: Condition[] = []
  let clause = ''
  let isOuter = false
  let expectsTable = false
  for (let at = 0; at < query.length; at++) {
    const token = query[at] as Token
    const before = query[at - 1]
    if (expectsTable && token !== 'only' && token !== 'lateral') {
      expectsTable = false
      const name = isGroup(token) ? '' : token.replace(/^public\./, '')
      // The arguments of a function follow its name.
      const isFunction = !isGroup(token) && isGroup(query[at + 1])
      if (isFunction) at += 1
      if (query[at + 1] === 'as') at += 1
      const next = query[at + 1]
      const isAlias = !isGroup(next) && next !== undefined && /^[a-z_]\w*$/.test(next)
      const hasAlias = isAlias && !CLAUSES.test(next) && !JOINS.test(next) && !/^(on|using|tablesample)$/.test(next)
      if (hasAlias) at += 1
      tables.push({ name: isFunction ? '' : name, alias: hasAlias ? next : name })
      continue
    }
    if (isGroup(token)) {
      conditions.at(-1)?.tokens.push(token)
      continue
    }
    const isLock = token === 'update' && /^(for|key|do)$/.test(String(before))
    const isComparison = token === 'from' && before === 'distinct' && clause !== 'select'
    if (clause === 'from' && token === 'join') {
      isOuter = /^(left|right|full|outer)$/.test(String(before))
      expectsTable = true
    } else if (
      clause !== 'for' &&
      ((token === 'from' && !isComparison) || token === 'using' || (token === 'update' && !isLock))
    ) {
      // In a join, `using` is followed by columns.
      if (token === 'using' && isGroup(query[at + 1])) continue
      clause = 'from'
      expectsTable = true
    } else if (clause === 'from' && token === ',') expectsTable = true
    else if (token === 'on' && clause === 'from')
      conditions.push({ tokens: [], of: isOuter ? (tables.at(-1)?.alias ?? null) : null })
    else if (token === 'where' && clause !== 'conflict') {
      clause = 'where'
      conditions.push({ tokens: [], of: null })
    } else if (CLAUSES.test(token) && !isComparison) clause = token
    if (clause === 'from' ? JOINS.test(token) || token === ',' : clause !== 'where') conditions.push({ tokens: [], of: null })
    else if (token !== 'where' && token !== 'on') conditions.at(-1)?.tokens.push(token)
  }
  return { tables, conditions }
}

/**
 * The columns that must equal something for a condition to be true, each with the other side: a column, or `''` for
 * another value.
 */
function equalitiesIn(tokens: Group): [column: string, other: string][] {
  if (tokens.includes('or')) return []
  const outside: Group = []
  let depth = 0
  for (const token of tokens) {
    if (token === 'case') depth += 1
    if (depth === 0) outside.push(token)
    if (token === 'end') depth -= 1
  }
  return outside.flatMap((token, at): [string, string][] => {
    const [before, one, two] = [outside[at - 1], outside[at + 1], outside[at + 2]]
    // Parentheses around conditions, not function arguments.
    if (isGroup(token)) return !isQuery(token) && (before === undefined || before === 'and') ? equalitiesIn(token) : []
    const column = typeof before === 'string' ? before : ''
    if (token === 'in' && column !== 'not') return isGroup(one) ? [[column, '']] : []
    const isSame = token === 'is' && one === 'not' && two === 'distinct'
    if (token !== '=' && !isSame) return []
    const [right, after] = isSame ? [outside[at + 4], outside[at + 5]] : [one, two]
    if (isGroup(right)) return isQuery(right) ? [[column, '']] : []
    if (right === undefined) return []
    if (/^(\$\d+|''|any)$/.test(right)) return [[column, '']]
    // The result of a function can be the column itself.
    if (isGroup(after)) return []
    return [
      [column, right],
      [right, column],
    ]
  })
}

/**
 * The tenant tables that a statement reads without restricting the organization, either to a value or to that of
 * another restricted table. Targets of `insert` are not checked: inserted rows contain their organization.
 *
 *
 * @param tenants table → its column with the organization
 */
export function looseTables(statement: string, tenants: ReadonlyMap<string, string>): string[] {
  return queriesIn(tokenize(statement)).flatMap((query) => {
    const { tables, conditions } = tablesAndConditions(query)
    const tenantTables = tables.filter(({ name }) => tenants.has(name))
    const organizationColumn = ({ name, alias }: Table) => `${alias}.${tenants.get(name)}`
    const organizationColumns = new Set(tenantTables.map(organizationColumn))
    // In a query with one tenant table, columns can be unqualified.
    const [only] = tenantTables.length === 1 ? tenantTables : []
    const qualify = (column: string) => (only && column === tenants.get(only.name) ? organizationColumn(only) : column)
    const restricted = new Set<string>()
    for (let count = -1; count !== restricted.size; ) {
      count = restricted.size
      for (const { tokens, of } of conditions) {
        for (const [column, other] of equalitiesIn(tokens)) {
          const qualified = qualify(column)
          const isOfJoined = of === null || qualified.startsWith(`${of}.`)
          if (
            organizationColumns.has(qualified) &&
            isOfJoined &&
            (!organizationColumns.has(qualify(other)) || restricted.has(qualify(other)))
          )
            restricted.add(qualified)
        }
      }
    }
    return tenantTables.filter((table) => !restricted.has(organizationColumn(table))).map(({ name }) => name)
  })
}
