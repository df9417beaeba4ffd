/**
 * Trigger functions of distributed tables. A trigger of a distributed table fires on a shard, and Citus would plan what its function
 * says about other tables as distributed queries, which cannot read transition tables. All rows of the statement are in one shard, and
 * the rows that belong to them in the shards beside it, so the function addresses these by their names.
 */

/** The name of the array with the tables' shards, and of the result of a condition. */
const SHARDS = 'citus_shards'
const CONDITION = 'citus_condition'

/** An error that a developer has to resolve: the function is written in a way that this file does not know. */
class UnknownForm extends Error {}

/**
 * The body of a trigger function in PL/pgSQL, so changed that statements on distributed tables read and write the shards beside the
 * shard that the trigger fires on.
 *
 * @param body as in `pg_proc.prosrc`
 * @param tables the distributed tables
 * @returns null if the function reads and writes no distributed table
 * @throws Error if a statement with a distributed table has an unknown form
 */
export function onShards(body: string, tables: ReadonlySet<string>): string | null {
  const used: string[] = []
  const place = (table: string): string => {
    if (!used.includes(table)) used.push(table)
    return `%${used.indexOf(table) + 1}$I`
  }
  const statements = statementsOf(body.replace(/--[^\n]*/g, ''))
  const changed = statements.map((statement) => (names(statement, tables) ? dynamic(statement, tables, place) : statement))
  if (used.length === 0) return null
  const declarations = `
  ${SHARDS} text[] := shards_beside(tg_table_name, array[${used.map((table) => `'${table}'`).join(', ')}]);
  ${CONDITION} boolean;
`
  const text = changed.join('')
  return /^\s*declare\b/i.test(text)
    ? text.replace(/declare\b/i, `declare${declarations}`)
    : `declare${declarations}${text.trimStart()}`
}

/** Tables are named behind these words. */
const tableName = (table: string) =>
  new RegExp(`(\\b(?:from|join|into|update|using)|,)(\\s+)(${table})\\b(?!\\s*\\.)(\\s+as\\s+\\w+)?`, 'gi')

const names = (statement: string, tables: ReadonlySet<string>): boolean =>
  [...tables].some((table) => tableName(table).test(statement))

/** Splits a body into statements, including `if … then`; white space stays with the statement that follows it. */
function statementsOf(body: string): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (const token of body.matchAll(/'(?:[^']|'')*'|[();]|\b(?:then|else|loop|begin|declare|case|end)\b/gi)) {
    const end = token.index + token[0].length
    const word = token[0].toLowerCase()
    if (word === '(' || word === 'case') depth += 1
    else if (word === ')') depth -= 1
    else if (word === 'end' && depth > 0) depth -= 1
    else if (depth === 0 && /^(;|then|else|loop|begin|declare)$/.test(word)) {
      parts.push(body.slice(start, end))
      start = end
    }
  }
  return [...parts, body.slice(start)]
}

/** A statement that is built when it runs, from the names of the shards. */
function dynamic(statement: string, tables: ReadonlySet<string>, place: (table: string) => string): string {
  const text = statement.trim()
  const shown = (query: string) => {
    let quoted = query.replaceAll('%', '%%')
    for (const table of tables) {
      quoted = quoted.replace(
        tableName(table),
        (_, word: string, space: string, name: string, alias?: string) =>
          `${word}${space}${place(name)}${alias ?? ` as ${name}`}`,
      )
    }
    return `format($shards$${quoted}$shards$, variadic ${SHARDS})`
  }
  const indent = statement.slice(0, statement.length - statement.trimStart().length)
  const condition = /^if\b([\s\S]+)\bthen$/i.exec(text)
  if (condition)
    return `${indent}execute ${shown(`select ${condition[1]?.trim()}`)} into ${CONDITION};${indent}if ${CONDITION} then`
  const query = text.replace(/;$/, '')
  if (/^(insert|update|delete|with)\b/i.test(query)) return `${indent}execute ${shown(query)};`
  if (/^perform\b/i.test(query)) return `${indent}execute ${shown(query.replace(/^perform/i, 'select'))};`
  const selected = /^select\b([\s\S]+?)\binto\s+(\w+)\s+from\b([\s\S]+)$/i.exec(query)
  if (selected) return `${indent}execute ${shown(`select ${selected[1]} from ${selected[3]}`)} into ${selected[2]};`
  throw new UnknownForm(`A trigger function of a distributed table has a statement of an unknown form: ${text}`)
}
