/** A complete Signalbox for tests: a database, API and worker processes, and users. */
import { freePort } from '../../bin/support/ports.ts'
import { connect } from '../../sql/index.ts'
import { Actor, type Answer, PASSWORD, type Site } from './actor.ts'
import { clear } from './clear.ts'
import { onCitus } from './databases.ts'
import { Processes } from './processes.ts'
import { afterFile, freshDatabase, SECRETS, tablesOfTenants } from './server.ts'
import { SIGNING_SECRET } from './slack.ts'
import { throwFaults } from './statement-faults.ts'

export interface Options {
  /** Number of workers; default 1. */
  workers?: number
  /** Settings in addition to the defaults of a box. */
  environment?: Record<string, string>
  /** The URL of an existing database; the box is not shared. */
  url?: string
  /**
   * Whether to use processes and a database that no other file uses. Required by tests that stop or start processes, change the
   * schema, or assert what processes log, measure or cache.
   */
  own?: boolean
  /** Whether to hash passwords at the cost of production; the box is not shared. */
  realPasswords?: boolean
  /** The folder of the code that runs; default: this one. The box is not shared. */
  folder?: string
}

/** What a worker logs when its sweep finds hooks or channels that were not woken. */
const STRANDED = 'woke hooks or channels that were due without a job'

const opened = new Set<Box>()

let people = 0

const addressOf = (name: string): string => {
  people += 1
  return `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}.${people}@example.com`
}

export class Box extends Processes {
  private constructor(
    readonly url: string,
    ...processes: ConstructorParameters<typeof Processes>
  ) {
    super(...processes)
  }

  static async open({ workers = 1, environment = {}, url, realPasswords = false, folder }: Options = {}): Promise<Box> {
    const database = url ?? (await freshDatabase())
    const port = await freePort('0.0.0.0')
    const settings = {
      ...SECRETS,
      DATABASE_URL: database,
      PORT: String(port),
      EMAIL_VERIFICATION: 'off',
      OUTBOUND_ALLOW: '127.0.0.0/8,::1/128',
      RATE_LIMIT: '0',
      // A connection costs as much as a few dozen statements.
      DATABASE_POOL: process.env.TEST_DATABASE_POOL ?? '4',
      // An idle worker polls once per slot.
      WORKER_CONCURRENCY: '4',
      HOOK_RETRY_SECONDS: '0.2,0.2',
      CHANNEL_RETRY_SECONDS: '0.2,0.2',
      SLACK_SIGNING_SECRET: `former-secret,${SIGNING_SECRET}`,
      LOG_LEVEL: 'info',
      TEST_TENANT_TABLES: (await tablesOfTenants()).join(' '),
      ...environment,
    }
    const box = new Box(database, connect(database, 'signalbox test', 4), port, settings, realPasswords, folder)
    opened.add(box)
    try {
      await Promise.all([box.startApi(), ...Array.from({ length: workers }, () => box.startWorker())])
      return box
    } catch (error) {
      await box.shutDown()
      throw error
    }
  }

  /** Sends a request and validates the response against the OpenAPI document. Strings and bytes are sent unchanged. */
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
    // A stream has no end; tests that read one use fetch.
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
   * Creates a user with the password `PASSWORD` and a verified address, signed in. Inserts the rows directly, because hashing a
   * password per user would dominate the CPU time of a run; use `register` to test registration.
   */
  async user(name: string): Promise<Actor> {
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

  /** Registers a user through the API. The address is unverified if the box requires verified ones. */
  async register(name: string): Promise<Actor> {
    const email = addressOf(name)
    const { status, body } = await this.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD })
    if (status !== 201) throw new Error(`Registering ${name} answered ${status}: ${JSON.stringify(body)}`)
    return new Actor(this, name, email, body.user.id, body.access_token, body.refresh_token)
  }

  /** Creates an organization with a workspace and a project. */
  async site(actor: Actor, name = 'Acme Robotics'): Promise<Site> {
    const organization = await actor.make('/api/v1/organizations', { name })
    const workspace = await actor.make(`/api/v1/organizations/${organization.id}/workspaces`, { name: 'Platform' })
    const project = await actor.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Checkout' })
    return { organization, workspace, project }
  }

  /** Creates and starts an execution. */
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
   * Runs a dispatch_hook job that does not finish: it waits for the lane of a hook, which is locked here.
   *
   * @param hook_id a hook without pending dispatches
   * @returns releases the lock
   */
  async longJob(hook_id: string): Promise<() => Promise<void>> {
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const [{ organization_id }] = await this.sql<[{ organization_id: string }]>`
      select organization_id from deployment_hooks where id = ${hook_id}
    `
    const transaction = this.sql.begin(async (tx) => {
      await tx`select 1 from lanes where id = ${hook_id} and organization_id = ${organization_id} for update`
      locked.resolve()
      await end.promise
    })
    await Promise.race([locked.promise, transaction])
    await this.sql`select ops.wake_lanes(${[organization_id]}::uuid[], ${[hook_id]}::uuid[])`
    const waits = onCitus ? this.sql`select 1 from citus_lock_waits` : this.sql`select 1 from pg_locks where not granted`
    await this.until('a job waits for the lane', async () => {
      const [{ runs }] = await this.sql<[{ runs: boolean }]>`
        select exists (${waits}) and exists (
          select 1 from graphile_worker.jobs where key = ${`dispatch_hook:${hook_id}`} and locked_at is not null
        ) as runs
      `
      return runs
    })
    return async () => {
      end.resolve()
      await transaction
    }
  }

  /** Adds a user to an organization and, if given, to its workspace. */
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

  /** Changes the role of a member of an organization, without the request that does it. */
  async setRole(actor: Actor, organization_id: string, role: 'admin' | 'member'): Promise<void> {
    await this.sql`
      update organization_members set role = ${role} where organization_id = ${organization_id} and user_id = ${actor.id}
    `
  }

  /** Removes a member from the organization, without the request that does it. */
  async leave(actor: Actor, organization_id: string): Promise<void> {
    await this.sql`delete from organization_members where organization_id = ${organization_id} and user_id = ${actor.id}`
  }

  /** Resolves when no event waits for a drain and no dispatch is pending. */
  settled(patience?: number): Promise<void> {
    return this.until(
      'nothing waits',
      async () => {
        const [{ idle }] = await this.sql<[{ idle: boolean }]>`
          select not exists (select 1 from waiting_events)
            and not exists (select 1 from dispatches where status = 'pending') as idle
        `
        return idle
      },
      patience,
    )
  }

  /**
   * Stops the processes; a shared box is emptied instead, for the next file.
   *
   * @throws Error if a statement of its processes is not marked as it should be, or a shared box had to find what was due: tests that waited for
   *   it would pass although its wake-up was lost
   */
  async close(): Promise<void> {
    if (!this.release) return this.shutDown().then(throwFaults)
    const late = this.workers.flatMap(({ lines }) => lines.filter((line) => line.includes(STRANDED)))
    await this.release()
    throwFaults()
    if (late.length > 0) throw new Error(`A sweep had to wake what nothing else woke:\n${late.join('\n')}`)
  }

  /** Deletes all rows that tests created, and the logged lines. */
  async empty(): Promise<void> {
    await clear(this.sql)
    for (const process of [this.api, ...this.workers]) process.lines.length = 0
  }

  async shutDown(): Promise<void> {
    if (!opened.delete(this)) return
    await this.kill()
    await this.sql.end({ timeout: 1 })
  }
}

// A file whose beforeAll failed does not call close.
afterFile.push(async () => {
  await Promise.all([...opened].filter(({ release }) => !release).map((box) => box.shutDown()))
})

/** At the lowest cost of argon2id, so that signing in is fast. */
const passwordHash = Bun.password.hash(PASSWORD, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 })
