/** A whole Signalbox for one file of tests: its own database, real API and worker processes, and people who use it. */
import { freePort } from '../../bin/support/ports.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { Contract, type Document } from './openapi.ts'
import { Process } from './process.ts'

export { Process }

import { freshDatabase, SECRETS } from './server.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the shape is held against the API's own document
  body: any
}

export interface Options {
  /** How many workers run from the start. */
  workers?: number
  environment?: Record<string, string>
  /** A database that is there already. */
  url?: string
}

/** Somebody who is signed in. Every answer that they get is held against the API's document. */
export class Actor {
  constructor(
    private readonly box: Box,
    readonly name: string,
    readonly email: string,
    readonly id: string,
    public token: string,
    readonly refreshToken: string,
  ) {}

  request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.box.request(method, path, body, { Authorization: `Bearer ${this.token}`, ...headers })
  }

  get = (path: string, headers?: Record<string, string>) => this.request('GET', path, undefined, headers)
  post = (path: string, body?: unknown, headers?: Record<string, string>) => this.request('POST', path, body, headers)
  put = (path: string, body?: unknown, headers?: Record<string, string>) => this.request('PUT', path, body, headers)
  delete = (path: string, headers?: Record<string, string>) => this.request('DELETE', path, undefined, headers)

  /** The same person with another token: of another session, or a personal one. */
  as(token: string): Actor {
    return new Actor(this.box, this.name, this.email, this.id, token, '')
  }

  /** Posts what must succeed, and returns what was made. */
  async make(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer['body']> {
    const answer = await this.post(path, body, headers)
    if (answer.status >= 300) throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /**
   * Subscribes a channel to how dispatches end, which raises events only where a subscription matches.
   *
   * @param url null for a channel that is switched off: the events are written, and sent to nobody
   */
  async subscribeToOutcomes(workspace_id: string, url: string | null, project_id: string | null = null): Promise<void> {
    const channel = {
      name: 'Outcomes',
      channel_type: 'webhook',
      config: { url: url ?? 'http://127.0.0.1:9/' },
      enabled: url !== null,
    }
    const { id } = await this.make(`/api/v1/workspaces/${workspace_id}/notification-channels`, channel)
    const subscription = { event_pattern: 'deployment.*', filter_project_id: project_id }
    await this.make(`/api/v1/notification-channels/${id}/subscriptions`, subscription)
  }
}

/** Where work is done: the ids down to a project. */
export interface Site {
  organization: Answer['body']
  workspace: Answer['body']
  project: Answer['body']
}

/** The document follows from the code alone, so one serves all files of a process. */
let contract: Contract | undefined

let people = 0

const addressOf = (name: string): string => {
  people += 1
  return `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.${people}@example.com`
}

export class Box {
  api!: Process
  readonly workers: Process[] = []
  contract!: Contract

  private constructor(
    readonly url: string,
    readonly sql: Sql,
    readonly port: number,
    readonly environment: Record<string, string>,
  ) {}

  static async open({ workers = 1, environment = {}, url }: Options = {}): Promise<Box> {
    const database = url ?? (await freshDatabase())
    const port = await freePort('0.0.0.0')
    const box = new Box(database, connect(database, 'signalbox test', 4), port, {
      ...SECRETS,
      DATABASE_URL: database,
      PORT: String(port),
      EMAIL_VERIFICATION: 'off',
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
      RATE_LIMIT: '0',
      HOOK_RETRY_SECONDS: '0.2,0.2',
      LOG_LEVEL: 'info',
      ...environment,
    })
    const starts = Array.from({ length: workers }, () => box.startWorker())
    await box.startApi()
    await Promise.all(starts)
    return box
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`
  }

  async startApi(): Promise<void> {
    this.api = new Process('api/server.ts', this.environment)
    await this.api.said('API listening')
    contract ??= new Contract((await (await fetch(`${this.base}/docs/json`)).json()) as Document)
    this.contract = contract
  }

  async startWorker(): Promise<Process> {
    const worker = new Process('worker/main.ts', this.environment)
    this.workers.push(worker)
    await worker.said('worker started')
    return worker
  }

  /** Ends a process and waits until it is gone. */
  async end(process: Process, signal: NodeJS.Signals): Promise<number> {
    process.kill(signal)
    return process.exited
  }

  /** Sends anything; what comes back is held against the document. A string or bytes are sent as they are. */
  async request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream
    const response = await fetch(this.base + path, {
      method,
      headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
      redirect: 'manual',
    })
    const type = response.headers.get('content-type') ?? ''
    const isStream = type.startsWith('text/event-stream')
    // A stream has no end; who wants to read one asks for it themselves.
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const parsed = isStream
      ? text
      : /^application\/(problem\+)?json/.test(type) && text !== ''
        ? JSON.parse(text)
        : text === '' && (type === '' || method === 'HEAD' || response.status === 304)
          ? null
          : text
    this.contract.check(method, new URL(this.base + path).pathname, response.status, type, parsed)
    return { status: response.status, headers: response.headers, body: parsed }
  }

  /**
   * Makes somebody an account, with the password `PASSWORD`, and signs them in. Written into the database, as hashing a
   * password for everybody in every test is most of what a run would do; who tests registering calls `register`.
   */
  async user(name: string): Promise<Actor> {
    if (this.environment.EMAIL_VERIFICATION !== 'off') return this.register(name)
    const email = addressOf(name)
    const refresh_token = `sbx_rt_${crypto.randomUUID()}`
    await this.sql`
      with person as (
        insert into users (email, email_verified, name, password_hash)
        values (${email}, true, ${name}, ${await passwordHash})
        returning id
      ),
      session as (
        insert into sessions (user_id, device, ip_address) select id, 'Test', '127.0.0.1' from person returning id
      )
      insert into refresh_tokens (hash, session_id, expires_at)
      select sha256(convert_to(${refresh_token}, 'UTF8')), id, now() + interval '1 hour' from session
    `
    const { body } = await this.request('POST', '/api/v1/auth/refresh', { refresh_token })
    return new Actor(this, name, email, body.user.id, body.access_token, body.refresh_token)
  }

  /** Registers somebody. */
  async register(name: string): Promise<Actor> {
    const email = addressOf(name)
    const { status, body } = await this.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD })
    if (status !== 201) throw new Error(`Registering ${name} answered ${status}: ${JSON.stringify(body)}`)
    return new Actor(this, name, email, body.user.id, body.access_token, body.refresh_token)
  }

  /** Makes a place to work in. */
  async site(actor: Actor, name = 'Acme Robotics'): Promise<Site> {
    const organization = await actor.make('/api/v1/organizations', { name })
    const workspace = await actor.make(`/api/v1/organizations/${organization.id}/workspaces`, { name: 'Platform' })
    const project = await actor.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Checkout' })
    return { organization, workspace, project }
  }

  /** Makes a running execution. */
  async running(actor: Actor, project_id: string, input: object = {}): Promise<Answer['body']> {
    const requirement = await actor.make(`/api/v1/projects/${project_id}/requirements`, { title: 'Pay by invoice' })
    const execution = await actor.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude', ...input })
    return actor.make(`/api/v1/executions/${execution.id}/start`)
  }

  /** Opens a gate and approves it. */
  async approval(actor: Actor, execution_id: string): Promise<Answer['body']> {
    const gate = await actor.make(`/api/v1/executions/${execution_id}/gates`, { name: 'Release review' })
    return actor.make(`/api/v1/gates/${gate.id}/approve`)
  }

  /**
   * Runs a dispatch_hook job that lasts: it waits for the lane of a hook, which is locked here.
   *
   * @param hook_id of a hook for which nothing waits
   * @returns ends the lock
   */
  async longJob(hook_id: string): Promise<() => Promise<void>> {
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const transaction = this.sql.begin(async (tx) => {
      await tx`select from lanes where id = ${hook_id} for update`
      locked.resolve()
      await end.promise
    })
    await Promise.race([locked.promise, transaction])
    await this.sql`select ops.wake_lanes(array[organization_id], array[id]) from lanes where id = ${hook_id}`
    await this.until('a job waits for the lane', async () => {
      const [{ runs }] = await this.sql<[{ runs: boolean }]>`
        select exists (select from pg_locks where not granted) and exists (
          select from graphile_worker.jobs where key = ${`dispatch_hook:${hook_id}`} and locked_at is not null
        ) as runs
      `
      return runs
    })
    return async () => {
      end.resolve()
      await transaction
    }
  }

  /** Puts somebody into an organization, and perhaps into one of its workspaces. */
  async join(actor: Actor, site: Site, role: 'admin' | 'member', inWorkspace?: 'admin' | 'member'): Promise<void> {
    await this.sql`
      insert into organization_members (organization_id, user_id, role)
      values (${site.organization.id}, ${actor.id}, ${role})
    `
    if (!inWorkspace) return
    await this.sql`
      insert into workspace_members (workspace_id, organization_id, user_id, role)
      values (${site.workspace.id}, ${site.organization.id}, ${actor.id}, ${inWorkspace})
    `
  }

  /** Resolves once a question to the database is answered with true. */
  async until(what: string, holds: () => Promise<boolean>, patience = 20_000): Promise<void> {
    const end = performance.now() + patience
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`It never came to this: ${what}`)
      await Bun.sleep(20)
    }
  }

  /** Resolves once nothing is left to drain or to send. */
  settled(patience?: number): Promise<void> {
    return this.until(
      'nothing waits',
      async () => {
        const [{ idle }] = await this.sql<[{ idle: boolean }]>`
          select not exists (select from outbox where drained_at is null)
            and not exists (select from dispatches where status = 'pending') as idle
        `
        return idle
      },
      patience,
    )
  }

  async close(): Promise<void> {
    for (const process of [this.api, ...this.workers]) process.kill('SIGKILL')
    await Promise.all([this.api, ...this.workers].map((process) => process.exited))
    await this.sql.end({ timeout: 1 })
  }
}

/** What everybody here signs in with. */
export const PASSWORD = 'correct horse battery staple'

/** The cheapest that argon2id has: whoever signs in with it in a test is not to wait for it. */
const passwordHash = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })

/** Opens a box. */
export const signalbox = (options?: Options): Promise<Box> => Box.open(options)
