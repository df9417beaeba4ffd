/** Splits SQL into statements: Citus sends each one to the nodes by itself. */

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;/g

/** The statements of a migration, without those that are empty. */
export function statementsIn(text: string): string[] {
  const statements: string[] = []
  let start = 0
  for (const token of text.matchAll(TOKEN)) {
    if (token[0] !== ';') continue
    statements.push(text.slice(start, token.index))
    start = token.index + 1
  }
  statements.push(text.slice(start))
  return statements.filter((statement) => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '')
}
