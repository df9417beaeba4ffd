/** What the parts measure: a migrated database, an API, a worker, and one organization. */
import { join } from 'node:path'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { type ApiClient, apiClient, type Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { startPostgres } from '../support/postgres.ts'
import { throwawayFolder, withoutSettings } from '../support/throwaway.ts'
import { type Environment, type Process, startProcess } from './processes.ts'

const READY_MS = 30_000

export interface Stage {
  environment: Environment
  sql: Sql
  /** Origin of the API. */
  url: string
  api: ApiClient
  web: Process
  worker: Process
  tenant: Tenant
  /** What is stopped at the end. */
  started: AsyncDisposableStack
}

interface Tenant {
  user_id: string
  session_id: string
  organization: Resource
  workspace: Resource
}

interface Session {
  access_token: string
  user: Resource
}

const ACCOUNT = { email: 'bench@example.com', password: 'correct horse battery staple' }

/** Starts everything. Disposing of `started` stops it and removes the database. */
export async function prepareStage(started: AsyncDisposableStack): Promise<Stage> {
  const databaseUrl = await (process.env.BENCH_DATABASE_URL
    ? createDatabaseOn(process.env.BENCH_DATABASE_URL, started)
    : startOwnDatabase(started))
  await migrate(databaseUrl)
  return openStage(databaseUrl, started)
}

/** Starts an API and a worker on a migrated database. Disposing of `started` stops them. */
export async function openStage(databaseUrl: string, started: AsyncDisposableStack): Promise<Stage> {
  const port = await freePort('127.0.0.1')
  const environment: Environment = {
    ...withoutSettings(process.env),
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    JWT_SECRET: randomSecret(),
    SECRETS_KEY: randomSecret(),
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    EMAIL_VERIFICATION: 'off',
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  }
  const sql = connect(databaseUrl, 'signalbox bench', 4)
  started.defer(() => sql.end({ timeout: 1 }))
  const url = `http://127.0.0.1:${port}`
  const web = started.use(startProcess('api/server.ts', environment))
  const worker = started.use(startProcess('worker/main.ts', environment))
  await until('The API is ready', () => isReady(url))
  await untilWorkersReady(sql, 1)
  const api = apiClient(url)
  return { environment, sql, url, api, web, worker, tenant: await createTenant(api), started }
}

/** Signs in again. An access token is valid for 15 minutes, and the parts together take longer. */
export async function signIn({ api, tenant }: Stage): Promise<void> {
  tenant.session_id = useSession(api, await api.post<Session>('/auth/login', ACCOUNT))
}

/** Signs in as a browser does. @returns the cookie of the session */
export async function signInToApp({ url }: Stage): Promise<string> {
  const response = await fetch(`${url}/sign-in`, {
    method: 'POST',
    headers: { Origin: url },
    body: new URLSearchParams(ACCOUNT),
    redirect: 'manual',
  })
  const [cookie] = response.headers.getSetCookie().map((line) => line.split(';')[0])
  if (response.status !== 303 || !cookie) throw new Failure(`Signing in to the web app was answered ${response.status}.`)
  return cookie
}

/** Stops the stage's worker while `measure` runs, and starts a new one afterwards. */
export async function withoutWorker<Result>(stage: Stage, measure: () => Promise<Result>): Promise<Result> {
  await stage.worker[Symbol.asyncDispose]()
  try {
    return await measure()
  } finally {
    stage.worker = stage.started.use(startProcess('worker/main.ts', stage.environment))
    await untilWorkersReady(stage.sql, 1)
  }
}

const randomSecret = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

async function startOwnDatabase(started: AsyncDisposableStack): Promise<string> {
  const folder = started.use(await throwawayFolder('signalbox-bench-'))
  const database = await startPostgres({ dataDir: join(folder.path, 'postgres') })
  started.defer(database.stop)
  return database.url
}

/** Creates a database on an existing server, and drops it at the end. */
async function createDatabaseOn(server: string, started: AsyncDisposableStack): Promise<string> {
  const name = `signalbox_bench_${Date.now()}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const admin = connect(server, 'signalbox bench', 1)
  started.defer(async () => {
    await admin`drop database ${admin(name)} with (force)`
    await admin.end()
  })
  await admin`create database ${admin(name)}`
  return url.href
}

/** Polls until the condition holds. @param what the condition, for the error message */
export async function until(what: string, condition: () => Promise<boolean>, ms = READY_MS, everyMs = 25): Promise<void> {
  for (const deadline = Date.now() + ms; !(await condition()); await Bun.sleep(everyMs)) {
    if (Date.now() > deadline) throw new Failure(`Not reached within ${ms / 1000} seconds: ${what}.`)
  }
}

/** Waits until the number of workers that take jobs is `count`. */
export const untilWorkersReady = (sql: Sql, count: number): Promise<void> =>
  until(`${count} workers take jobs`, async () => {
    const [{ ready }] = await sql<[{ ready: number }]>`select count(*) as ready from workers where pool_id is not null`
    return ready === count
  })

/** Waits until no event, delivery, audit entry or job waits for the worker, so that the next measurement starts on an idle machine. */
export const untilIdle = (sql: Sql, everyMs = 25): Promise<void> =>
  until(
    'The worker is idle',
    async () => {
      const [{ busy }] = await sql<[{ busy: boolean }]>`
      select exists (select 1 from outbox where drained_at is null)
        or exists (
          select 1
          from deliveries as delivery
          left join deployment_hooks as hook on hook.id = delivery.lane_id
            and hook.organization_id = delivery.organization_id
          where due_at < now() + interval '1 minute'
            and hook.paused is not true
        )
        or exists (select 1 from audit_log_unsealed)
        or exists (select 1 from graphile_worker.jobs where locked_at is not null) as busy
    `
      return !busy
    },
    READY_MS,
    everyMs,
  )

/** Waits until the worker is idle, and vacuums, as autovacuum would have done by then. */
export async function settle(sql: Sql): Promise<void> {
  await untilIdle(sql)
  await sql`vacuum (analyze)`
}

/** Uses the session in all later requests. @returns its id */
function useSession(api: ApiClient, { access_token }: Session): string {
  api.authorization = `Bearer ${access_token}`
  return JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).sid
}

async function createTenant(api: ApiClient): Promise<Tenant> {
  const session = await api.post<Session>('/auth/register', { ...ACCOUNT, name: 'Bench' })
  const session_id = useSession(api, session)
  return { user_id: session.user.id, session_id, ...(await createOrganization(api, 'Bench')) }
}

/** Creates an organization with one workspace. */
export async function createOrganization(api: ApiClient, name: string) {
  const organization = await api.post('/organizations', { name })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name })
  return { organization, workspace }
}

/** Creates projects in the tenant's workspace. */
export function createProjects({ api, tenant }: Stage, count: number): Promise<Resource[]> {
  const path = `/workspaces/${tenant.workspace.id}/projects`
  return Promise.all(Array.from({ length: count }, (_, index) => api.post(path, { name: `Bench ${index + 1}` })))
}

/** Creates an execution in the project and starts it. */
export async function startExecution({ api }: Stage, project_id: string): Promise<Resource> {
  const requirement = await api.post(`/projects/${project_id}/requirements`, { title: 'Bench' })
  const execution = await api.post(`/requirements/${requirement.id}/executions`, { agent: 'bench' })
  await api.post(`/executions/${execution.id}/start`, {})
  return execution
}
