/** `bun run test:faults`: the long runs in which processes and the database are killed. */
import { existsSync } from 'node:fs'
import { answerHelp } from '../bin/support/help.ts'

answerHelp(`npx --yes bun run test:faults [file …]

Runs the tests in faults/, which kill and stop processes and the database: several minutes. Whatever else is given goes to bun test.`)

const given = process.argv.slice(2)
const names = given.some((each) => existsSync(each)) ? given : ['./faults', ...given]
const tests = Bun.spawn([process.execPath, 'test', '--timeout', '180000', ...names], { stdio: ['inherit', 'inherit', 'inherit'] })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
process.exitCode = await tests.exited
