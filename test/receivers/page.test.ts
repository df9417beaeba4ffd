import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Box, signalbox } from '../support/signalbox.ts'

const docs = join(import.meta.dir, '../../docs/receivers')

let box: Box

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
})

afterAll(() => box.close())

test('the page of receivers links every file in its folder, and serves it unchanged', async () => {
  const { status, headers, body } = await box.request('GET', '/docs/receivers')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('>Receivers</h1>')
  const linked = [...body.matchAll(/href="\/docs\/receivers\/([^"]+)"/g)].map(([, name]: string[]) => name ?? '')
  const files = (await readdir(docs)).filter((name) => name !== 'README.md')
  expect([...new Set(linked)].sort()).toEqual(files.map((name) => name.replace(/\.md$/, '')).sort())
  for (const name of files.filter((each) => each.endsWith('.md'))) {
    const article = await box.request('GET', `/docs/receivers/${name.replace(/\.md$/, '')}`)
    expect([article.status, article.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  }
  for (const name of files) {
    if (name.endsWith('.md')) continue
    const file = await box.request('GET', `/docs/receivers/${name}`)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(file.body).toBe(await Bun.file(join(docs, name)).text())
  }
  expect((await box.request('GET', '/docs')).body).toContain('href="/docs/receivers"')
})

test.each(['README.md', 'nothing.mjs', '..%2f..%2fpackage.json', '%2e%2e%2f%2e%2e%2fbin%2fdemo.ts', 'verify.mjs%00', '.env'])(
  '%s is a 404',
  async (name) => {
    expect((await box.request('GET', `/docs/receivers/${name}`)).status).toBe(404)
  },
)

test('the documented retry schedule matches the service', async () => {
  const { MAX_ATTEMPTS } = await import('../../core/dispatches/attempts.ts')
  const text = await Bun.file(join(docs, 'README.md')).text()
  const [, schedule = ''] = /attempts: again after ([^|]*), each ± 20%/.exec(text) ?? []
  expect(schedule.split(/, | and /)).toHaveLength(MAX_ATTEMPTS - 1)
})

test('the page explains every error code', async () => {
  const page = await Bun.file(join(docs, 'README.md')).text()
  const explained = [...page.matchAll(/^\| (`.*?) +\|/gm)].join()
  const sources = [
    'core/outbound/addresses',
    'core/outbound/errors',
    'worker/outbound/outbound',
    'worker/outbound/response',
    'core/dispatches/errors',
    'worker/deployment-hooks/outcome',
    'api/pull-hooks/acknowledgements',
  ]
  const texts = await Promise.all(sources.map((name) => Bun.file(join(docs, `../../${name}.ts`)).text()))
  const codes = [...texts.join().matchAll(/code: '([a-z_]+)'/g)].map(([, code]) => `\`${code}\``)
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !explained.includes(code))).toEqual([])
})
