import { expect, test } from 'bun:test'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

test('every test that the table of faults names exists', async () => {
  const table = await Bun.file(join(import.meta.dir, 'README.md')).text()
  const rows = [...table.matchAll(/^\| (.+?) +\| (\S+\.test\.ts) +\| (.+?) +\|$/gm)]
  expect(rows.length).toBeGreaterThan(50)
  expect(rows).toHaveLength([...table.matchAll(/^\|.*\.test\.ts/gm)].length)
  const missing: string[] = []
  for (const [, fault, file = '', name = ''] of rows)
    if (!(await Bun.file(join(root, file)).text()).includes(name)) missing.push(`${fault}: ${file} has no "${name}"`)
  expect(missing).toEqual([])
})
