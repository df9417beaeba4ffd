/** PostgreSQL's own syntax trees of statements. A process loads the parser when it finds its tables on a cluster. */

/** A node, or a part of one. A node has one property, with its type as the name: `{ RangeVar: { relname: 'gates' } }`. */
export type Node = Record<string, unknown>

type Parser = typeof import('pgsql-parser')

let parser: Parser | null = null

/** Loads the parser, once. Everything else here requires it. */
export async function loadParser(): Promise<void> {
  const loaded = await import('pgsql-parser')
  await loaded.loadModule()
  parser = loaded
}

function loadedParser(): Parser {
  if (!parser) throw new Error('The parser of SQL is not loaded.')
  return parser
}

interface Parsed {
  stmt: Node
  /** In bytes. */
  stmt_location?: number
  stmt_len?: number
}

/** The statements of a text. */
export function statementsIn(text: string): { text: string; tree: Node }[] {
  const bytes = Buffer.from(text)
  const { stmts = [] } = loadedParser().parseSync(text) as { stmts?: Parsed[] }
  return stmts.map(({ stmt, stmt_location = 0, stmt_len }) => ({
    text: bytes.toString('utf8', stmt_location, stmt_len ? stmt_location + stmt_len : bytes.length).trim(),
    tree: stmt,
  }))
}

/** The tree of a text with one statement. */
export const parse = (text: string): Node => statementsIn(text)[0]?.tree as Node

/** The text of a tree. */
export const print = (tree: Node): string => loadedParser().deparseSync(tree as Parameters<Parser['deparseSync']>[0])

/** The node of a type, or a part of that name; undefined if there is none. */
export const at = (node: unknown, name: string): Node | undefined => (node as Node | undefined)?.[name] as Node | undefined

export const list = (node: unknown, name: string): Node[] => ((node as Node | undefined)?.[name] as Node[] | undefined) ?? []

/** Calls a function with each node of a type below a node, outer ones first. The node may be changed. */
export function each(node: unknown, type: string, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  for (const [name, part] of Object.entries(node)) {
    if (name === type) visit(part as Node)
    each(part, type, visit)
  }
}

export function has(node: unknown, type: string, is: (node: Node) => boolean = () => true): boolean {
  let found = false
  each(node, type, (each) => {
    found ||= is(each)
  })
  return found
}

/** The words of a name with dots. */
export const wordsOf = (names: Node[]): string[] =>
  names.map((name) => String(at(name, 'String')?.sval ?? (name.A_Star ? '*' : '')))

/** The number of a parameter, also of one with a type; undefined for other expressions. */
export function parameterOf(expression: unknown): number | undefined {
  const cast = at(expression, 'TypeCast')
  return cast ? parameterOf(cast.arg) : (at(expression, 'ParamRef')?.number as number | undefined)
}

/** The tree of an expression. */
export const expression = (text: string): Node => at(parse(`select where ${text}`), 'SelectStmt')?.whereClause as Node
