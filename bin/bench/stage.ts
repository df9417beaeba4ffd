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
import type { Row } from './figures.ts'
import { type Environment, type Process, startProcess } from './processes.ts'

/** An API process. */
export interface Api {
  url: string
  process: Process
}

export interface Stage extends Api {
  /** Small amounts, to check that the benchmark works; its figures are rough. */
  quick: boolean
  environment: Environment
  sql: Sql
  api: ApiClient
  worker: Process
  user_id: string
  tenant: Awaited<ReturnType<typeof createOrganization>>
  /** What is stopped at the end. */
  started: AsyncDisposableStack
}

/** One measurement of the benchmark: `bun run bench <name>` runs it alone. */
export interface Part {
  name: string
  /** Runs only when it is named: it takes minutes and serves capacity planning. */
  onlyByName?: true
  /** What is measured and against what, with the amounts of a full run; printed below the table. */
  about: string
  run(stage: Stage): Promise<Row[]>
}

/** Starts everything. Disposing of `started` stops it and removes the database. */
export async function prepareStage(quick: boolean, started: AsyncDisposableStack): Promise<Stage> {
  const { BENCH_DATABASE_URL } = process.env
  const url = await (BENCH_DATABASE_URL ? createDatabaseOn(BENCH_DATABASE_URL, started) : startOwnDatabase(started))
  await migrate(url)
  return openStage(url, quick, started)
}

async function startOwnDatabase(started: AsyncDisposableStack): Promise<string> {
  const folder = started.use(await throwawayFolder('signalbox-bench-'))
  const database = await startPostgres({ dataDir: join(folder.path, 'postgres') })
  started.defer(database.stop)
  return database.url
}

async function createDatabaseOn(server: string, started: AsyncDisposableStack): Promise<string> {
  const name = `signalbox_bench_${Date.now()}`
  const admin = connect(server, 'signalbox bench', 1)
  started.defer(async () => {
    await admin`drop database ${admin(name)} with (force)`
    await admin.end()
  })
  await admin`create database ${admin(name)}`
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Starts an API and a worker on a migrated database. Disposing of `started` stops them. */
export async function openStage(databaseUrl: string, quick: boolean, started: AsyncDisposableStack): Promise<Stage> {
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  const environment: Environment = {
    ...withoutSettings(process.env),
    DATABASE_URL: databaseUrl,
    JWT_SECRET: secret,
    SECRETS_KEY: secret,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    EMAIL_VERIFICATION: 'off',
    OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
  }
  const sql = connect(databaseUrl, 'signalbox bench', 4)
  started.defer(() => sql.end({ timeout: 1 }))
  const worker = started.use(startProcess('worker/main.ts', environment))
  const { url, process: web } = await startApi(environment, started)
  await untilWorkersReady(sql, 1)
  const api = apiClient(url)
  const { user_id } = await signIn(api, 'register')
  const tenant = await createOrganization(api)
  return { quick, environment, sql, url, api, process: web, worker, user_id, tenant, started }
}

/** Starts an API, and waits until it is ready. */
export async function startApi(environment: Environment, started: AsyncDisposableStack): Promise<Api> {
  const port = await freePort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const child = started.use(startProcess('api/server.ts', { ...environment, PORT: String(port) }))
  await until('The API is ready', () => isReady(url))
  return { url, process: child }
}

/** Registers a user or signs in. Later requests of the client use the session. */
export async function signIn(api: ApiClient, how: 'register' | 'login', email = 'bench@example.com') {
  const account = { email, password: 'correct horse battery staple', ...(how === 'register' && { name: 'Bench' }) }
  const { access_token, user } = await api.post<{ access_token: string; user: Resource }>(`/auth/${how}`, account)
  api.authorization = `Bearer ${access_token}`
  const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())
  return { user_id: user.id, session_id: sid as string }
}

/** Creates an organization with one workspace. */
export async function createOrganization(api: ApiClient) {
  const organization = await api.post('/organizations', { name: 'Bench' })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name: 'Bench' })
  return { organization, workspace }
}

/** Creates projects in the tenant's workspace. */
export function createProjects({ api, tenant }: Pick<Stage, 'api' | 'tenant'>, count: number): Promise<Resource[]> {
  const path = `/workspaces/${tenant.workspace.id}/projects`
  return Promise.all(Array.from({ length: count }, (_, index) => api.post(path, { name: `Bench ${index + 1}` })))
}

/** Polls until the condition holds. @param what the condition, for the error message */
export async function until(what: string, condition: () => Promise<boolean>, everyMs = 25, ms = 120_000): Promise<void> {
  for (const deadline = Date.now() + ms; !(await condition()); await Bun.sleep(everyMs)) {
    if (Date.now() > deadline) throw new Failure(`Not reached within ${ms / 1000} seconds: ${what}.`)
  }
}

/** Polls until a statement returns nothing. */
export const untilEmpty = (what: string, statement: () => PromiseLike<readonly unknown[]>, everyMs?: number): Promise<void> =>
  until(`no ${what}`, async () => (await statement()).length === 0, everyMs)

/** Runs without the worker of the stage, for parts that start others. */
export async function withoutWorker<Result>(stage: Stage, run: () => Promise<Result>): Promise<Result> {
  await stage.worker[Symbol.asyncDispose]()
  try {
    return await run()
  } finally {
    stage.worker = stage.started.use(startProcess('worker/main.ts', stage.environment))
    await untilWorkersReady(stage.sql, 1)
  }
}

/** Waits until the number of workers that take jobs is `count`. */
export const untilWorkersReady = (sql: Sql, count: number): Promise<void> =>
  until(`${count} workers`, async () => (await sql`select 1 from workers where pool_id is not null`).count === count)

/** Waits until no event, delivery, audit entry or job waits for the worker, so that the next measurement starts on an idle machine. */
export const untilIdle = (sql: Sql, everyMs?: number): Promise<void> =>
  untilEmpty(
    'work for the worker',
    () => sql`
      select 1
      where exists (select 1 from outbox where drained_at is null)
        or exists (
          select 1
          from deliveries as delivery
          left join deployment_hooks as hook on hook.id = delivery.lane_id
            and hook.organization_id = delivery.organization_id
          where due_at < now() + interval '1 minute'
            and hook.paused is not true
        )
        or exists (select 1 from audit_log_unsealed)
        or exists (select 1 from graphile_worker.jobs where locked_at is not null)
    `,
    everyMs,
  )

/** Waits until the worker is idle, and vacuums, as autovacuum would have done by then. */
export async function settle(sql: Sql): Promise<void> {
  await untilIdle(sql)
  await sql`vacuum (analyze)`
}
