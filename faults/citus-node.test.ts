/** A node of a Citus cluster that is killed and comes back. `bun run test:citus` runs it on the cluster that it has started. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MigrationError, migrate } from '../sql/migrate.ts'
import { readMetrics, sumOf } from '../test/operations/text-format.ts'
import type { Actor } from '../test/support/actor.ts'
import { letGatesChange } from '../test/support/fixed-gates.ts'
import { PageClient } from '../test/support/page-client.ts'
import { Receiver } from '../test/support/receiver.ts'
import { type Box, PASSWORD, signalbox } from '../test/support/signalbox.ts'
import { folder, portOf, Server } from './citus-support.ts'

let box: Box
let ada: Actor
let visitor: PageClient
/** In no organization but one on the node. */
let lonely: PageClient
const receiver = new Receiver()
/** A project on each node, with a claimed dispatch, by the port of the node. */
const projects = new Map<number, Awaited<ReturnType<typeof claimOne>> & { organization: string; project: string }>()
let [live, lost] = [0, 0]

/** The token of a mailed link. */
const linkOf = (gate_id: string): string => `${gate_id}.${'x'.repeat(43)}`

const nodesCheck = async () => {
  const [check] = await box.sql<{ status: string; detail: string }[]>`
    select status, detail from ops.health_detail where "check" = 'nodes'
  `
  return check
}

const metrics = async () => readMetrics(await (await fetch(`${box.base}/metrics`)).text())

/** Triggers a pull hook, and claims its dispatch. @returns another claim of it */
async function claimOne(project: string) {
  const pull = { name: 'Pull', mode: 'pull', trigger_on: 'workflow_done' }
  const { id: hook } = await ada.make(`/api/v1/projects/${project}/deployment-hooks`, pull)
  const { token } = await ada.make(`/api/v1/deployment-hooks/${hook}/pull-token`)
  await ada.make(`/api/v1/deployment-hooks/${hook}/trigger`)
  const claim = (wait: number) =>
    box.request('POST', `/api/v1/deployment-hooks/${hook}/claim`, { wait }, { Authorization: `Bearer ${token}` })
  const { body } = await claim(20)
  return { claimed: body[0].dispatch.id as string, claim: () => claim(0) }
}

/** Visits a page and what it links to. @returns the statuses by path */
async function visitAll(first: string): Promise<Map<string, number>> {
  const statuses = new Map<string, number>()
  const paths = new Set([first])
  for (const path of paths) {
    const { status, document } = await visitor.open(path)
    statuses.set(path, status)
    for (const link of document.querySelectorAll('a[href^="/app"]'))
      paths.add(new URL(link.getAttribute('href') ?? '', box.base).pathname)
  }
  return statuses
}

describe.skipIf(folder === undefined)('A node that is killed', () => {
  let node: Server

  beforeAll(async () => {
    box = await signalbox({ own: true })
    ada = await box.user('Ada')
    visitor = await PageClient.signedIn(box, ada)
    for (let made = 0; projects.size < 2 && made < 30; made++) {
      const { id: organization } = await ada.make('/api/v1/organizations', { name: `Tenant ${made}` })
      const workspace = await ada.make(`/api/v1/organizations/${organization}/workspaces`, { name: 'Main' })
      const { id: project } = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Main' })
      const port = await portOf(box, organization)
      if (projects.has(port)) continue
      projects.set(port, { organization, project, ...(await claimOne(project)) })
      await ada.make(`/api/v1/projects/${project}/deployment-hooks`, {
        name: 'Deploy',
        url: receiver.url,
        secret: null,
        trigger_on: 'gate_approved',
      })
    }
    node = await Server.of('worker2')
    lost = node.port
    const bob = await box.user('Bob')
    await ada.make(`${organizationOn(lost)}/members`, { user_id: bob.id })
    lonely = await PageClient.signedIn(box, bob)
    live = [...projects.keys()].find((port) => port !== lost) ?? 0
    await node.kill()
    await box.until('the node is away', async () => (await nodesCheck())?.status === 'critical')
  })
  afterAll(async () => {
    await node?.start().catch(() => {})
    await receiver.stop()
    await box.close()
  })

  function placeOn(port: number) {
    const place = projects.get(port)
    if (!place) throw new Error(`There is no project on the node at port ${port}`)
    return place
  }
  const organizationOn = (port: number) => `/api/v1/organizations/${placeOn(port).organization}`
  const requirementsOn = (port: number) => `/api/v1/projects/${placeOn(port).project}/requirements`

  test('is named by ops.health', async () => {
    expect((await nodesCheck())?.detail).toContain(String(lost))
  })

  test('makes requests about its organizations 503 with Retry-After', async () => {
    for (const answer of [await ada.get(organizationOn(lost)), await ada.post(requirementsOn(lost), { title: 'Lost' })]) {
      expect([answer.status, answer.body.code]).toEqual([503, 'database_unavailable'])
      expect(answer.headers.get('Retry-After')).not.toBeNull()
    }
  })

  test('makes signing up and a change of a name 503, which every node would have to know', async () => {
    const person = { email: 'late@example.com', name: 'Late', password: PASSWORD }
    const answers = [
      await box.request('POST', '/api/v1/auth/register', person),
      await ada.put('/api/v1/users/me', { name: 'Eda' }),
    ]
    for (const { status, body } of answers) expect([status, body.code]).toEqual([503, 'database_unavailable'])
    expect((await ada.get('/api/v1/users/me')).status).toBe(200)
  })

  test('does not concern the organizations of other nodes: reads, writes, and dispatches', async () => {
    expect((await ada.get(organizationOn(live))).status).toBe(200)
    const requirement = await ada.make(requirementsOn(live), { title: 'Goes on' })
    const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'bot' })
    await ada.make(`/api/v1/executions/${execution.id}/start`, {})
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Review' })
    expect((await ada.post(`/api/v1/gates/${gate.id}/approve`, {})).status).toBe(200)
    await receiver.waitFor(1)
  })

  test('does not concern the claims of other nodes, whose tokens name no organization', async () => {
    expect((await placeOn(live).claim()).status).toBe(200)
    expect((await placeOn(lost).claim()).status).toBe(503)
    // The hook is new to the API.
    const { claim } = await claimOne(placeOn(live).project)
    expect((await claim()).status).toBe(200)
  })

  test('does not concern the pages of other nodes, nor mailed links to their gates', async () => {
    const { project, organization } = placeOn(live)
    const statuses = await visitAll(`/app/projects/${project}`)
    expect(statuses.size).toBeGreaterThan(20)
    const failed = [...statuses].filter(([, status]) => status >= 500).map(([path]) => path)
    // It lists organizations.
    expect(failed).toEqual(['/app/account/tokens'])
    expect((await visitor.open('/app')).text).toContain('Some of your organizations cannot be reached at the moment.')
    const gate = await ada.make(`/api/v1/executions/${(await box.running(ada, project)).id}/gates`, { name: 'Mailed' })
    await box.sql`
      insert into decision_links (organization_id, gate_id, user_id, email, hash, expires_at)
      values (
        ${organization}, ${gate.id}, ${ada.id}, ${ada.email}, sha256(${linkOf(gate.id)}::text::bytea), now() + interval '1 hour'
      )
    `
    const decide = async (id: string) => (await fetch(`${box.base}/decide?token=${linkOf(id)}`)).status
    expect(await decide(gate.id)).toBe(200)
    // It may be a link to a gate on the node that is away.
    expect(await decide(crypto.randomUUID())).toBe(503)
  })

  test('does not hide from people that they are in an organization: the app does not ask them to create one', async () => {
    const page = await lonely.open('/app')
    expect(page.text).toContain('Some of your organizations cannot be reached at the moment.')
    expect(page.text).not.toContain('Create the organization')
  })

  test('leaves the metrics of the others: they count the node, and the database is up', async () => {
    const families = await metrics()
    expect(sumOf(families, 'signalbox_database_up')).toBe(1)
    expect(sumOf(families, 'signalbox_cluster_nodes', { state: 'online' })).toBe(1)
    expect(sumOf(families, 'signalbox_cluster_nodes', { state: 'away' })).toBe(1)
    expect(sumOf(families, 'signalbox_hooks', { status: 'enabled' })).toBeGreaterThan(0)
    expect(sumOf(families, 'signalbox_workers', { status: 'online' })).toBe(1)
    for (const name of ['signalbox_outbox_events', 'signalbox_dispatches_waiting', 'signalbox_queue_jobs'])
      expect([name, families.get(name)?.series.length]).not.toEqual([name, 0])
  })

  test('does not delay what is due in the organizations of other nodes', async () => {
    const { project, organization, claimed } = placeOn(live)
    const execution = await box.running(ada, project)
    const gate = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Late', expires_in_seconds: 60 })
    const reminded = await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Soon', expires_in_seconds: 7200 })
    await box.sql`update gates set remind_at = now() where id = ${reminded.id} and organization_id = ${organization}`
    await box.until('the reminder is sent', async () => {
      const [row] = await box.sql`select remind_at from gates where id = ${reminded.id} and organization_id = ${organization}`
      return row?.remind_at === null
    })
    const delivery = box.sql`id = ${claimed} and organization_id = ${organization}`
    await box.sql`update deliveries set leased_at = null, lease_until = null where ${delivery}`
    await box.sql`
      update deliveries
      set leased_at = '2020-01-01T00:00:00Z', lease_until = '2020-01-01T00:01:00Z', due_at = '2020-01-01T00:01:00Z'
      where ${delivery}
    `
    await box.until('the lease is ended', async () => {
      const [row] = await box.sql`select lease_until from deliveries where ${delivery}`
      return row?.lease_until === null
    })
    await box.sql.begin(async (tx) => {
      await letGatesChange(tx)
      await tx`update gates set expires_at = '2020-01-01T00:00:00Z' where id = ${gate.id} and organization_id = ${organization}`
    })
    await box.until('it expires', async () => (await ada.get(`/api/v1/gates/${gate.id}`)).body.status === 'expired')
    const verification = `/api/v1/organizations/${organization}/audit-logs/verify`
    await box.until('its entries are sealed', async () => (await ada.get(verification)).body.unsealed === 0)
  })

  test('does not prevent another worker from taking over the lanes of other nodes', async () => {
    const { project } = placeOn(live)
    const first = Promise.withResolvers<Response>()
    receiver.requests.length = 0
    receiver.answer = (_, number) => (number === 1 ? first.promise : new Response('ok'))
    await box.approval(ada, (await box.running(ada, project)).id)
    await receiver.waitFor(1)
    const [worker] = box.workers
    if (worker) await box.end(worker, 'SIGKILL')
    first.resolve(new Response('too late'))
    await box.startWorker()
    await receiver.waitFor(2)
  })

  test('makes a migration refuse to start: it names the node, and changes nothing', async () => {
    const migrations = await mkdtemp(join(tmpdir(), 'signalbox-migrations-'))
    await cp(join(import.meta.dir, '../sql/migrations'), migrations, { recursive: true })
    await Bun.write(join(migrations, '9999_more.sql'), 'alter table projects add column more text;')
    const state = async () => [
      await box.sql`select name from schema_migrations order by name`,
      await box.sql`select schemaname, viewname from pg_views where schemaname in ('ops', 'queue') order by 1, 2`,
      await box.sql`select column_name from information_schema.columns where table_name = 'projects' order by 1`,
    ]
    const before = await state()
    const error = await migrate(box.url, () => {}, migrations).catch((reason) => reason)
    await rm(migrations, { recursive: true })
    expect(error).toBeInstanceOf(MigrationError)
    expect(error.message).toBe(
      `The coordinator cannot reach 127.0.0.1:${lost}: start this node of the Citus cluster, then run this again.`,
    )
    expect(await state()).toEqual(before)
  })

  test('serves its organizations again once it is back', async () => {
    await node.start()
    await box.until('the node is back', async () => (await ada.get(organizationOn(lost))).status === 200)
    expect((await ada.post(requirementsOn(lost), { title: 'Back' })).status).toBe(201)
    expect((await nodesCheck())?.status).toBe('ok')
  })

  test('does not delay what was sent for other organizations, and sends nothing again', async () => {
    const answered = Promise.withResolvers<void>()
    receiver.requests.length = 0
    receiver.answer = async () => {
      await answered.promise
      return new Response('ok')
    }
    // Several on each node, so that some are recorded at the same time.
    for (const { project } of projects.values())
      for (let number = 1; number <= 4; number++)
        await ada.make(`/api/v1/projects/${project}/deployment-hooks`, {
          name: `Deploy ${number}`,
          url: receiver.url,
          secret: null,
          trigger_on: 'gate_approved',
        })
    const approved = [...projects.values()].map(({ project }) => project)
    for (const project of approved) await box.approval(ada, (await box.running(ada, project)).id)
    await receiver.waitFor(10)
    await node.kill()
    answered.resolve()

    const pending = async (port: number) => {
      const { body } = await ada.get(`/api/v1/projects/${placeOn(port).project}/deployment-hooks`)
      const hooks = (body as { id: string; mode: string }[]).filter(({ mode }) => mode === 'push')
      const last = await Promise.all(hooks.map(({ id }) => ada.get(`/api/v1/deployment-hooks/${id}/dispatches`)))
      return last.flatMap(({ body }) => body.items).filter(({ status }) => status === 'pending').length
    }
    await box.until('those of the other node are recorded', async () => (await pending(live)) === 0, 10_000)
    await node.start()
    await box.until('the node is back', async () => (await ada.get(organizationOn(lost))).status === 200)
    await box.until('its own are recorded', async () => (await pending(lost)) === 0)
    expect(receiver.requests).toHaveLength(10)
  })
})
