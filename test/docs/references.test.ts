import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNELS } from '../../core/notification-channels/types.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

const texts = new Map<string, string>()
let box: Box

beforeAll(async () => {
  // Samples are generated, about an imagined project.
  const docs = [...new Bun.Glob('docs/**/*.md').scanSync(root)].filter((path) => !path.startsWith('docs/samples/'))
  for (const path of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs]) {
    texts.set(path, await Bun.file(join(root, path)).text())
  }
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

/** All matches in the documents, with their file. */
const findAll = (pattern: RegExp): { path: string; match: string[] }[] =>
  [...texts].flatMap(([path, text]) => [...text.matchAll(pattern)].map(([...match]) => ({ path, match })))

/** The example of CONTRIBUTING.md adds comments to requirements: a route and files that do not exist here. */
const isFromExample = (path: string, name: string): boolean =>
  path === 'CONTRIBUTING.md' && (/comments|discord/.test(name) || name === 'core/events/requirements.ts')

test('every documented route exists with that method', () => {
  const named = findAll(/\b(GET|POST|PUT|DELETE) (\/api\/v1\/[\w/{}-]+)/g)
  expect(named.length).toBeGreaterThan(4)
  const unknown = named.filter(
    ({ path: document, match: [, method = '', path = ''] }) =>
      !isFromExample(document, path) && !box.contract.operation(method, path.replaceAll(/[{}]/g, '')),
  )
  expect(unknown).toEqual([])
})

test('every page that a document names is there', async () => {
  const named = findAll(/`(\/(?:app|link|slack|sign-in|decide|unsubscribe|register)(?:\/[\w{}:-]+)*)\/?`/g)
  expect(named.length).toBeGreaterThan(4)
  const paths = [...new Set(named.map(({ match: [, path = ''] }) => path))]
  const missing: string[] = []
  for (const path of paths) {
    const { status, body } = await box.request('OPTIONS', path.replaceAll(/\{\w+\}/g, crypto.randomUUID()))
    if (status !== 204) missing.push(`${path}: ${JSON.stringify(body)}`)
  }
  expect(missing).toEqual([])
})

test('every documented command is a script of package.json', async () => {
  const { scripts } = await Bun.file(join(root, 'package.json')).json()
  const named = findAll(/\bbun (?:run )?((?!run\b|install\b|add\b)[a-z][\w:-]*)\b(?![./])/g)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ match: [, name = ''] }) => !(name in scripts))).toEqual([])
})

test.each(['README.md', 'docs/architecture.md'])('%s names every type of channel', (path) => {
  const document = texts.get(path)?.toLowerCase() ?? ''
  // Teams for Microsoft Teams, and Feishu for Feishu or Lark.
  const isNamed = (title: string) => title.split(/ (?:or )?/).some((word) => document.includes(word.toLowerCase()))
  expect(Object.values(CHANNELS).flatMap(({ title }) => (isNamed(title) ? [] : title))).toEqual([])
})

test('the README works where only Node is installed', () => {
  const bare = findAll(/^.*(?<!--yes )\bbun run.*$/gm).filter(({ path }) => path === 'README.md')
  expect(bare).toEqual([])
})

test('no document has a link to a missing file', async () => {
  const links = findAll(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)
  expect(links.length).toBeGreaterThan(10)
  const missing: unknown[] = []
  for (const { path, match } of links) {
    const target = join(root, path, '..', match[1] ?? '')
    if (!(await Bun.file(target).exists()) && [...new Bun.Glob('*').scanSync(target)].length === 0) missing.push([path, match[1]])
  }
  expect(missing).toEqual([])
})

test('every source file that a document names is there', async () => {
  const named = findAll(/`((?:api|bin|cli|core|faults|patches|sdk|sql|test|worker)\/[\w./-]+)`/g)
  expect(named.length).toBeGreaterThan(80)
  const missing: string[] = []
  for (const { path, match } of named) {
    const [, name = ''] = match
    if (isFromExample(path, name)) continue
    if (!existsSync(join(root, name))) missing.push(`${path}: ${name}`)
  }
  expect(missing).toEqual([])
})
