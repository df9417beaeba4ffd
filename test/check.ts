/** `bun run check`: types, then lint, stopping at the first error. */
import { answerHelp } from '../bin/support/help.ts'

answerHelp(`npx --yes bun run check

Checks the types with tsc, then style and lint with biome. Exits with 0 when both find nothing.`)

/** Each of four checkers would check the common types again; one takes half of their CPU time. */
const TSC = ['tsc', '--singleThreaded']

async function check(): Promise<number> {
  for (const command of [TSC, ['biome', 'check']]) {
    const code = await Bun.spawn([process.execPath, 'x', ...command], { stdio: ['inherit', 'inherit', 'inherit'] }).exited
    if (code !== 0) return code
  }
  return 0
}

process.exitCode = await check()
