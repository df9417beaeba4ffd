/**
 * The upgrade that every release has to survive: a database with the data and the waiting work of the last release, its processes, and
 * those of this code, under load; side by side, unless a migration removes what the last release uses.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres } from '../bin/support/postgres.ts'
import { connect, type Sql } from '../sql/index.ts'
import { readMigrations } from '../sql/migrate.ts'
import { Walk } from '../test/sql/walk.ts'
import { Actor, type Box, PASSWORD, Process, type Site, signalbox } from '../test/support/signalbox.ts'
import { makeHooks, openGates } from './support.ts'
import { type Code, codeOf } from './upgrade/code.ts'
import { keptKeys } from './upgrade/kept-keys.ts'
import { lastRelease } from './upgrade/last-release.ts'
import { Outside } from './upgrade/outside.ts'

setDefaultTimeout(900_000)

const V1 = '/api/v1'
const HOOKS = 3
/** Gates opened at once by each client. */
const BATCH = 10
/** How many gates are approved, at least, before the upgrade goes on. */
const STEP = 60

let code: Code
let version: string
let postgres: Postgres
let folder: string
let outside: Outside
let sql: Sql
/** The processes of the last release, and those of this code. */
let old: Box
let box: Box

beforeAll(async () => {
  version = await lastRelease()
  code = await codeOf(version)
  folder = await mkdtemp(join(tmpdir(), 'signalbox-upgrade-'))
  postgres = await startPostgres({ dataDir: folder })
  outside = await Outside.open()
  expect(await release(code.folder)).toContain('Applied')
  sql = connect(postgres.url, 'signalbox test', 2)
  // Several statements, which only the simple protocol allows.
  await sql.unsafe(await Bun.file(join(import.meta.dir, `upgrade/${version}.sql`)).text()).simple()
})
afterAll(async () => {
  await Promise.all([old?.shutDown(), box?.shutDown()])
  await sql?.end({ timeout: 1 })
  await postgres.stop()
  await outside.close()
  await code[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the release process of a version. @returns what it has printed */
async function release(of?: string): Promise<string> {
  const process = new Process('sql/migrate.ts', { DATABASE_URL: postgres.url }, undefined, of)
  expect([await process.exited, process.lines.join('\n')]).toEqual([0, expect.any(String)])
  await process.isRead
  return process.lines.join('\n')
}

/** Everything that a release may change, other than the partitions that workers make. */
const schema = () => sql`
  select attrelid::regclass::text as name, attname as part
  from pg_attribute
  join pg_class on pg_class.oid = attrelid
  join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ('public', 'ops', 'queue', 'graphile_worker')
    and not relispartition
    and relkind not in ('i', 'I')
    and not attisdropped
  union all
  select oid::regprocedure::text, md5(prosrc) from pg_proc where pronamespace::regnamespace::text in ('public', 'ops', 'queue')
  union all
  select tgrelid::regclass::text, tgname from pg_trigger where tgrelid not in (select inhrelid from pg_inherits)
  union all
  select name, checksum from schema_migrations
  order by 1, 2
`

/** Whether the last release does not run on the migrated database. */
const hasToStop = async (): Promise<boolean> =>
  (await readMigrations()).some(({ oldest_version }) => oldest_version !== null && Bun.semver.order(version, oldest_version) < 0)

/** Ends a release at each of its migrations: by an error, whose message says that nothing was changed, and by a kill. */
async function interruptReleases(): Promise<void> {
  const applied = await sql<{ name: string }[]>`select name from schema_migrations`
  const files = (await readdir(join(import.meta.dir, '../sql/migrations'))).filter((name) => name.endsWith('.sql')).sort()
  const pending = files.filter((file) => !applied.some(({ name }) => name === file))
  const before = await schema()
  await sql.unsafe(`
    create table refused (name text);
    create function refuse() returns trigger language plpgsql as $$
      begin
        if exists (select from refused where name = new.name) then raise exception 'refused'; end if;
        return new;
      end
    $$;
    create trigger refuse before insert on schema_migrations for each row execute function refuse();
  `)
  for (const name of pending) {
    await sql`insert into refused values (${name})`
    const failing = new Process('sql/migrate.ts', { DATABASE_URL: postgres.url })
    expect(await failing.exited).toBe(1)
    await failing.isRead
    expect(failing.lines.at(-1)).toStartWith('The migration failed, and the database is as it was before.')
    expect(failing.lines.at(-1)).toEndWith('refused')
    await sql`delete from refused`
    const killed = new Process('sql/migrate.ts', { DATABASE_URL: postgres.url })
    await killed.said(`applying ${name}`)
    killed.kill('SIGKILL')
    await killed.exited
  }
  await sql.unsafe('drop table refused; drop function refuse() cascade')
  // A killed release has ended when the next one gets its lock.
  await sql.begin(async (tx) => void (await tx`select pg_advisory_xact_lock(hashtext('signalbox.migrate'))`))
  expect(await schema()).toEqual(before)
}

/** A release that removes what the last one uses refuses while its processes run, and they do not notice. */
async function expectRefusal(): Promise<void> {
  const before = await schema()
  const refused = new Process('sql/migrate.ts', { DATABASE_URL: postgres.url })
  expect(await refused.exited).toBe(1)
  await refused.isRead
  expect(refused.lines.at(-1)).toMatch(/ are connected: signalbox main .*; signalbox server .*\. Nothing was changed\. /)
  expect(await schema()).toEqual(before)
}

const start = (of?: string): Promise<Box> =>
  signalbox({ url: postgres.url, workers: 1, environment: outside.environment, ...(of ? { folder: of } : {}) })

/** Signs in as the owner of the organization in the data. */
async function signIn(to: Box): Promise<Actor> {
  const { body } = await to.request('POST', `${V1}/auth/login`, { email: 'ada@example.com', password: PASSWORD })
  return new Actor(to, body.user.name, body.user.email, body.user.id, body.access_token, body.refresh_token)
}

/** Approves one gate after another until it is stopped. A response that is not a success fails the test. */
class Load {
  readonly approved: string[] = []
  #isOver = false
  readonly #done: Promise<void>

  constructor(to: Box, actor: Actor, { project }: Site) {
    this.#done = (async () => {
      while (!this.#isOver) {
        for (const gate of await openGates(to, actor, project.id, BATCH)) {
          await actor.make(`${V1}/gates/${gate}/approve`)
          this.approved.push(gate)
        }
      }
    })()
    this.#done.catch(() => {})
  }

  /** Resolves when some more gates are approved. */
  async goOn(to: Box): Promise<void> {
    const target = this.approved.length + STEP
    await Promise.race([this.#done, to.until('more gates are approved', async () => this.approved.length >= target, 120_000)])
  }

  async stop(): Promise<string[]> {
    this.#isOver = true
    await this.#done
    return this.approved
  }
}

/** What waits, of the organization in the data. */
const fetchWaiting = () => sql<{ id: string; kind: string; mode: string | null }[]>`
  select waiting.id, waiting.kind, hook.mode
  from deliveries as waiting
  left join deployment_hooks as hook on hook.id = waiting.lane_id and hook.organization_id = waiting.organization_id
  order by waiting.id
`

const countFailed = async (): Promise<number> => (await sql<[{ count: number }]>`select count(*) from ops.failed_jobs`)[0].count

/** Claims what waits for a CI system, and acknowledges it. @returns the ids */
async function claimAll(actor: Actor): Promise<string[]> {
  const claimed: string[] = []
  for (const { id } of await sql<{ id: string }[]>`select id from deployment_hooks where mode = 'pull' and enabled`) {
    const { body: leases } = await actor.post(`${V1}/deployment-hooks/${id}/claim`, { limit: 10 })
    for (const { dispatch, lease_until } of leases) {
      await actor.make(`${V1}/dispatches/${dispatch.id}/acknowledge`, { outcome: 'succeeded', lease_until })
      claimed.push(dispatch.id)
    }
  }
  return claimed
}

/** The parameters of paths, from the data. */
async function fetchIds(): Promise<Record<string, string>> {
  const tables = {
    workspace_id: 'workspaces',
    project_id: 'projects',
    requirement_id: 'requirements',
    execution_id: 'executions',
    gate_id: 'gates',
    hook_id: 'deployment_hooks',
    dispatch_id: 'dispatches',
    channel_id: 'notification_channels',
    subscription_id: 'subscriptions',
    deliverable_id: 'deliverables',
    comparison_id: 'dual_track_comparisons',
    runtime_id: 'runtimes',
  }
  const [organization] = await sql<
    { org_id: string }[]
  >`select id as org_id from organizations where name = 'Acme Robotics' order by id limit 1`
  const ids: Record<string, string> = { ...organization }
  for (const [name, table] of Object.entries(tables)) {
    const [row] = await sql<{ id: string }[]>`
      select id from ${sql(table)} where organization_id = ${ids.org_id ?? ''} order by id limit 1
    `
    ids[name] = row?.id ?? ''
  }
  return ids
}

test('the last release and this one share a database under load, and nothing is lost or sent twice', async () => {
  const ids = await fetchIds()
  const flag = `org:${ids.org_id}`
  const before = { keys: await keptKeys(sql), waiting: await fetchWaiting(), failed: await countFailed() }
  old = await start(code.folder)
  const owner = await signIn(old)
  const site = await old.site(owner, 'Bee Robotics')
  await makeHooks(owner, site, `${outside.hooks.url}/load`, HOOKS)
  const first = new Load(old, owner, site)
  await first.goOn(old)

  /** Without new requests, as behind a router that follows /readyz. */
  const stopOld = async () => {
    const approved = await first.stop()
    for (const process of [old.api, ...old.workers]) expect(await old.end(process, 'SIGTERM')).toBe(0)
    return approved
  }
  const mustStop = await hasToStop()
  if (mustStop) {
    await expectRefusal()
    await first.goOn(old)
  }
  const stopped = mustStop ? await stopOld() : null
  await interruptReleases()
  if (stopped === null) await first.goOn(old)
  await release()
  if (stopped === null) await first.goOn(old)

  box = await start()
  const ada = await signIn(box)
  const second = new Load(box, ada, site)
  if (stopped === null) await Promise.all([first.goOn(old), second.goOn(box)])
  const approved = stopped ?? (await stopOld())
  await second.goOn(box)

  // What was waiting in the last release is left to this one.
  expect(await sql`select from ops.pauses where flag = ${flag}`).toHaveLength(1)
  expect((await fetchWaiting()).filter(({ id }) => before.waiting.some((waiting) => waiting.id === id))).toEqual([
    ...before.waiting,
  ])
  await sql`select ops.resume(${flag})`
  approved.push(...(await second.stop()))
  await box.until('all is sent but what CI systems claim', async () =>
    (await fetchWaiting()).every(({ mode }) => mode === 'pull'),
  )
  await box.until('no job is left', async () => (await sql`select from graphile_worker.jobs limit 1`).count === 0)
  await box.until('no event waits', async () => (await sql`select from waiting_events`).count === 0)

  await box.until('every channel has its messages', async () => Object.values(outside.received).every((count) => count >= 2))

  // The load: each approval once at each hook, in the order of its sequence.
  const requests = outside.hooks.requests.filter(({ path }) => path.startsWith('/load/'))
  const expected = approved.flatMap((gate) => Array.from({ length: HOOKS }, (_, hook) => `/load/${hook} ${gate}`))
  const received = requests.map(({ path, body }) => `${path} ${JSON.parse(body).data.gate.id}`)
  expect(received.toSorted()).toEqual(expected.toSorted())
  const bySequence = requests.map(({ path, headers }) => `${path} ${headers['x-signalbox-sequence']}`)
  const numbers = Array.from({ length: HOOKS }, (_, hook) => approved.map((_, index) => `/load/${hook} ${index + 1}`)).flat()
  expect(bySequence.toSorted()).toEqual(numbers.toSorted())

  // What was waiting: a retry, an approval and a trigger at the hook; a retry and an approval in every channel.
  const sent = outside.hooks.requests.filter(({ path }) => path === '/waiting')
  const ids_sent = sent.map(({ headers }) => headers['webhook-id'] ?? '')
  expect([ids_sent.length, new Set(ids_sent).size]).toEqual([3, 3])
  for (const { body } of sent) expect(JSON.parse(body).token).toBe('a-secret-of-the-template')
  expect(outside.received).toEqual({ slack: 2, teams: 2, feishu: 2, webhook: 2, email: 2 })
  expect(await claimAll(ada)).toHaveLength(2)
  expect(await fetchWaiting()).toHaveLength(0)
  const unfinished = await sql`
    select status from deliverables where status = 'generating'
    union all
    select status from dual_track_comparisons where status = 'comparing'
  `
  expect(unfinished).toHaveLength(0)
  expect(await countFailed()).toBe(before.failed)

  // What was there: every row, a valid audit log, and every resource as this version shows it.
  expect(new Set(before.keys).difference(new Set(await keptKeys(sql)))).toEqual(new Set())
  const { body: audit } = await ada.get(`${V1}/organizations/${ids.org_id}/audit-logs/verify`)
  expect(audit).toMatchObject({ valid: true })
  const walk = new Walk(box)
  Object.assign(walk.ids, ids)
  // Gates of the last release have no subject, and so no attestation.
  await walk.readAll(ada, { actor_id: ada.id }, ['GET /api/v1/gates/{gate_id}/attestation'])

  const lines = [old, box].flatMap(({ api, workers }) => [api, ...workers]).flatMap((process) => process.lines)
  expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([])
})
