/**
 * `bun run test`: checks types and lint, and at the same time runs all tests except the slow ones, several files at once.
 *
 * `bun run test test/gates test/auth` runs two folders. A single file can be run with `bun test test/gates/gates.test.ts`.
 */
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { answerHelp } from '../bin/support/command.ts'
import { runTests } from './support/runner.ts'
import { SHORT_LIVED } from './support/short-lived.ts'

answerHelp(`npx --yes bun run test [--unchecked] [folder or file …]

Checks types and lint, and runs the tests, or those of some folders, on a PostgreSQL server that is removed afterwards.
Without a folder or file, the slow tests (*.slow.test.ts) and those in a browser (*.browser.test.ts) are left out:
npx --yes bun run test:slow, npx --yes bun run test:browser.

  --unchecked  leaves types and lint out

Other arguments are passed to bun test.`)

const UNCHECKED = '--unchecked'
const given = process.argv.slice(2).filter((each) => each !== UNCHECKED)
const isChecked = !process.argv.includes(UNCHECKED)

const checkFailed = new AbortController()

/** Checks types and lint while the tests run; an error is printed at once and ends the tests. */
async function check(): Promise<number> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'check.ts')], { stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code === 0) return 0
  checkFailed.abort()
  console.error(`${stdout}${stderr}`)
  return code
}

const all = ['./test', '--path-ignore-patterns=**/*.slow.test.ts', '--path-ignore-patterns=**/*.browser.test.ts']
const [checks, tests] = await Promise.all([
  isChecked ? check() : 0,
  runTests({
    arguments: [...(given.some((each) => existsSync(each)) ? [] : all), ...given],
    isParallel: true,
    // Four leave two cores idle for 6% of the time, three for 15%. Each more starts boxes of its own.
    processes: availableParallelism() + 2,
    // The plans that sessions keep after five executions, which few statements of a test reach.
    settings: { plan_cache_mode: 'force_generic_plan' },
    // Each connection plans the statements that it runs, for 10 ms and more.
    environment: { ...SHORT_LIVED, TEST_DATABASE_POOL: '3' },
    signal: checkFailed.signal,
  }),
])
process.exitCode = checks || tests
