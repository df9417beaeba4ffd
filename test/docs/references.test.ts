import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Box, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

const texts = new Map<string, string>()
let box: Box

beforeAll(async () => {
  for (const path of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...new Bun.Glob('docs/**/*.md').scanSync(root)]) {
    texts.set(path, await Bun.file(join(root, path)).text())
  }
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

/** All matches in the documents, with the file of each. */
const found = (pattern: RegExp): { path: string; match: string[] }[] =>
  [...texts].flatMap(([path, text]) => [...text.matchAll(pattern)].map(([...match]) => ({ path, match })))

/** The example of CONTRIBUTING.md adds comments to requirements: a route and files that do not exist here. */
const isFromExample = (path: string, name: string): boolean => path === 'CONTRIBUTING.md' && name.includes('comments')

test('every route that a document names is there, with that method', () => {
  const named = found(/\b(GET|POST|PUT|DELETE) (\/api\/v1\/[\w/{}-]+)/g)
  expect(named.length).toBeGreaterThan(4)
  const strange = named.filter(
    ({ path: document, match: [, method = '', path = ''] }) =>
      !isFromExample(document, path) && !box.contract.operation(method, path.replaceAll(/[{}]/g, '')),
  )
  expect(strange).toEqual([])
})

test('every command that a document names is a script of package.json', async () => {
  const { scripts } = await Bun.file(join(root, 'package.json')).json()
  const named = found(/\bbun (?:run )?((?!run\b|install\b|add\b)[a-z][\w:-]*)\b(?![./])/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ match: [, name = ''] }) => !(name in scripts))).toEqual([])
})

test('the README can be followed where only Node is installed', () => {
  const bare = found(/^.*(?<!--yes )\bbun run.*$/gm).filter(({ path }) => path === 'README.md')
  expect(bare).toEqual([])
})

test('no link of a document leads to a file that is not there', async () => {
  const links = found(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)
  expect(links.length).toBeGreaterThan(10)
  const missing: unknown[] = []
  for (const { path, match } of links) {
    const target = join(root, path, '..', match[1] ?? '')
    if (!(await Bun.file(target).exists()) && [...new Bun.Glob('*').scanSync(target)].length === 0) missing.push([path, match[1]])
  }
  expect(missing).toEqual([])
})

test('every source file that a document names is there', async () => {
  const named = found(/`((?:api|bin|core|faults|patches|sql|test|worker)\/[\w./-]+)`/g)
  expect(named.length).toBeGreaterThan(80)
  const missing: string[] = []
  for (const { path, match } of named) {
    const [, name = ''] = match
    if (isFromExample(path, name)) continue
    if (!existsSync(join(root, name))) missing.push(`${path}: ${name}`)
  }
  expect(missing).toEqual([])
})
