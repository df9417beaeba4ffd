/** A coordinator of a Citus cluster that is killed at each step of a change. `bun run test:citus` runs it on the cluster that it has started. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Sql } from '../sql/index.ts'
import type { Actor, Answer } from '../test/support/actor.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Box, type Site, signalbox } from '../test/support/signalbox.ts'
import { connectToNode, folder, portOf, Server } from './citus-support.ts'

let box: Box
let ada: Actor
let site: Site
let coordinator: Server
/** The node of the organization, and its port. */
let node: Sql
let port = 0
const receiver = new Receiver()
let hook: Answer['body']
let approved = 0

const NOBODY = 'nobody'

/** Makes commits of a server durable without telling anyone: it waits for a standby that does not exist. */
async function holdCommits(server: Sql): Promise<void> {
  await server.unsafe(`alter system set synchronous_standby_names = '${NOBODY}'`)
  await server`select pg_reload_conf()`
  await box.until('commits are held', async () => {
    const [{ held }] = await server<[{ held: boolean }]>`
      select current_setting('synchronous_standby_names') = ${NOBODY} as held
    `
    return held
  })
}

async function releaseCommits(server: Sql): Promise<void> {
  await server`alter system reset synchronous_standby_names`
  await server`select pg_reload_conf()`
}

/** Whether a session of the server is in this state. */
const waits = (server: Sql, event: string, query: string) => async () => {
  const [{ found }] = await server<[{ found: boolean }]>`
    select exists (
      select 1
      from pg_stat_activity
      where datname = current_database()
        and pid <> pg_backend_pid()
        and coalesce(wait_event, '') ~ ${event}
        and query ~* ${query}
    ) as found
  `
  return found
}

/** Locks a table in a connection of its own, until it is released or the server is killed. */
async function lockTable(server: Sql, table: string): Promise<() => Promise<void>> {
  const session = await server.reserve()
  await session`begin`
  // Which Citus refuses for the shards of a table.
  await session`select set_config('citus.enable_manual_changes_to_shards', 'on', true)`
  await session.unsafe(`lock table ${table} in exclusive mode`)
  return () => server.end({ timeout: 1 })
}

interface Step {
  name: string
  /** Whether the change is there afterwards. */
  kept: boolean
  /** Sends the change and stops it at the step. @returns ends what stopped it */
  stop(send: () => void): Promise<() => Promise<void>>
}

const STEPS: Step[] = [
  {
    name: 'before its last row is written',
    kept: false,
    async stop(send) {
      const [{ shard }] = await box.sql<[{ shard: string }]>`
        select get_shard_id_for_distribution_column('audit_log_entries', ${site.organization.id}::uuid)::text as shard
      `
      const release = await lockTable(connectToNode(box, port), `audit_log_entries_${shard}`)
      send()
      await box.until('the audit entry waits', waits(node, 'relation', 'insert into .*audit_log_entries'))
      return release
    },
  },
  {
    name: 'before the node has prepared it',
    kept: false,
    async stop(send) {
      const release = await lockTable(connect(box.url, 'signalbox lock', 1), 'pg_dist_transaction')
      send()
      await box.until('the commit waits', waits(box.sql, 'relation', '^commit'))
      return release
    },
  },
  {
    name: 'once the node has prepared it',
    kept: false,
    async stop(send) {
      await holdCommits(node)
      send()
      await box.until('the node has prepared it', waits(node, 'SyncRep', '^prepare transaction'))
      return () => releaseCommits(node)
    },
  },
  {
    name: 'once it has committed it, between the two commits',
    kept: true,
    async stop(send) {
      await holdCommits(box.sql)
      send()
      await box.until('the coordinator has committed it', waits(box.sql, 'SyncRep', '^commit'))
      const [{ prepared }] = await node<[{ prepared: number }]>`
        select count(*) as prepared from pg_prepared_xacts where database = current_database()
      `
      expect(prepared).toBe(1)
      // Takes effect when it starts again.
      await box.sql`alter system reset synchronous_standby_names`
      return async () => {}
    },
  },
  {
    name: 'once the node has committed it, too',
    kept: true,
    async stop(send) {
      await holdCommits(box.sql)
      send()
      await box.until('the coordinator has committed it', waits(box.sql, 'SyncRep', '^commit'))
      await holdCommits(node)
      await releaseCommits(box.sql)
      await box.until('the node has committed it', waits(node, 'SyncRep', '^commit prepared'))
      return () => releaseCommits(node)
    },
  },
]

/** Stops a request at a step, kills the coordinator, and resolves when it runs again and nothing is left prepared. */
async function killAt(step: Step, ask: () => Promise<Answer>): Promise<Answer> {
  let answering: Promise<Answer> | undefined
  const release = await step.stop(() => {
    answering = ask()
    answering.catch(() => {})
  })
  await coordinator.kill()
  await release()
  await coordinator.start()
  const answer = (await answering) as Answer
  await box.until('the API is ready', async () => (await fetch(`${box.base}/readyz`)).status === 200)
  // Connections of the test that were closed are noticed when they are used.
  await box.until('the test is connected', async () => {
    const found = await Promise.allSettled(Array.from({ length: 8 }, () => box.sql`select 1`))
    return found.every(({ status }) => status === 'fulfilled')
  })
  await box.until(
    'nothing is left prepared',
    async () => {
      const [{ count }] = await node<[{ count: number }]>`
        select count(*) as count from pg_prepared_xacts where database = current_database()
      `
      return count === 0
    },
    90_000,
  )
  return answer
}

describe.skipIf(folder === undefined)('When the coordinator is killed', () => {
  beforeAll(async () => {
    // The worker is started last, so that nothing else commits.
    box = await signalbox({ own: true, workers: 0, environment: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    ada = await box.user('Ada')
    site = await box.site(ada)
    hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: receiver.url,
      secret: null,
      trigger_on: 'gate_approved',
    })
    coordinator = await Server.of('coordinator')
    port = await portOf(box, site.organization.id)
    node = connectToNode(box, port)
  })
  afterAll(async () => {
    // Whatever failed before: other tests use the servers.
    await Promise.allSettled([box.sql, node].map(releaseCommits))
    await node.end({ timeout: 1 })
    await receiver.stop()
    await box.close()
  })

  describe.each(STEPS)('$name,', (step) => {
    test('change, event, audit entry and idempotency key are all there, or none is, and a repeated request completes it', async () => {
      const execution = await box.running(ada, site.project.id)
      const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
      const key = crypto.randomUUID()
      const path = `/api/v1/gates/${gate.id}/approve`
      const approve = () => ada.post(path, {}, { 'Idempotency-Key': key })
      const answer = await killAt(step, approve)
      expect([answer.status, answer.body.code]).toEqual([503, 'database_unavailable'])
      expect(answer.headers.get('Retry-After')).not.toBeNull()

      const all = { status: 'approved', events: 1, entries: 1, keys: 1 }
      const found = async () => {
        const organization_id = site.organization.id
        const [{ status }] = await box.sql<[{ status: string }]>`
          select status from gates where id = ${gate.id} and organization_id = ${organization_id}
        `
        const [{ events }] = await box.sql<[{ events: number }]>`
          select count(*) as events from outbox
          where organization_id = ${organization_id} and name = 'gate.approved' and data -> 'gate' ->> 'id' = ${gate.id}
        `
        const [{ entries }] = await box.sql<[{ entries: number }]>`
          select count(*) as entries from audit_log_entries
          where organization_id = ${organization_id} and resource_id = ${gate.id} and action = 'gate.approved'
        `
        const [{ keys }] = await box.sql<[{ keys: number }]>`select count(*) as keys from idempotency_keys where key = ${key}`
        return { status, events, entries, keys }
      }
      expect(await found()).toEqual(step.kept ? all : { status: 'pending', events: 0, entries: 0, keys: 0 })

      const again = await approve()
      expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, step.kept ? 'true' : null])
      expect(await found()).toEqual(all)
      approved += 1
    })

    test('a job is there with the change that adds it, or neither is', async () => {
      const email = `${crypto.randomUUID()}@example.com`
      const invite = () => ada.post(`/api/v1/organizations/${site.organization.id}/members`, { email, role: 'member' })
      expect((await killAt(step, invite)).status).toBe(503)
      const invitations = await box.sql`
        select id from invitations where organization_id = ${site.organization.id} and email = ${email}
      `
      const jobs = await box.sql`
        select payload ->> 'invitation_id' as id
        from graphile_worker._private_jobs
        where payload ->> 'invitation_id' = any(${invitations.map(({ id }) => id)}::text[])
      `
      expect([invitations.length, jobs.length]).toEqual(step.kept ? [1, 1] : [0, 0])
    })
  })

  test('events that were kept are dispatched once', async () => {
    await box.startWorker()
    await receiver.waitFor(approved)
    await box.settled()
    expect(receiver.requests).toHaveLength(approved)
  })

  test('a job that was lost with it is found by the sweep', async () => {
    const paused = (value: boolean) => ada.put(`/api/v1/deployment-hooks/${hook.id}`, { paused: value })
    expect((await paused(true)).status).toBe(200)
    await box.approval(ada, (await box.running(ada, site.project.id)).id)
    await box.until('the dispatch waits', async () => {
      const [{ waiting }] = await box.sql<
        [{ waiting: number }]
      >`select count(*) as waiting from deliveries where lane_id = ${hook.id}`
      return waiting === 1
    })
    const [worker] = box.workers
    if (worker) await box.end(worker, 'SIGTERM')
    const before = receiver.requests.length

    // The node commits that the hook is resumed; the coordinator, which has the job, does not.
    const step: Step = {
      name: 'once the node has committed it',
      kept: true,
      async stop(send) {
        await holdCommits(node)
        send()
        await box.until('the node has committed it', waits(node, 'SyncRep', '^commit'))
        return () => releaseCommits(node)
      },
    }
    expect((await killAt(step, () => paused(false))).status).toBe(503)
    expect((await ada.get(`/api/v1/deployment-hooks/${hook.id}`)).body.paused).toBeFalse()
    const jobs = await box.sql`select from graphile_worker.jobs where key = ${`dispatch_hook:${hook.id}`}`
    expect(jobs).toHaveLength(0)

    await box.startWorker()
    await box.until('it is found', async () => receiver.requests.length > before, 90_000)
  })
})
