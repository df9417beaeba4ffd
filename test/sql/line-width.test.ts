import { expect, test } from 'bun:test'
import { join } from 'node:path'
import ts from 'typescript-5'

const root = join(import.meta.dir, '../..')
/** As in biome.json, which does not break what is inside of templates. */
const MAX_COLUMNS = 130

/** Migrations, and the dumps of releases, do not change any more. */
const IS_FIXED = /^(sql\/migrations|faults\/upgrade)\/.*\.sql$/

/** Tags of other languages: commands of a shell, and text as it is. */
const NO_SQL = new Set(['$', 'String.raw'])

const isLong = (line: string): boolean => line.length > MAX_COLUMNS
const isCode = (line: string): boolean => !/^\s*(--|comment on )/.test(line)

/** The numbers of the lines that the tagged templates of a source cover. */
function templateLines(text: string): Set<number> {
  const source = ts.createSourceFile('source.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const covered = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && !NO_SQL.has(node.tag.getText())) {
      const [first, last] = [node.getStart(), node.getEnd()].map((at) => source.getLineAndCharacterOfPosition(at).line)
      for (let line = first ?? 0; line <= (last ?? 0); line++) covered.add(line)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return covered
}

/** The long lines of SQL in a file, as `path:line`. */
function longLines(path: string, text: string): string[] {
  const lines = text.split('\n')
  if (!lines.some(isLong)) return []
  const covered = path.endsWith('.sql') ? null : templateLines(text)
  return lines.flatMap((line, index) =>
    isLong(line) && isCode(line) && (covered?.has(index) ?? true) ? [`${path}:${index + 1}`] : [],
  )
}

test('a long line of SQL is found in a file and in a template, and comments may be long', () => {
  const long = `  select ${'a, '.repeat(60)}a`
  expect(longLines('a.sql', `select\n${long}\n`)).toEqual(['a.sql:2'])
  expect(longLines('a.ts', `const found = await tx<Row[]>\`\n${long}\n\``)).toEqual(['a.ts:2'])
  expect(longLines('a.ts', `const text =\n  '${long}'`)).toEqual([])
  expect(longLines('a.sql', `  --${long}\ncomment on view a is '${long}';`)).toEqual([])
})

test('no line of SQL is longer than 130 columns: it is broken per clause', async () => {
  const found: string[] = []
  for await (const path of new Bun.Glob('{api,bin,core,faults,sql,test,worker}/**/*.{ts,tsx,sql}').scan(root)) {
    if (path.includes('node_modules') || IS_FIXED.test(path)) continue
    found.push(...longLines(path, await Bun.file(join(root, path)).text()))
  }
  expect(found.sort()).toEqual([])
})
