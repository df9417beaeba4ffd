/** The table of operations and their pages: it names each operation once, and only pages that are there. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { declaredPages } from '../pages/declared.ts'
import { signalbox } from '../support/signalbox.ts'

const rows = [
  ...(await Bun.file(join(import.meta.dir, '../../docs/pages.md')).text()).matchAll(
    /^\| (.+?) +\| (.+?) +\| `(\w+ \/.+?)` +\|$/gm,
  ),
].map(([, summary = '', where = '', operation = '']) => ({ summary, where, operation }))

test('each operation has a page or the reason why not, under the name that it has in the API', async () => {
  const box = await signalbox({ workers: 0 })
  const operations = Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => `${method.toUpperCase()} ${path}: ${summary}`),
  )
  await box.close()
  expect(rows.map(({ summary, operation }) => `${operation}: ${summary}`).toSorted()).toEqual(operations.toSorted())
})

test('each page that it names is declared, and a reason is a sentence', async () => {
  const declared = new Set(await declaredPages())
  const wrong = rows.filter(({ where }) => {
    const [, path] = /^`(\/.+)`$/.exec(where) ?? []
    return path === undefined ? !/^[A-Z].{15,}\.$/.test(where) : !declared.has(`GET ${path}`)
  })
  expect(wrong).toEqual([])
})
