/**
 * Finds the tables of tenants that a statement reads without naming an organization. It reads SQL as far as that takes:
 * words, parentheses, the tables of each query and the conditions that hold for all of its rows.
 */

/** A word, a sign, or what is in parentheses. */
type Token = string | Group
type Group = Token[]

const TOKEN =
  /--[^\n]*|\/\*.*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_][\w$]*(?:\.(?:[a-z_][\w$]*|\*))*|\d[\d.]*|::|<=|>=|<>|!=|\|\||[^\s]/gis

/** Reads a statement; what is in parentheses, or in brackets, becomes a group. */
function read(statement: string): Group {
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

/** Every query in a group, however deep; the arms of a union are one each. */
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

/** Where a query goes on with another clause. */
const CLAUSES = /^(select|from|where|set|group|having|window|order|limit|offset|fetch|returning|values|into|conflict|for)$/
const JOINS = /^(join|left|right|full|cross|inner|natural)$/

interface Table {
  name: string
  alias: string
}

/** A condition that holds for every row; of an outer join, for the rows of one table alone. */
interface Condition {
  tokens: Group
  of: string | null
}

/** The tables of a query, and the conditions of its `where` and `on`. */
function partsOf(query: Group): { tables: Table[]; conditions: Condition[] } {
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
      // Of a function the arguments follow its name.
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
      // Between the tables of a join, the columns that both have in common.
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

/** The columns that must equal something for a condition to hold, each with what that is: a column, or `''` for any other value. */
function equalsOf(tokens: Group): [column: string, other: string][] {
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
    // Parentheses around conditions; not the arguments of a function.
    if (isGroup(token)) return !isQuery(token) && (before === undefined || before === 'and') ? equalsOf(token) : []
    const column = typeof before === 'string' ? before : ''
    if (token === 'in' && column !== 'not') return isGroup(one) ? [[column, '']] : []
    const isSame = token === 'is' && one === 'not' && two === 'distinct'
    if (token !== '=' && !isSame) return []
    const [right, after] = isSame ? [outside[at + 4], outside[at + 5]] : [one, two]
    if (isGroup(right)) return isQuery(right) ? [[column, '']] : []
    if (right === undefined) return []
    if (/^(\$\d+|''|any)$/.test(right)) return [[column, '']]
    // The result of a function may be the column itself.
    if (isGroup(after)) return []
    return [
      [column, right],
      [right, column],
    ]
  })
}

/**
 * The tables of tenants that a statement reads without saying of which organization: neither by a value, nor by
 * an equation with a row that was found by one. What it inserts is not looked at: rows bear their organization.
 *
 * @param tenants table → its column that names the organization
 */
export function looseTables(statement: string, tenants: ReadonlyMap<string, string>): string[] {
  return queriesIn(read(statement)).flatMap((query) => {
    const { tables, conditions } = partsOf(query)
    const ours = tables.filter(({ name }) => tenants.has(name))
    const placeOf = ({ name, alias }: Table) => `${alias}.${tenants.get(name)}`
    const places = new Set(ours.map(placeOf))
    // Where a query reads one table of tenants, its columns need no name before them.
    const [only] = ours.length === 1 ? ours : []
    const full = (column: string) => (only && column === tenants.get(only.name) ? placeOf(only) : column)
    const restricted = new Set<string>()
    for (let count = -1; count !== restricted.size; ) {
      count = restricted.size
      for (const { tokens, of } of conditions) {
        for (const [column, other] of equalsOf(tokens)) {
          const place = full(column)
          const isOfJoined = of === null || place.startsWith(`${of}.`)
          if (places.has(place) && isOfJoined && (!places.has(full(other)) || restricted.has(full(other)))) restricted.add(place)
        }
      }
    }
    return ours.filter((table) => !restricted.has(placeOf(table))).map(({ name }) => name)
  })
}
