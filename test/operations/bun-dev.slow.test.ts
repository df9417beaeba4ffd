import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bin/support/ports.ts'
import { freshDatabase } from '../support/server.ts'
import { Process } from '../support/signalbox.ts'

const root = join(import.meta.dir, '../..')
let folder: string
let dev: Process
let url: string

/** A copy of the code, so that changing it disturbs no other test. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-dev-'))
  for (const name of ['api', 'bin', 'cli', 'core', 'docs', 'sql', 'worker', 'Procfile', 'package.json', 'tsconfig.json']) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const port = await freePort('127.0.0.1')
  url = `http://127.0.0.1:${port}`
  dev = new Process(join(folder, 'bin/dev.ts'), {
    DATABASE_URL: await freshDatabase(),
    EMAIL_VERIFICATION: 'off',
    DATA_DIR: join(folder, '.data'),
    PORT: String(port),
  })
  await dev.said('Signalbox is ready')
})

afterAll(async () => {
  dev?.kill('SIGTERM')
  await dev?.exited
  await rm(folder, { recursive: true, force: true })
})

/** Appends to a file of the copy. */
async function append(path: string, text: string): Promise<void> {
  const file = Bun.file(join(folder, path))
  await Bun.write(file, `${await file.text()}\n${text}\n`)
}

/** Waits until a path answers 200. */
async function answers(path: string): Promise<void> {
  while (!(await fetch(url + path).catch(() => null))?.ok) await Bun.sleep(50)
}

test('a change restarts API and worker with the new code', async () => {
  await append('api/server.ts', "console.log('the new API code runs')")
  expect(await dev.said('changed. Restarting.')).toBe('api/server.ts changed. Restarting.')
  expect(await dev.said('the new API code runs')).toStartWith('web')
  await append('worker/main.ts', "console.log('the new worker code runs')")
  expect(await dev.said('the new worker code runs')).toStartWith('worker')
  await append('api/executions/page.tsx', '// A page.')
  expect(await dev.said('page.tsx')).toBe('api/executions/page.tsx changed. Restarting.')
  expect(dev.lines.filter((line) => line.includes('exit code'))).toEqual([])
})

test('code that does not run waits for the next change', async () => {
  const path = join(folder, 'api/server.ts')
  const good = await Bun.file(path).text()
  await Bun.write(path, `${good}\n)`)
  expect(await dev.said('exit code')).toBe('web ended (exit code 1). It starts again when a file changes.')
  await Bun.write(path, `${good}\nconsole.log('the mended code runs')\n`)
  await dev.said('the mended code runs')
})

test('a new migration is applied before the restart', async () => {
  await Bun.write(join(folder, 'sql/migrations/9999_of_the_test.sql'), 'create table of_the_test (id integer primary key);\n')
  expect(await dev.said('Applied 1 migration')).toStartWith('release')
  await answers('/readyz')
  const broken = join(folder, 'sql/migrations/9999_that_is_broken.sql')
  await Bun.write(broken, 'create nonsense;\n')
  expect(await dev.said('were not restarted')).toContain('release (bun sql/migrate.ts) failed with exit code 1')
  await answers('/livez')
})
