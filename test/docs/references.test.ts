import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CHANNELS } from '../../core/notification-channels/types.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

const FOLDERS = '{api,bin,cli,core,faults,patches,sdk,sql,test,worker}'

const texts = new Map<string, string>()
let box: Box

beforeAll(async () => {
  // Samples are generated, about an imagined project, and golden files are what the code makes.
  const docs = [...new Bun.Glob(`{docs,${FOLDERS.slice(1)}/**/*.md`).scanSync(root)].filter((path) => !/\/(golden)\//.test(path))
  for (const path of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs]) {
    texts.set(path, await Bun.file(join(root, path)).text())
  }
  box = await signalbox({ workers: 0 })
})
afterAll(() => box.close())

/** All matches in the documents, with their file. */
const findAll = (pattern: RegExp): { path: string; match: string[] }[] =>
  [...texts].flatMap(([path, text]) => [...text.matchAll(pattern)].map(([...match]) => ({ path, match })))

/** The examples of the recipes are a route and files that do not exist here. */
const isFromExample = (path: string, name: string): boolean =>
  path.startsWith('docs/contributing/') && /comments|discord/.test(name)

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
  const named = findAll(/\bbun (?:run )?((?!run\b|install\b|add\b|patch\b)[a-z][\w:-]*)\b(?![./])/g)
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

/** The anchors of the headings in a document, as GitHub and the pages at `/docs` make them. */
const anchorsOf = (text: string): string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

test('no document has a link to a missing file or heading', () => {
  const links = findAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g).filter(({ match: [, to = ''] }) => !to.startsWith('/'))
  expect(links.length).toBeGreaterThan(100)
  const missing = links.flatMap(({ path, match: [, to = '', anchor] }) => {
    const target = to ? join(path, '..', to) : path
    const text = texts.get(target)
    const isThere = existsSync(join(root, target)) && (!anchor || (text !== undefined && anchorsOf(text).includes(anchor)))
    return isThere ? [] : [`${path}: ${to}#${anchor ?? ''}`]
  })
  expect(missing).toEqual([])
})

test('no document has a link to a path of the service, which leads nowhere where the repository is read', () => {
  const texts = findAll(/\]\((\/[^)\s]*)\)/g).filter(({ path }) => /^(docs\/|[A-Z]+\.md$)/.test(path))
  expect(texts.map(({ path, match: [link] }) => `${path}: ${link}`)).toEqual([])
})

test('every page of the docs that a document names is there', async () => {
  const named = [...new Set(findAll(/`(\/docs[\w/.-]*)`/g).map(({ match: [, to = ''] }) => to))]
  expect(named.length).toBeGreaterThan(2)
  const missing: string[] = []
  for (const to of named) if ((await box.request('GET', to)).status !== 200) missing.push(to)
  expect(missing).toEqual([])
})

test('documents and sources are written in plain words', async () => {
  const odd =
    /\b(?:nobody|somebody|whoever|told|heard|comes to nothing|(?:what|whatever) (?:has )?bec(?:ame|omes?) of|is it for those)\b/i
  // The user whose rights a database needs has that name.
  const isName = /named\('nobody'\)/
  const found: string[] = []
  const paths = new Bun.Glob('{README,CONTRIBUTING,SECURITY}.md').scanSync(root)
  const sources = new Bun.Glob('{docs,api,bin,cli,core,sdk,worker}/**/*.{md,ts,tsx,js,yaml}').scanSync(root)
  for (const path of [...paths, ...sources]) {
    for (const [index, line] of (await Bun.file(join(root, path)).text()).split('\n').entries())
      if (odd.test(line) && !isName.test(line)) found.push(`${path}:${index + 1}: ${line.trim().slice(0, 120)}`)
  }
  expect(found).toEqual([])
})

test('no table is padded with spaces', () => {
  const ours = findAll(/^ *\|.*(?: {3}|-{4}).*\|$/gm).filter(({ path }) => /^(docs\/(?!citus)|CONTRIBUTING)/.test(path))
  expect(ours.map(({ path, match: [row] }) => `${path}: ${row}`)).toEqual([])
})

test('every document that the code names is there', async () => {
  const missing: string[] = []
  for (const path of new Bun.Glob(`${FOLDERS}/**/*.{ts,tsx,js,sql}`).scanSync(root)) {
    for (const [name] of (await Bun.file(join(root, path)).text()).matchAll(/(?<![/\w])docs\/[\w/-]+\.md/g)) {
      if (!existsSync(join(root, name))) missing.push(`${path}: ${name}`)
    }
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
