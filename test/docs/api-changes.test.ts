import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { apiChangesSince } from '../../bin/freeze/api.ts'
import { lastRelease } from '../../bin/freeze/changelog.ts'
import { signalbox } from '../support/signalbox.ts'

const FILE = join(import.meta.dir, '../../docs/api-changes.md')

test('docs/api-changes.md has what changed in the API since the last release (`bun run generate` writes it)', async () => {
  const box = await signalbox({ workers: 0 })
  try {
    const text = await apiChangesSince(await lastRelease(), box.contract.document)
    if (process.env.UPDATE_GOLDEN) await Bun.write(FILE, text)
    expect(await Bun.file(FILE).text()).toBe(text)
  } finally {
    await box.close()
  }
})
