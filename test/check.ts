/** `bun run check`: types, then lint, stopping at the first error. */
import { answerHelp } from '../bin/support/help.ts'

answerHelp(`npx --yes bun run check

Checks the types with tsc, then style and lint with biome. Exits with 0 when both find nothing.`)

/** Each checker checks the common types again, so one takes half of the CPU time of the default of four. */
const TSC = ['tsc', '--checkers', '1']

async function check(): Promise<number> {
  for (const command of [TSC, ['biome', 'check']]) {
    const child = Bun.spawn([process.execPath, 'x', ...command], {
      // tsc collects garbage less often: it ends soon.
      env: { GOGC: '400', ...process.env },
      stdio: ['inherit', 'inherit', 'inherit'],
    })
    const code = await child.exited
    if (code !== 0) return code
  }
  return 0
}

process.exitCode = await check()
