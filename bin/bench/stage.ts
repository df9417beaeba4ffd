/** What everything is measured on: a database, an API, a worker, and one tenant in them. */
import { join } from 'node:path'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { type ApiClient, apiClient, type Thing } from '../support/api-client.ts'
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
  url: string
  api: ApiClient
  web: Process
  worker: Process
  /** Does something without the worker, and starts it again. */
  withoutWorker<Result>(work: () => Promise<Result>): Promise<Result>
  tenant: { user_id: string; session_id: string; organization: Thing; workspace: Thing }
  /** Signs in anew: a token is good for a quarter of an hour, and all parts may take longer. */
  signIn(): Promise<void>
}

const ACCOUNT = { email: 'bench@example.com', password: 'correct horse battery staple' }

/**
 * Sets it all up; what was started is stopped with `started`.
 *
 * @param settings of a PostgreSQL of its own, on which it is set up then even where `BENCH_DATABASE_URL` names a server
 */
export async function setStage(started: AsyncDisposableStack, settings?: Record<string, string>): Promise<Stage> {
  const databaseUrl =
    process.env.BENCH_DATABASE_URL && !settings
      ? await databaseOn(process.env.BENCH_DATABASE_URL, started)
      : await ownDatabase(started, settings)
  await migrate(databaseUrl)
  const port = await freePort('127.0.0.1')
  const environment: Environment = {
    ...withoutSettings(process.env),
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    JWT_SECRET: randomText(),
    SECRETS_KEY: randomText(),
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
  await until('The API gets ready', () => isReady(url))
  await workersReady(sql, 1)
  const api = apiClient(url)
  const stage: Stage = { environment, sql, url, api, web, worker, withoutWorker, tenant: await makeTenant(api), signIn }
  async function signIn(): Promise<void> {
    stage.tenant.session_id = begin(api, await api.post<Session>('/auth/login', ACCOUNT))
  }
  async function withoutWorker<Result>(work: () => Promise<Result>): Promise<Result> {
    await stage.worker[Symbol.asyncDispose]()
    try {
      return await work()
    } finally {
      stage.worker = started.use(startProcess('worker/main.ts', environment))
      await workersReady(sql, 1)
    }
  }
  return stage
}

const randomText = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

async function ownDatabase(started: AsyncDisposableStack, settings?: Record<string, string>): Promise<string> {
  const folder = started.use(await throwawayFolder('signalbox-bench-'))
  const database = await startPostgres({ dataDir: join(folder.path, 'postgres'), settings })
  started.defer(database.stop)
  return database.url
}

/** A database of our own on a server of somebody else's. */
async function databaseOn(server: string, started: AsyncDisposableStack): Promise<string> {
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

/** Waits for something that must happen soon. */
export async function until(what: string, happened: () => Promise<boolean>, ms = READY_MS, everyMs = 25): Promise<void> {
  for (const deadline = Date.now() + ms; !(await happened()); await Bun.sleep(everyMs)) {
    if (Date.now() > deadline) throw new Failure(`"${what}" did not come true within ${ms / 1000} seconds.`)
  }
}

/** Waits until so many workers take jobs. */
export const workersReady = (sql: Sql, count: number): Promise<void> =>
  until('The workers work', async () => {
    const [{ ready }] = await sql<[{ ready: number }]>`select count(*) as ready from workers where pool_id is not null`
    return ready === count
  })

/**
 * Waits until nothing waits for the worker, be it an event, a dispatch or an entry to be sealed: what is measured next
 * begins on an idle machine.
 */
export const idle = (sql: Sql): Promise<void> =>
  until('The worker has nothing to do', async () => {
    const [{ busy }] = await sql<[{ busy: boolean }]>`
      select exists (select from outbox where drained_at is null)
        or exists (
          select
          from deliveries as delivery
          left join deployment_hooks as hook on hook.id = delivery.lane_id
          where due_at < now() + interval '1 minute'
            and hook.paused is not true
        )
        or exists (select from audit_log_unsealed)
        or exists (select from graphile_worker.jobs where locked_at is not null) as busy
    `
    return !busy
  })

/** Waits until the worker is idle, and leaves tables as autovacuum would, whatever was written to them before. */
export async function tidy(sql: Sql): Promise<void> {
  await idle(sql)
  await sql`vacuum (analyze)`
}

interface Session {
  access_token: string
  user: Thing
}

/** Has all that follows done in a session, whose id it returns. */
function begin(api: ApiClient, { access_token }: Session): string {
  api.authorization = `Bearer ${access_token}`
  return JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString()).sid
}

async function makeTenant(api: ApiClient): Promise<Stage['tenant']> {
  const session = await api.post<Session>('/auth/register', { ...ACCOUNT, name: 'Bench' })
  const session_id = begin(api, session)
  const organization = await api.post('/organizations', { name: 'Bench' })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name: 'Bench' })
  return { user_id: session.user.id, session_id, organization, workspace }
}

/** Makes projects in the tenant's workspace. */
export function makeProjects({ api, tenant }: Stage, count: number): Promise<Thing[]> {
  const path = `/workspaces/${tenant.workspace.id}/projects`
  return Promise.all(Array.from({ length: count }, (_, index) => api.post(path, { name: `Bench ${index + 1}` })))
}
