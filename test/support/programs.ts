/** Programs that some tests need and that not every machine has. Tests without theirs are skipped, and the run ends by naming them. */
import { appendFileSync, existsSync } from 'node:fs'

/** Each with the Debian package that installs it. */
const PACKAGES = {
  chromium: 'chromium',
  go: 'golang-go',
  libfaketime: 'faketime',
  node: 'nodejs',
  od: 'coreutils',
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  python3: 'python3',
  sh: 'dash',
}

export type Program = keyof typeof PACKAGES

/** Where programs lie that are on nobody's PATH. */
const ELSEWHERE: Partial<Record<Program, string[]>> = {
  chromium: [process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'],
  libfaketime: ['/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1'],
  pgbouncer: ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'],
}

/**
 * Where a program is; null where it is missing, which the end of the run reports.
 *
 * @param tests what is skipped without it, for that report
 */
export function find(program: Program, tests: string): string | null {
  const path = ELSEWHERE[program]?.find((each) => existsSync(each)) ?? Bun.which(program)
  const report = process.env.TEST_MISSING_PROGRAMS
  if (path === null && report) appendFileSync(report, `${JSON.stringify({ program, tests })}\n`)
  return path
}

/** What a run reports of programs that were missing, one line each, from the file that `find` wrote. */
export function missingPrograms(report: string): string[] {
  const entries = new Set(report.split('\n').filter((line) => line !== ''))
  return [...entries].map((entry) => {
    const { program, tests }: { program: Program; tests: string } = JSON.parse(entry)
    return `Skipped: ${tests}. Needs ${program}: apt-get install ${PACKAGES[program]}`
  })
}
