/** `bun run test:slow`: the tests in files named *.slow.test.ts. */
import { existsSync } from 'node:fs'
import { answerHelp } from '../bin/support/command.ts'
import { runTests } from './support/runner.ts'

answerHelp(`npx --yes bun run test:slow [folder or file …]

Runs the tests that take much CPU time, need processes of their own or unusual settings, or wait for real timeouts: races,
operations, egress rules, TLS, PgBouncer, a browser, generated clients, migrations under load. Several minutes. Other arguments are passed to bun test.`)

/** They measure what one process takes of the machine: time that it keeps from others, and memory. Tests alongside them would be measured too. */
const ALONE = ['./test/api/hold-ups.slow.test.ts', './test/deployment-hooks/body-memory.slow.test.ts']

const run = (files: string[], isParallel: boolean) => runTests({ arguments: [...files, ...given], isParallel })

const given = process.argv.slice(2)
const files = [...new Bun.Glob('test/**/*.slow.test.ts').scanSync('.')].map((file) => `./${file}`).toSorted()
if (given.some((each) => existsSync(each))) process.exitCode = await run([], true)
else {
  const together = await run(
    files.filter((file) => !ALONE.includes(file)),
    true,
  )
  const alone = await run(ALONE, false)
  process.exitCode = together || alone
}
