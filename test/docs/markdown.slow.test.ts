/** The docs as Markdown, for programs that read them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let list: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  list = (await box.request('GET', '/llms.txt')).body
})
afterAll(() => box.close())

test('llms.txt lists every page, each of which is there as Markdown and as a page', async () => {
  expect(list).toStartWith('# Signalbox\n\n> ')
  const pages = [...list.matchAll(/^- \[([^\]]+)\]\(https?:\/\/[^/]+(\/[^)]+)\.md\): (\S.+)$/gm)]
  expect(pages.length).toBe(list.split('\n').filter((line) => line.startsWith('- ')).length)
  expect(pages.map(([, , path]) => path)).toEqual(
    expect.arrayContaining(['/docs', '/docs/agents', '/docs/events', '/docs/problems', '/docs/verify']),
  )
  for (const [, title = '', path = ''] of pages) {
    const { status, headers, body } = await box.request('GET', `${path}.md`)
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
    expect(body).toStartWith(`# ${title}\n`)
    const page = await box.request('GET', path)
    expect([path, page.status, page.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8'])
  }
})

test('links in Markdown lead to Markdown, and each to something that is served', async () => {
  const links = new Set<string>()
  for (const [, page = ''] of list.matchAll(/^- .+?\(https?:\/\/[^/]+(\/[^)]+\.md)\)/gm)) {
    const { body } = await box.request('GET', page)
    for (const [, path = ''] of body.matchAll(/\]\((\/[^)#\s]+)/g)) links.add(path)
  }
  expect([...links]).toEqual(expect.arrayContaining(['/docs/receivers.md', '/docs/receivers/verify.mjs']))
  for (const path of links) expect([path, (await box.request('GET', path)).status]).toEqual([path, 200])
})

test('there is no Markdown of what is no page', async () => {
  for (const path of ['/docs/no-such-page.md', '/docs/assets/docs.md', '/docs/decisions/none.md'])
    expect([path, (await box.request('GET', path)).status]).toEqual([path, 404])
})
