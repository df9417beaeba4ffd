/**
 * Makes the data from which the next release is upgraded, with this code: what every route and page leaves behind, and work of every
 * kind that waits; and records its API. `bun run freeze` runs it.
 */
import { expect, test } from 'bun:test'
import { walkRoutes } from '../../test/sql/every-route.ts'
import { Provider } from '../../test/sso/provider.ts'
import { TextServer } from '../../test/sso/text-server.ts'
import { Receiver } from '../../test/support/receiver.ts'
import { type Actor, type Box, PASSWORD, signalbox } from '../../test/support/signalbox.ts'
import { buttonsOf } from '../../test/support/slack.ts'
import { dump, tablesOf } from './dump.ts'
import { Outside } from './outside.ts'

const V1 = '/api/v1'
/** Longer than the rest of the work takes, and shorter than an upgrade: what failed once waits, and is then due. */
const RETRY = { HOOK_RETRY_SECONDS: '60,60', CHANNEL_RETRY_SECONDS: '60,60' }
/** How many rows of these tables are kept. */
const KEPT: Record<string, number> = { idempotency_keys: 5, security_log_entries: 10 }

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

async function startAnew(box: Box, environment: Record<string, string>): Promise<void> {
  for (const process of [box.api, ...box.workers.splice(0)]) await box.end(process, 'SIGTERM')
  Object.assign(box.environment, environment)
  await box.startApi()
  await box.startWorker()
}

/** A project whose hooks and channels have work that waits, in an organization that is paused. */
async function leaveWork(box: Box, ada: Actor, outside: Outside, organization_id: string): Promise<void> {
  const workspace = await ada.make(`${V1}/organizations/${organization_id}/workspaces`, { name: 'Release train' })
  const project = await ada.make(`${V1}/workspaces/${workspace.id}/projects`, { name: 'Basket' })
  const hooks = `${V1}/projects/${project.id}/deployment-hooks`
  const pushed = await ada.make(hooks, {
    name: 'Deploy to production',
    url: `${outside.hooks.url}/waiting`,
    trigger_on: 'gate_approved',
    headers: { 'X-Key': 'k' },
    body_template: { gate: '{{/data/gate/name}}', token: '{{secret:token}}' },
    template_secrets: { token: 'a-secret-of-the-template' },
    report_within_seconds: 604_800,
  })
  await ada.make(hooks, { name: 'Deploy to the factory', mode: 'pull', trigger_on: 'gate_approved' })
  const channels = `${V1}/workspaces/${workspace.id}/notification-channels`
  const subscribe = async (channel_type: string, config: object, event_pattern: string) => {
    const channel = await ada.make(channels, { name: channel_type, channel_type, config })
    await ada.make(`${V1}/notification-channels/${channel.id}/subscriptions`, { event_pattern })
  }
  const types = Object.entries(outside.configs)
  for (const [type, config] of types) await subscribe(type, config, 'gate.approved')
  await subscribe('slack', outside.bot.config, 'gate.pending')

  // Delivered once: a thread of the bot, whose gate stays open. Failed once: everything about an approval.
  const execution = await box.running(ada, project.id)
  await ada.make(`${V1}/executions/${execution.id}/gates`, { name: 'Legal' })
  await box.until('the bot shows the gate', async () => outside.bot.messages.some((message) => buttonsOf(message).length > 0))
  outside.isUp = false
  await box.approval(ada, execution.id)
  await box.until('every attempt has failed once', async () => {
    const [{ failed }] = await box.sql<[{ failed: number }]>`select count(*) as failed from deliveries where attempt_count = 1`
    return failed === 1 + types.length
  })

  // What waits from here on was never seen by a worker.
  await box.sql`select from ops.pause(${`org:${organization_id}`}, 'The data of a release')`
  for (const worker of box.workers.splice(0)) await box.end(worker, 'SIGTERM')
  await box.approval(ada, execution.id)
  await ada.make(`${V1}/deployment-hooks/${pushed.id}/trigger`)
  await ada.make(`${V1}/projects/${project.id}/deliverables/generate`, { deliverable_type: 'project_summary' })
  await ada.make(`${V1}/organizations/${organization_id}/members`, { email: 'somebody@example.com', role: 'member' })
  await ada.post(`${V1}/auth/password-reset`, { email: ada.email })
  await compare(ada, project.id, execution.requirement_id)
}

/** What the walk does not leave behind. */
async function leaveAccounts(ada: Actor, grace: Actor): Promise<void> {
  await ada.put(`${V1}/users/me/avatar`, PIXEL, { 'Content-Type': 'image/png' })
  await grace.put(`${V1}/users/me`, { email: 'hopper@example.com', current_password: PASSWORD })
  await grace.post(`${V1}/auth/login`, { email: ada.email, password: 'wrong' })
}

/** A comparison that waits. */
async function compare(ada: Actor, project_id: string, work_item_id: string): Promise<void> {
  const track = async (agent: string): Promise<string> => {
    const execution = await ada.make(`${V1}/requirements/${work_item_id}/executions`, { agent })
    await ada.make(`${V1}/executions/${execution.id}/start`)
    await ada.make(`${V1}/executions/${execution.id}/complete`, { summary: `Done by ${agent}` })
    return execution.graph_id
  }
  const comparison = await ada.make(`${V1}/projects/${project_id}/dual-track`, {
    work_item_id,
    track_a_graph_id: await track('claude'),
    track_b_graph_id: await track('codex'),
    track_a_agent: 'claude',
    track_b_agent: 'codex',
  })
  await ada.make(`${V1}/dual-track/${comparison.id}/compare`)
}

/** Deletes most of what is alike and may be deleted at any time, as the nightly upkeep does. */
async function shorten(box: Box): Promise<void> {
  await box.sql`delete from outbox where id not in (select id from waiting_events)`
  await box.sql`
    delete from channel_messages
    where status <> 'pending'
      and id <> all(array(select id from channel_messages order by id desc limit 20))
  `
  await box.sql`
    delete from channel_events as event
    where not exists (select from channel_messages where event_id = event.id)
  `
  for (const [table, count] of Object.entries(KEPT)) {
    await box.sql`
      delete from ${box.sql(table)}
      where ctid <> all(array(select ctid from ${box.sql(table)} order by created_at desc limit ${count}))
    `
  }
}

test('makes the data', async () => {
  const outside = await Outside.open()
  const provider = await Provider.open()
  const names = await TextServer.open()
  // The walk signs in from an address of its own each time: of one address, there are ten a minute.
  const environment = { ...outside.environment, ...provider.environment, DNS_SERVERS: names.address, TRUST_PROXY: '1' }
  const box = await signalbox({ own: true, environment })
  const receiver = new Receiver()
  const { walk, ada, grace } = await walkRoutes({ box, mail: outside.mailbox, receiver, slack: outside.bot, provider, names })
  await Promise.all([receiver.stop(), provider.stop(), names.stop()])
  await leaveAccounts(ada, grace)
  await startAnew(box, RETRY)
  await leaveWork(box, ada, outside, walk.ids.org_id ?? '')
  await box.end(box.api, 'SIGTERM')
  await shorten(box)
  const empty: string[] = []
  for (const { name } of await tablesOf(box.sql)) {
    if ((await box.sql.unsafe(`select from ${name} limit 1`)).count === 0) empty.push(name)
  }
  expect(empty).toEqual([])
  await Bun.write(process.env.DUMP ?? '', await dump(box.sql))
  await box.shutDown()
  await outside.close()
}, 600_000)
