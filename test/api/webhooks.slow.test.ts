import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DIRECT_EVENTS, EVENTS, hooksThatReceive } from '../../core/events/catalogue.ts'
import type { Envelope } from '../../core/notification-channels/messages.ts'
import { Workbench } from '../deployment-hooks/workbench.ts'
import { comparison } from '../dual-track/tracks.ts'
import { EVENT_PAGES, PAGE_PATH } from '../support/event-pages.ts'
import { moveExpiry } from '../support/fixed-gates.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Answer } from '../support/signalbox.ts'

const NAMES = Object.keys({ ...EVENTS, ...DIRECT_EVENTS })

let bench: Workbench
/** Gets the messages of a channel that is subscribed to everything. */
let channelReceiver: Receiver
/** Gets the dispatches of the hooks. */
let hookReceiver: Receiver
let channel: Answer['body']

beforeAll(async () => {
  bench = await Workbench.open()
  channelReceiver = bench.receiver()
  hookReceiver = bench.receiver()
  channel = await channelTo(channelReceiver.url)
})
afterAll(() => bench.close())

async function channelTo(url: string): Promise<Answer['body']> {
  const created = await bench.admin.make(`/api/v1/workspaces/${bench.site.workspace.id}/notification-channels`, {
    name: 'Everything',
    channel_type: 'webhook',
    config: { url },
  })
  await bench.admin.make(`/api/v1/notification-channels/${created.id}/subscriptions`, { event_pattern: '*' })
  return created
}

const make = (path: string, body?: object) => bench.admin.make(`/api/v1/${path}`, body)

/** The schema violations of a request body, by the documented schema of its event. */
const violationsOf = ({ headers, body }: Receiver['requests'][number]): [event: string, faults: string | null] => {
  const event = headers['x-signalbox-event'] ?? ''
  const schema = bench.box.contract.document.webhooks[event]?.post.requestBody?.content['application/json']?.schema
  return [event, schema ? bench.box.contract.faults(schema, JSON.parse(body)) : 'is not documented']
}

async function runExecutions(project: string): Promise<void> {
  const execution = await bench.box.running(bench.admin, project, { graph_id: crypto.randomUUID(), max_cost_usd: 1 })
  const gate = await make(`executions/${execution.id}/gates`, { name: 'Review' })
  await make(`gates/${gate.id}/approve`, { comment: 'Ship it.' })
  const metrics = { tests_passed: 3 }
  await make(`executions/${execution.id}/complete`, { summary: 'Done.', cost_usd: 2, metrics, artifacts: [{ name: 'log' }] })
  const rejected = await make(`executions/${(await bench.box.running(bench.admin, project)).id}/gates`, { name: 'Review' })
  await make(`gates/${rejected.id}/reject`)
  await make(`executions/${(await bench.box.running(bench.admin, project)).id}/cancel`)
  const rules = { required_approvals: 2, expires_in_seconds: 600 }
  const expiring = await make(`executions/${(await bench.box.running(bench.admin, project)).id}/gates`, {
    name: 'Legal',
    ...rules,
  })
  await make(`gates/${expiring.id}/approve`)
  await bench.box.sql`update gates set remind_at = now() where id = ${expiring.id}`
  await channelReceiver.event('gate.expiring')
  await moveExpiry(bench.box.sql, expiring.id)
}

async function runGateOutcomes(project: string): Promise<void> {
  const execution = await bench.box.running(bench.admin, project)
  const opened = () => make(`executions/${execution.id}/gates`, { name: 'Review' })
  await make(`gates/${(await opened()).id}/request-changes`, { comment: 'Split it.' })
  const overridden = await opened()
  await make(`gates/${overridden.id}/override`, { reason: 'The checkout is down.' })
  await bench.box.sql`update gates set review_due_at = now() where id = ${overridden.id}`
  await channelReceiver.event('gate.review_due')
  await make(`gates/${overridden.id}/revoke`, { reason: 'It was wrong.' })
}

async function runRollouts(project: string): Promise<void> {
  const hook = await make(`projects/${project}/deployment-hooks`, {
    name: 'Reporting',
    url: hookReceiver.url,
    trigger_on: 'workflow_done',
    report_within_seconds: 600,
  })
  for (const states of [['in_progress', 'succeeded'], ['failed'], []]) {
    const { id } = await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, undefined, { Prefer: 'wait=20' })
    for (const state of states) await bench.admin.post(`/api/v1/dispatches/${id}/report`, { state, version: 'v1' })
    if (states.length === 0) await bench.box.sql`update rollouts set deadline_at = now() where id = ${id}`
  }
}

/** A receiver reports another commit than the one that was approved. */
async function runMismatch(project: string): Promise<void> {
  const hook = await make(`projects/${project}/deployment-hooks`, {
    name: 'Digests',
    url: hookReceiver.url,
    trigger_on: 'gate_approved',
    environment: 'production',
    report_within_seconds: 600,
  })
  const subject = { uri: 'git+https://git.example.com/acme/checkout', digest: { gitCommit: '7'.repeat(40) } }
  const gate = await make(`projects/${project}/gates`, { name: 'Release', environment: 'production', subject })
  await make(`gates/${gate.id}/approve`, { binding: gate.binding })
  const { id } = await bench.settled(hook)
  await make(`dispatches/${id}/report`, { state: 'in_progress', digest: { gitCommit: 'e'.repeat(40) } })
}

/** What ran in one environment may come to the next, until it fails there. */
async function runPromotion(project: string): Promise<void> {
  const reporting = { url: hookReceiver.url, trigger_on: 'gate_approved', report_within_seconds: 600 }
  const hookIn = (environment: string) =>
    make(`projects/${project}/deployment-hooks`, { ...reporting, name: environment, environment })
  const [stage, live] = [await hookIn('stage'), await hookIn('live')]
  const require = (soak_seconds: number) =>
    bench.admin.put(`/api/v1/projects/${project}/environments/live/policy`, { promotes_from: 'stage', soak_seconds })
  const digest = { gitCommit: 'a'.repeat(40) }
  const rolledOut = async (state: string) => {
    const { id } = await bench.admin.make(`/api/v1/deployment-hooks/${stage.id}/trigger`, undefined, { Prefer: 'wait=20' })
    await bench.admin.post(`/api/v1/dispatches/${id}/report`, { state, digest })
  }
  await require(0)
  await rolledOut('succeeded')
  await channelReceiver.event('environment.ready')
  await require(3600)
  const subject = { uri: 'git+https://git.example.com/acme/checkout', digest }
  const gate = await make(`projects/${project}/gates`, { name: 'Release', environment: 'live', subject })
  await make(`gates/${gate.id}/approve`, { binding: gate.binding })
  await bench.dispatches(live, (all) => all.length === 1)
  await rolledOut('failed')
}

async function changeMembers(): Promise<void> {
  const grace = await bench.box.user('Grace')
  const members = `organizations/${bench.site.organization.id}/members`
  await make(members, { email: grace.email, role: 'member' })
  await bench.admin.put(`/api/v1/${members}/${grace.id}`, { role: 'admin' })
  await bench.admin.delete(`/api/v1/${members}/${grace.id}`)
}

async function makeDocuments(project: string): Promise<void> {
  const { id } = await make(`projects/${project}/deliverables/generate`, { deliverable_type: 'changelog' })
  const shown = async () => (await bench.admin.get(`/api/v1/deliverables/${id}`)).body
  await bench.box.until('the document is made', async () => (await shown()).status === 'draft')
  await make(`deliverables/${id}/publish`)
  await make(`deliverables/${id}/archive`)
}

async function compareTracks(project: string): Promise<void> {
  const { id } = await comparison(bench.admin, project)
  await bench.admin.make(`/api/v1/dual-track/${id}/compare`, undefined, { Prefer: 'wait=20' })
  await make(`dual-track/${id}/decide`, { winner: 'a' })
  await make(`dual-track/${(await comparison(bench.admin, project)).id}/cancel`)
}

/** The events that do not arrive in time. */
const missing = async (receiver: Receiver, names: string[]): Promise<string[]> =>
  (
    await Promise.all(
      names.map((name) =>
        receiver.event(name).then(
          () => [],
          () => [name],
        ),
      ),
    )
  ).flat()

describe('The webhooks of the OpenAPI document', () => {
  test('are the events of the catalogue, each with an example that matches its schema', () => {
    const { webhooks } = bench.box.contract.document
    expect(Object.keys(webhooks)).toEqual(NAMES)
    for (const [name, { post }] of Object.entries(webhooks)) {
      const { schema = {}, example } = post.requestBody?.content['application/json'] ?? {}
      expect([name, bench.box.contract.faults(schema, example)]).toEqual([name, null])
      expect(example).toMatchObject({ event: name })
      const { pathname } = new URL(String((example as Envelope).url))
      expect(pathname).toMatch(PAGE_PATH)
      expect(pathname).toBe(EVENT_PAGES[name]?.((example as Envelope).data, example as Envelope) ?? '')
    }
  })

  test('describe the requests that hooks and channels get, for every event that users can cause', async () => {
    const { organization } = bench.site
    await bench.admin.put(`/api/v1/organizations/${organization.id}`, { budget_monthly_limit_usd: 1 })
    const { project, hook } = await bench.hookTo(`${hookReceiver.url}/`, { trigger_on: 'gate_approved' })
    await make(`projects/${project.id}/deployment-hooks`, { name: 'Done', url: hookReceiver.url, trigger_on: 'workflow_done' })
    await make(`deployment-hooks/${hook.id}/test`)
    await make(`workspaces/${bench.site.workspace.id}/notification-channels/${channel.id}/test`)
    await make(`deployment-hooks/${hook.id}/trigger`)
    await runRollouts(project.id)
    const costly = await bench.box.running(bench.admin, project.id)
    await make(`executions/${costly.id}/fail`, { error: 'Two tests fail.', cost_usd: 2 })
    await bench.admin.put(`/api/v1/organizations/${organization.id}`, { budget_monthly_limit_usd: 1000 })
    await runExecutions(project.id)
    await runGateOutcomes(project.id)
    await runPromotion(project.id)
    await runMismatch(project.id)
    await make(`projects/${project.id}/deployment-rollback`, { target_version: 'v1.4.2' })
    await changeMembers()
    await makeDocuments(project.id)
    await compareTracks(project.id)
    await make(`organizations/${organization.id}/runtimes`, { name: 'Farm', hostname: 'farm' })

    const gone = bench.receiver()
    gone.answer = () => new Response(null, { status: 410 })
    await channelTo(gone.url)
    const failing = await bench.hookTo(gone.url)
    await make(`deployment-hooks/${failing.hook.id}/trigger`)
    await channelReceiver.event('hook.disabled')
    await bench.change(failing.hook, { enabled: true })

    const expected = Object.keys(EVENTS).filter((name) => !['deliverable.failed', 'dual_track.failed'].includes(name))
    await bench.box.sql`update runtimes set last_heartbeat = now() - interval '1 hour'`
    await bench.box.sql`select graphile_worker.add_job('mark_runtimes_offline')`
    expect(await missing(channelReceiver, [...expected, 'test.ping'])).toEqual([])
    const forHooks = NAMES.filter((name) => hooksThatReceive(name) !== null)
    expect(await missing(hookReceiver, forHooks)).toEqual([])

    for (const request of [...channelReceiver.requests, ...hookReceiver.requests]) {
      const [event, faults] = violationsOf(request)
      expect([event, faults]).toEqual([event, null])
      const envelope = JSON.parse(request.body)
      expect([event, new URL(envelope.url).pathname]).toEqual([event, EVENT_PAGES[event]?.(envelope.data, envelope) ?? ''])
    }
    expect(new Set(hookReceiver.requests.map(({ headers }) => headers['x-signalbox-event'] ?? ''))).toEqual(new Set(forHooks))
  })
})
