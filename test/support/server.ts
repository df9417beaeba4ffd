/** One throw-away PostgreSQL for a whole run of tests, with a migrated template that every database is copied from. */
import { afterAll, setDefaultTimeout } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../bin/support/postgres.ts'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { QUICK } from './quick.ts'

setDefaultTimeout(30_000)

/** What modules that read the environment need, so that pure pieces can be imported by tests. */
export const SECRETS = {
  JWT_SECRET: 'a-secret-for-tests-that-is-long-enough',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
}

const folder = await mkdtemp(join(tmpdir(), 'signalbox-test-'))
const postgres = process.env.TEST_DATABASE_URL
  ? null
  : await startPostgres({ dataDir: join(folder, 'postgres'), settings: { ...QUICK, max_connections: '300' } })
// A file that throws while it is loaded keeps `afterAll` from running. The server ends with this process by its
// own leash; this one waits for that, and takes the folder away.
const sweeper = Bun.spawn(
  [
    '/bin/sh',
    '-c',
    'read -r released && exit; for i in 1 2 3 4 5 6 7 8 9 10; do [ -e "$1/postgres/cluster/postmaster.pid" ] && sleep 1; done; rm -rf "$1"',
    'sweeper',
    folder,
  ],
  { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore', detached: true },
)
sweeper.unref()
const serverUrl = postgres?.url ?? process.env.TEST_DATABASE_URL ?? ''

const TEMPLATE = `signalbox_template_${process.pid}`

const urlOf = (database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

const admin = connect(serverUrl, 'signalbox tests', 2)
await admin`create database ${admin(TEMPLATE)}`
await migrate(urlOf(TEMPLATE))

Object.assign(process.env, {
  ...SECRETS,
  DATABASE_URL: urlOf(TEMPLATE),
  EMAIL_VERIFICATION: 'off',
  LOG_LEVEL: 'silent',
  TZ: 'UTC',
})

let made = 0
const databases: string[] = [TEMPLATE]

/** Makes a migrated, empty database, and returns its URL. */
export async function freshDatabase(): Promise<string> {
  made += 1
  const name = `signalbox_test_${process.pid}_${made}`
  await admin`create database ${admin(name)} template ${admin(TEMPLATE)}`
  databases.push(name)
  return urlOf(name)
}

/** Makes an empty database that no migration has seen. */
export async function emptyDatabase(): Promise<string> {
  made += 1
  const name = `signalbox_empty_${process.pid}_${made}`
  await admin`create database ${admin(name)}`
  databases.push(name)
  return urlOf(name)
}

afterAll(async () => {
  // In a run of several processes this comes after each file, and the server goes with the run.
  if (process.env.TEST_DATABASE_KEPT) return
  if (!postgres) for (const name of databases) await admin`drop database if exists ${admin(name)} with (force)`
  await admin.end({ timeout: 1 })
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
  sweeper.stdin.write('released\n')
  sweeper.stdin.end()
})
