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

/** The user of the stage. */
const OWNER = 'bench@example.com'
export const PASSWORD = 'correct horse battery staple'

/** An API process. */
export interface Api {
  url: string
  process: Process
}

/** A user who is signed in, with an organization and a workspace. */
export interface Tenant {
  api: ApiClient
  user_id: string
  session_id: string
  organization: Resource
  workspace: Resource
}

export interface Stage extends Api, Tenant {
  /** Small amounts, to check that the benchmark works; its figures are rough. */
  quick: boolean
  environment: Environment
  sql: Sql
  worker: Process
  /** What is stopped at the end. */
  started: AsyncDisposableStack
}

/** One measurement of the benchmark: `bun run bench <name>` runs it alone. */
export interface Part {
  /** What is measured and against what, with the amounts of a full run; printed below the table. */
  about: string
  run(stage: Stage): Promise<Row[]>
}

/** Starts everything. Disposing of `started` stops it and removes the database. */
export async function prepareStage(quick: boolean, started: AsyncDisposableStack): Promise<Stage> {
  const { BENCH_DATABASE_URL } = process.env
  const url = await (BENCH_DATABASE_URL ? createDatabaseOn(BENCH_DATABASE_URL, started) : startDatabase(started))
  await migrate(url)
  return openStage(url, quick, started)
}

/** Starts a PostgreSQL. Disposing of `started` stops it and removes its data. @returns its URL */
export async function startDatabase(started: AsyncDisposableStack, options: object = {}): Promise<string> {
  const folder = started.use(await throwawayFolder('signalbox-bench-'))
  const database = await startPostgres({ dataDir: join(folder.path, 'postgres'), ...options })
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
  // Sets of data are written at once, and snapshots are held.
  const sql = connect(databaseUrl, 'signalbox bench', 4, { statement_timeout: '0', idle_in_transaction_session_timeout: '0' })
  started.defer(() => sql.end({ timeout: 1 }))
  const worker = started.use(startProcess('worker/main.ts', environment))
  const web = await startApi(environment, started)
  await untilWorkersReady(sql, 1)
  return { quick, environment, sql, ...web, worker, ...(await createTenant(web.url, OWNER)), started }
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
export async function signIn(api: ApiClient, how: 'register' | 'login', email = OWNER) {
  const account = { email, password: PASSWORD, ...(how === 'register' && { name: 'Bench' }) }
  const { access_token, user } = await api.post<{ access_token: string; user: Resource }>(`/auth/${how}`, account)
  api.authorization = `Bearer ${access_token}`
  const { sid } = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString())
  return { user_id: user.id, session_id: sid as string }
}

export const newEmail = (): string => `${crypto.randomUUID()}@example.com`

/** Registers a user, who creates an organization with one workspace. */
export async function createTenant(url: string, email = newEmail()): Promise<Tenant> {
  const api = apiClient(url)
  const user = await signIn(api, 'register', email)
  const organization = await api.post('/organizations', { name: 'Bench' })
  const workspace = await api.post(`/organizations/${organization.id}/workspaces`, { name: 'Bench' })
  return { api, ...user, organization, workspace }
}

export async function createTenants(url: string, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  while (tenants.length < count) tenants.push(await createTenant(url))
  return tenants
}

export const createProject = ({ api, workspace }: Tenant, name = 'Bench'): Promise<Resource> =>
  api.post(`/workspaces/${workspace.id}/projects`, { name })

/** Creates a hook, for approved gates unless the input says more. */
export const createHook = ({ api }: Tenant, project_id: string, input: object): Promise<Resource> =>
  api.post(`/projects/${project_id}/deployment-hooks`, { name: 'Bench', trigger_on: 'gate_approved', ...input })

/** Opens a gate of a project. */
export const openGate = ({ api }: Tenant, project_id: string): Promise<Resource> =>
  api.post(`/projects/${project_id}/gates`, { name: crypto.randomUUID() })

/** Polls until the condition holds. @param what the condition, for the error message */
export async function until(what: string, condition: () => Promise<boolean>, everyMs = 25, ms = 120_000): Promise<void> {
  for (const deadline = Date.now() + ms; !(await condition()); await Bun.sleep(everyMs)) {
    if (Date.now() > deadline) throw new Failure(`Not reached within ${ms / 1000} seconds: ${what}.`)
  }
}

/** Works through a list, some items at a time. It is empty afterwards. */
export async function inParallel<Item>(width: number, items: Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const run = async () => {
    for (let item = items.pop(); item; item = items.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: width }, run))
}

/** Polls until a statement returns nothing. */
export const untilEmpty = (what: string, statement: () => PromiseLike<readonly unknown[]>, everyMs?: number): Promise<void> =>
  until(`no ${what}`, async () => (await statement()).length === 0, everyMs)

/** Restarts the worker with other settings while something runs. */
export async function withWorker<Result>(stage: Stage, settings: Environment, run: () => Promise<Result>): Promise<Result> {
  const restart = async (environment: Environment) => {
    await stage.worker[Symbol.asyncDispose]()
    stage.worker = stage.started.use(startProcess('worker/main.ts', environment))
    await untilWorkersReady(stage.sql, 1)
  }
  try {
    await restart({ ...stage.environment, ...settings })
    return await run()
  } finally {
    await restart(stage.environment)
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
