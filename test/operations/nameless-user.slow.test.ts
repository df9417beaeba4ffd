/** Platforms run containers as a user that no file names, often without a home. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, SECRETS } from '../support/server.ts'
import { Process, signalbox } from '../support/signalbox.ts'

const NAMELESS = { BUN_OPTIONS: '--preload ./test/support/nameless-user.mjs', HOME: '' }

const isRoot = process.getuid?.() === 0

test.skipIf(!isRoot)('release, API and worker run as a user without a name and a home', async () => {
  const url = await freshDatabase()
  const release = new Process('sql/migrate.ts', { ...SECRETS, ...NAMELESS, DATABASE_URL: url, EMAIL_VERIFICATION: 'off' })
  expect([await release.exited, release.lines.join('\n')]).toEqual([0, expect.any(String)])
  const box = await signalbox({ own: true, url, workers: 1, environment: NAMELESS })
  try {
    const owner = Bun.spawnSync(['stat', '-c', '%u', ...[box.api, ...box.workers].map(({ pid }) => `/proc/${pid}`)])
    expect(owner.stdout.toString()).toBe('54321\n54321\n')
    const ada = await box.user('Ada')
    expect((await ada.get('/api/v1/users/me')).status).toBe(200)
    expect((await fetch(`${box.base}/readyz`)).status).toBe(200)
  } finally {
    await box.close()
  }
})

describe.skipIf(!isRoot)('Where a user without a name has no rights', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-nameless-'))
    await chmod(folder, 0o755)
  })
  afterAll(() => rm(folder, { recursive: true }))

  const run = async (script: string[], environment: Record<string, string>, checkout?: string) => {
    const process = new Process(script, { ...NAMELESS, ...environment }, undefined, checkout)
    const code = await process.exited
    await process.isRead
    return { code, output: process.lines.join('\n') }
  }

  test('bun start says that PostgreSQL needs a name, or another server', async () => {
    const DATA_DIR = join(folder, 'data')
    await mkdir(DATA_DIR)
    await chmod(DATA_DIR, 0o777)
    const { code, output } = await run(['bin/start.ts'], { DATA_DIR })
    expect([code, output]).toEqual([1, expect.stringMatching(/PostgreSQL needs a user with a name.*set DATABASE_URL/)])
  })

  test('ops says whose data it cannot read, in each of its commands', async () => {
    const DATA_DIR = join(folder, 'private')
    await mkdir(join(DATA_DIR, 'postgres'), { recursive: true })
    await chmod(DATA_DIR, 0o700)
    for (const args of [[], ['--json'], ['resume', 'task:dispatch_hook']]) {
      const { code, output } = await run(['bin/ops.ts', ...args], { DATA_DIR })
      expect([args, code, output]).toEqual([
        args,
        2,
        expect.stringMatching(/EACCES.*Run\s+this\s+as\s+the\s+owner of .*or set DATABASE_URL/s),
      ])
      expect(output).not.toMatch(/^ +at /m)
    }
  })

  test('the command line needs no installed packages', async () => {
    const checkout = join(folder, 'checkout')
    await mkdir(checkout)
    await cp('package.json', join(checkout, 'package.json'))
    await cp('cli', join(checkout, 'cli'), { recursive: true })
    await chmod(checkout, 0o755)
    const { code, output } = await run(['run', 'cli', '--version'], { BUN_OPTIONS: '' }, checkout)
    expect([code, output]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/m)])
  })
})
