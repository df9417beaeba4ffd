/** `bun run check`: types, then lint, stopping at the first error. */
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { answerHelp } from '../bin/support/command.ts'

answerHelp(`npx --yes bun run check

Checks the types with tsc, then style and lint with biome. Exits with 0 when both find nothing.`)

/** What the last check of the types found. */
const FOUND = 'node_modules/.cache/signalbox-types.tsbuildinfo'

/** Each of four checkers would check the common types again; one takes half of their CPU time. */
const TSC = ['tsc', '--singleThreaded', '--incremental', '--tsBuildInfoFile', FOUND]

/** Collecting garbage at four times the heap, not at twice, takes a fifth less of tsc's CPU time. */
const env = { ...process.env, GOGC: '400' }

const run = (command: string[], output: 'inherit' | 'ignore' = 'inherit'): Promise<number> =>
  Bun.spawn([process.execPath, 'x', ...command], { env, stdio: [output, output, output] }).exited

async function checkTypes(): Promise<number> {
  // Takes a tenth of the time of a whole check. It may report errors that depend on the order of checking, such as TS2589:
  // a whole check decides.
  if (existsSync(FOUND) && (await run(TSC, 'ignore')) === 0) return 0
  await rm(FOUND, { force: true })
  await mkdir(dirname(FOUND), { recursive: true })
  return run(TSC)
}

process.exitCode = (await checkTypes()) || (await run(['biome', 'check']))
