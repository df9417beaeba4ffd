/** What the parts measure: a migrated database, an API, a worker, and one organization. */
import { dirname, join } from 'node:path'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { type ApiClient, apiClient, isReady, type Resource } from '../support/api-client.ts'
import { Failure } from '../support/command.ts'
import { throwawayFolder, withoutSettings } from '../support/data-folder.ts'
import { stopper } from '../support/keep-running.ts'
import { forEachLine } from '../support/lines.ts'
import { freePort } from '../support/ports.ts'
import { startPostgres } from '../support/postgres.ts'
import { postmasterOf } from './costs.ts'
import type { Row } from './figures.ts'

type Environment = Record<string, string | undefined>

/** A user who is signed in, with an organization and a workspace. */
export interface Tenant {
  api: ApiClient
  user_id: string
  session_id: string
  organization: Resource
  workspace: Resource
}

export interface Stage extends Tenant {
  /** Small amounts, to check that the benchmark works; its figures are rough. */
  quick: boolean
  environment: Environment
  sql: Sql
  url: string
  /** Process ids of the API, the worker and PostgreSQL. */
  processes: Record<'web' | 'worker' | 'postgres', number[]>
}

/** One measurement of the benchmark: `bun run bench <name>` runs it alone. */
export interface Part {
  /** What is measured and against what, with the amounts of a full run; printed below the table. */
  about: string
  run(stage: Stage): Promise<Row[]>
}

/** Starts a file of this repository as a process, which ends with this one. @returns also its first line on stdout */
export function startProcess(file: string, environment: Environment) {
  const child = Bun.spawn([process.execPath, file], {
    cwd: dirname(dirname(import.meta.dir)),
    env: { ...environment, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C goes to the benchmark alone, which then stops the others in order.
    detached: true,
  })
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>()
  // Most callers do not wait for it.
  firstLine.catch(() => {})
  const use = (line: string) => {
    resolve(line)
    // A line of the log.
    if (line.startsWith('{')) console.error(line)
  }
  void forEachLine(child.stdout, use).then(() => reject(new Failure(`${file} ended while it started.`)))
  return {
    pid: child.pid,
    firstLine,
    [Symbol.asyncDispose]: stopper(child.exited, (signal) => child.kill(signal), 'SIGTERM', 'SIGKILL'),
  }
}

/** Starts a PostgreSQL. Disposing of `started` stops it and removes its data. @returns its URL */
export async function startDatabase(started: AsyncDisposableStack, options: object = {}): Promise<string> {
  const folder = started.use(await throwawayFolder('signalbox-bench-'))
  const database = await startPostgres({ dataDir: join(folder.path, 'postgres'), ...options })
  started.defer(database.stop)
  return database.url
}

/** Starts an API and a worker on a database. Disposing of `started` stops them. */
export async function openStage(databaseUrl: string, quick: boolean, started: AsyncDisposableStack): Promise<Stage> {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  const port = await freePort()
  await migrate(databaseUrl)
  const environment: Environment = {
    ...withoutSettings(process.env),
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    JWT_SECRET: secret,
    SECRETS_KEY: secret,
    LOG_LEVEL: 'error',
    RATE_LIMIT: '0',
    EMAIL_VERIFICATION: 'off',
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  }
  // Sets of data are written at once.
  const sql = connect(databaseUrl, 'signalbox bench', 4, { statement_timeout: '0' })
  started.defer(() => sql.end({ timeout: 1 }))
  const [worker, web] = ['worker/main.ts', 'api/server.ts'].map((file) => started.use(startProcess(file, environment)).pid)
  const url = `http://127.0.0.1:${port}`
  await until('The API is ready', () => isReady(url))
  await until('The worker takes jobs', async () => (await sql`select 1 from workers where pool_id is not null`).count === 1)
  const processes = { web: [web ?? 0], worker: [worker ?? 0], postgres: [await postmasterOf(sql)] }
  return { quick, environment, sql, url, processes, ...(await createTenant(url)) }
}

/** Registers a user, who creates an organization with one workspace. */
export async function createTenant(url: string): Promise<Tenant> {
  const api = apiClient(url)
  const account = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery staple', name: 'Bench' }
  const { access_token, user } = await api.post<{ access_token: string; user: Resource }>('/auth/register', account)
  api.authorization = `Bearer ${access_token}`
  const { sid: session_id } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())
  const organization = await api.post('/organizations', { name: 'Bench' })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name: 'Bench' })
  return { api, user_id: user.id, session_id, organization, workspace }
}

export const createTenants = (url: string, count: number): Promise<Tenant[]> =>
  Array.fromAsync({ length: count }, () => createTenant(url))

export const createProject = ({ api, workspace }: Tenant, name = 'Bench'): Promise<Resource> =>
  api.post(`/workspaces/${workspace.id}/projects`, { name })

/** Polls until the condition holds. @param what the condition, for the error message */
export async function until(what: string, condition: () => Promise<boolean>, everyMs = 25): Promise<void> {
  for (const deadline = Date.now() + 120_000; !(await condition()); await Bun.sleep(everyMs))
    if (Date.now() > deadline) throw new Failure(`Not reached within two minutes: ${what}.`)
}

/** Polls until a statement returns nothing. */
export const untilEmpty = (what: string, statement: () => PromiseLike<readonly unknown[]>, everyMs?: number): Promise<void> =>
  until(`no ${what}`, async () => (await statement()).length === 0, everyMs)

/** Waits until no event, delivery, audit entry or job waits for the worker, so that the next measurement starts on an idle machine. */
export const untilIdle = (sql: Sql, everyMs?: number): Promise<void> =>
  untilEmpty(
    'work for the worker',
    () => sql`
      select 1
      where exists (select 1 from waiting_events)
        or exists (
          select 1
          from deliveries as delivery
          left join deployment_hooks as hook on hook.id = delivery.lane_id
            and hook.organization_id = delivery.organization_id
          where due_at < now() + interval '1 minute' and hook.paused is not true
        )
        or exists (select 1 from audit_log_unsealed)
        or exists (select 1 from graphile_worker.jobs where locked_at is not null)
    `,
    everyMs,
  )

/** Waits until the worker is idle, and vacuums, as autovacuum would have done by then. */
export const settle = (sql: Sql): Promise<unknown> => untilIdle(sql).then(() => sql`vacuum (analyze)`)
