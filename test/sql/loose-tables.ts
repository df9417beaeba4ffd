/** Reads a statement as far as it takes to see which tables of tenants it looks through for all of them. */

/** A query, or an arm of a union: its text, in which queries within it are only marked. */
interface Arm {
  text: string
}

const QUERY = /^\s*(select|insert|update|delete|with|values)\b/

/** Takes a statement apart into its queries, innermost first. */
function armsOf(statement: string): Arm[] {
  let text = statement
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  const arms: Arm[] = []
  const add = (query: string) =>
    arms.push(...query.split(/\b(?:union(?: all)?|except|intersect)\b/).map((arm) => ({ text: arm })))
  // The innermost parentheses go first: what is no query is kept in place, in other brackets.
  for (;;) {
    const [group, inner = ''] = /\(([^()]*)\)/.exec(text) ?? []
    if (group === undefined) break
    const isQuery = QUERY.test(inner)
    if (isQuery) add(inner)
    text = text.replace(group, () => (isQuery ? '‹query›' : `‹${inner}›`))
  }
  add(text)
  return arms
}

interface Named {
  table: string
  alias: string
}

const NO_ALIAS = /^(on|where|set|join|left|right|cross|inner|using|order|group|limit|for|values|select|returning|as)$/

function tablesOf(arm: string, tenants: ReadonlySet<string>): Named[] {
  // What is written needs no filter: its rows bear their organization, or they are refused.
  const read = arm
    .replaceAll(/\binsert into \w+/g, ' ')
    .replaceAll(/\bfor (no key update|update|key share|share) of [\w, ]+/g, ' ')
  return [...read.matchAll(/(?:\bfrom|\bjoin|\bupdate|\busing|,) (?:only )?"?(\w+)"?(?: as (\w+)| (\w+))?/g)].flatMap(
    ([, table = '', as, bare]) => {
      if (!tenants.has(table)) return []
      return [{ table, alias: as ?? (bare && !NO_ALIAS.test(bare) ? bare : table) }]
    },
  )
}

/**
 * The tables of tenants that a statement looks through without saying of which organization: neither by a value, nor by
 * an equation with a row that was found by one.
 *
 * @param tenants table → its column that names the organization
 */
export function looseTables(statement: string, tenants: ReadonlyMap<string, string>): string[] {
  const names = new Set(tenants.keys())
  return armsOf(statement).flatMap(({ text }) => {
    const tables = tablesOf(text, names)
    const placeOf = ({ table, alias }: Named) => `${alias}.${tenants.get(table)}`
    const places = new Set(tables.map(placeOf))
    // Where a query reads one table alone, its columns need no name before them.
    const unnamed = tables.length === 1 && tables[0] ? new Map([[tenants.get(tables[0].table), placeOf(tables[0])]]) : new Map()
    const full = (column: string) => unnamed.get(column) ?? column
    const equal = [...text.matchAll(/([\w.$]+)(?:::\w+)? (?:=|in\b|is not distinct from\b) ?(any ?‹|‹)?([\w.$]+)?/g)]
    const pairs = equal.map(([, left = '', within, right = '']): [string, string] => [full(left), within ? '‹›' : full(right)])
    const anchored = new Set<string>()
    for (let before = -1; before !== anchored.size; ) {
      before = anchored.size
      for (const [left, right] of [...pairs, ...pairs.map(([one, other]): [string, string] => [other, one])]) {
        if (places.has(left) && (!places.has(right) || anchored.has(right)) && right !== '') anchored.add(left)
      }
    }
    return tables.filter((each) => !anchored.has(placeOf(each))).map(({ table }) => table)
  })
}
