/** Programs that some tests need. Tests that lack something are skipped, and the end of a run lists them. */
import { appendFileSync, existsSync } from 'node:fs'

/** The Debian package of each program. */
const PACKAGES = {
  chromium: 'chromium',
  go: 'golang-go',
  jq: 'jq',
  libfaketime: 'faketime',
  node: 'nodejs',
  od: 'coreutils',
  openssl: 'openssl',
  pg_dump: 'postgresql',
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  python3: 'python3',
  sh: 'dash',
}

export type Program = keyof typeof PACKAGES

/** Folders with programs that are usually not on the PATH. */
const ELSEWHERE: Partial<Record<Program, string[]>> = {
  chromium: [process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'],
  libfaketime: ['/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1', '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1'],
  pgbouncer: ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'],
}

/**
 * Finds a program. A missing one is reported at the end of the run.
 *
 * @param tests the tests that are skipped without it, for that report
 * @returns its path; null if it is missing
 */
export function find(program: Program, tests: string): string | null {
  const path = ELSEWHERE[program]?.find((each) => existsSync(each)) ?? Bun.which(program)
  if (path === null) reportSkipped(`${tests}. Needs ${program}: apt-get install ${PACKAGES[program]}`)
  return path
}

/** Lists tests at the end of the run. @param text what they test, and what the machine lacks for them */
export function reportSkipped(text: string): void {
  const report = process.env.TEST_SKIPPED
  if (report) appendFileSync(report, `Skipped: ${text}\n`)
}
