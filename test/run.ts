/**
 * `bun run test`: types, lint, and every file of tests, several at once, on one throw-away PostgreSQL. What a test waits for takes longer
 * than what it computes, so there are more of them than cores.
 *
 * `bun run test test/gates test/auth` runs those. A single file needs none of this: `bun test test/gates`.
 *
 * `--unchecked` leaves types and lint out.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { answerHelp } from '../bin/support/help.ts'
import { startPostgres } from '../bin/support/postgres.ts'
import { throwawayFolder } from '../bin/support/throwaway.ts'
import { QUICK } from './support/quick.ts'

answerHelp(`npx --yes bun run test [--unchecked] [folder or file …]

Checks types and lint, then runs the tests, or those of some folders, on a PostgreSQL server that is thrown away afterwards.

  --unchecked  leaves types and lint out

Whatever else is given goes to bun test.`)

const UNCHECKED = '--unchecked'
const given = process.argv.slice(2).filter((each) => each !== UNCHECKED)
if (!process.argv.includes(UNCHECKED)) {
  const check = Bun.spawn([process.execPath, join(import.meta.dir, 'check.ts')], { stdio: ['inherit', 'inherit', 'inherit'] })
  const code = await check.exited
  if (code !== 0) process.exit(code)
}
await using folder = await throwawayFolder('signalbox-test-')
const postgres = await startPostgres({
  dataDir: join(folder.path, 'postgres'),
  settings: { ...QUICK, max_connections: '1000' },
})
const tests = Bun.spawn(
  [
    process.execPath,
    'test',
    ...(given.some((each) => existsSync(each)) ? [] : ['./test']),
    `--parallel=${availableParallelism() + 1}`,
    '--no-isolate',
    '--timeout=30000',
    ...given,
  ],
  {
    env: { ...process.env, TEST_DATABASE_URL: postgres.url, TEST_DATABASE_KEPT: 'yes' },
    stdin: 'inherit',
    stdout: 'inherit',
    stderr: 'inherit',
  },
)
process.on('SIGINT', () => tests.kill('SIGINT'))
process.on('SIGTERM', () => tests.kill('SIGTERM'))
const code = await tests.exited
await postgres.stop()
process.exitCode = code
