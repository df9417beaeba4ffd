import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signalbox } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')

test('the types of the SDK are those of the OpenAPI document (`bun run generate` writes them)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-sdk-'))
  const box = await signalbox({ workers: 0 })
  try {
    const kept = join(root, 'sdk/openapi.d.ts')
    const made = process.env.UPDATE_GOLDEN ? kept : join(folder, 'openapi.d.ts')
    const generator = Bun.spawn([process.execPath, 'test/clients/generate.ts', `${box.base}/docs/json`, made], { cwd: root })
    expect(await generator.exited).toBe(0)
    expect((await Bun.file(kept).text()) === (await Bun.file(made).text())).toBe(true)
  } finally {
    await box.close()
    await rm(folder, { recursive: true })
  }
})
