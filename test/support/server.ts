/** One temporary PostgreSQL for a run of tests, with a migrated template that every database is copied from. */
import { afterAll, setDefaultTimeout } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../bin/support/postgres.ts'
import { joinCluster } from '../../sql/citus/index.ts'
import { tenantTables } from '../../sql/citus/layout.ts'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { tenantViews } from '../sql/tenants.ts'
import { closeNodes, createDatabase, dropDatabase, onCitus } from './databases.ts'
import { TEST_LIMIT_MS } from './patience.ts'
import { WITHOUT_FSYNC } from './postgres-without-fsync.ts'

setDefaultTimeout(TEST_LIMIT_MS)

/** The settings that modules need when a test imports them. */
export const SECRETS = {
  JWT_SECRET: 'a-secret-for-tests-that-is-long-enough',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
}

const folder = await mkdtemp(join(tmpdir(), 'signalbox-test-'))
const postgres = process.env.TEST_DATABASE_URL
  ? null
  : await startPostgres({ dataDir: join(folder, 'postgres'), settings: { ...WITHOUT_FSYNC, max_connections: '300' } })
// A file that throws while it is loaded does not run `afterAll`. The server then ends with this process, and this helper
// deletes its folder afterwards.
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

/** The migrated database that others are copied from: of the run, or created here. */
const TEMPLATE = process.env.TEST_DATABASE_TEMPLATE ?? `signalbox_template_${process.pid}`

const urlOf = (database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

const admin = connect(serverUrl, 'signalbox tests', 2)
let made = 0
const databases: string[] = []

if (!process.env.TEST_DATABASE_TEMPLATE) {
  await createDatabase(admin, TEMPLATE)
  databases.push(TEMPLATE)
  await migrate(urlOf(TEMPLATE))
}

Object.assign(process.env, {
  ...SECRETS,
  // For modules that a test imports. PostgreSQL does not copy a template that has connections.
  DATABASE_URL: await freshDatabase(),
  EMAIL_VERIFICATION: 'off',
  LOG_LEVEL: 'silent',
  TZ: 'UTC',
})

// Statements of tests go where those of Signalbox go.
if (onCitus) {
  const sql = connect(process.env.DATABASE_URL ?? '', 'signalbox tests', 1)
  await joinCluster(sql)
  await sql.end()
}

/** Creates a migrated, empty database. @returns its URL */
export async function freshDatabase(): Promise<string> {
  made += 1
  const name = `signalbox_test_${process.pid}_${made}`
  await createDatabase(admin, name, TEMPLATE)
  databases.push(name)
  return urlOf(name)
}

let tables: Promise<string[]> | undefined

/** The tables of tenants in every migrated database, and the views of them. */
export function tablesOfTenants(): Promise<string[]> {
  tables ??= (async () => {
    const sql = connect(process.env.DATABASE_URL ?? '', 'signalbox tests', 1)
    const names = [...(await tenantTables(sql)), ...(await tenantViews(sql))]
    await sql.end()
    return names
  })()
  return tables
}

/** Creates a database without tables. @returns its URL */
export async function emptyDatabase(): Promise<string> {
  made += 1
  const name = `signalbox_empty_${process.pid}_${made}`
  await createDatabase(admin, name)
  databases.push(name)
  return urlOf(name)
}

/** Called after each file in a parallel run, and after the last file in a single process. */
export const afterFile: (() => Promise<void>)[] = []
/** Called before the server of this process stops. */
export const beforeEnd: (() => Promise<void>)[] = []

afterAll(async () => {
  for (const step of afterFile) await step()
  // In a parallel run, this is called after each file, and the runner stops the server.
  if (process.env.TEST_DATABASE_KEPT) return
  for (const step of beforeEnd) await step()
  if (!postgres) for (const name of databases) await dropDatabase(admin, name)
  await admin.end({ timeout: 1 })
  await closeNodes()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
  sweeper.stdin.write('released\n')
  sweeper.stdin.end()
})
