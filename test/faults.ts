/** `bun run test:faults`: the long tests that kill processes and the database. */
import { existsSync } from 'node:fs'
import { answerHelp } from '../bin/support/command.ts'
import { runTests } from './support/runner.ts'

answerHelp(`npx --yes bun run test:faults [file …]

Runs the tests in faults/, which kill and stop processes and the database: several minutes. Other arguments are passed to
bun test.`)

const given = process.argv.slice(2)
/** Those of a cluster are run by `test:citus`. */
const all = ['./faults', '--path-ignore-patterns=**/citus-*.test.ts']
process.exitCode = await runTests({
  arguments: [...(given.some((each) => existsSync(each)) ? [] : all), ...given],
  isParallel: false,
})
