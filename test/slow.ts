/** `bun run test:slow`: the tests in files named *.slow.test.ts. */
import { existsSync } from 'node:fs'
import { answerHelp } from '../bin/support/help.ts'
import { runTests } from './support/runner.ts'

answerHelp(`npx --yes bun run test:slow [folder or file …]

Runs the tests that need processes of their own or unusual settings, or wait for real timeouts: operations, egress rules, TLS,
PgBouncer, a browser, generated clients, migrations under load. Several minutes. Other arguments are passed to bun test.`)

const given = process.argv.slice(2)
const files = [...new Bun.Glob('test/**/*.slow.test.ts').scanSync('.')].map((file) => `./${file}`).toSorted()
process.exitCode = await runTests({
  arguments: ['--timeout=180000', ...(given.some((each) => existsSync(each)) ? [] : files), ...given],
  isParallel: true,
})
