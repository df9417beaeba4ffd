import { expect, test } from 'bun:test'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '..')
/** What clients of the API import. */
const ENTRY = 'api/app.ts'

/** Files whose exports are read as a whole: `import * as`, `export *`, `import()`. */
const whole = new Set<string>()
/** The names that other files import, by file. */
const imported = new Map<string, Set<string>>()
const texts = new Map<string, string>()

for (const path of new Bun.Glob('{api,cli,core,worker,sql,bin,test,faults}/**/*.{js,ts,tsx}').scanSync(root)) {
  if (path.includes('node_modules')) continue
  const text = await Bun.file(join(root, path)).text()
  texts.set(path, text)
  const fileOf = (from: string) => normalize(join(dirname(path), from))
  for (const [, what = '', from = ''] of text.matchAll(/^(?:import|export)\s+([^'"]*?)\s+from\s+'(\.[^']+)'/gm)) {
    const file = fileOf(from)
    if (what.includes('*')) whole.add(file)
    const names = imported.get(file) ?? new Set()
    imported.set(file, names)
    for (const [, name = ''] of what.matchAll(/(?:^|[{,])\s*(?:type\s+)?(\w+)/g)) names.add(name)
    // A default import, or one in front of braces.
    if (/^(?:type\s+)?\w+/.test(what)) names.add('default')
  }
  for (const [, from = ''] of text.matchAll(/import\(\s*'(\.[^']+)'/g)) whole.add(fileOf(from))
}

const EXPORT = /^export\s+(?:async\s+)?(?:abstract\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)/gm
/** Of the file itself, or of another one. */
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm

const exportsOf = (text: string): string[] => [
  ...[...text.matchAll(EXPORT)].map(([, name = '']) => name),
  ...[...text.matchAll(LISTED)].flatMap(([, names = '']) => [...names.matchAll(/(\w+)\s*(?:,|$)/g)].map(([, name = '']) => name)),
]

test('every export is imported by another file', () => {
  const exported = [...texts]
    .filter(([path]) => !/^(test|faults)\//.test(path) && path !== ENTRY && !whole.has(path))
    .flatMap(([path, text]) => exportsOf(text).map((name) => ({ path, name })))
  expect(exported.length).toBeGreaterThan(500)
  expect(exported.filter(({ path, name }) => !imported.get(path)?.has(name))).toEqual([])
})
