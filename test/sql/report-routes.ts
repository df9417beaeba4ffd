/** The routes with which receivers and users report about dispatches. */
import type { Actor } from '../support/signalbox.ts'
import { walkPulls } from './pull-routes.ts'
import type { Context, Walk } from './walk.ts'

const HOOK = '/api/v1/deployment-hooks/{hook_id}'

/** Reports about a dispatch, by the token and by a user; a rollout that nobody reports about; and claims. */
export async function walkReports(walk: Walk, { box, receiver }: Pick<Context, 'box' | 'receiver'>, ada: Actor): Promise<void> {
  await walk.call(ada, `POST ${HOOK}/preview`)
  await walk.call(ada, `POST ${HOOK}/preview`, { event: 'test.ping' })
  const trigger = async () => (await walk.call(ada, `POST ${HOOK}/trigger`, undefined, { Prefer: 'wait=10' })).body
  await walk.call(ada, `PUT ${HOOK}`, { report_within_seconds: 600 })
  const reported = await trigger()
  walk.ids.dispatch_id = reported.id
  const [request] = receiver.requests.filter(({ headers }) => headers['x-signalbox-delivery'] === reported.id)
  const holder = ada.as(request?.headers['x-signalbox-report-token'] ?? '')
  const report = 'POST /api/v1/dispatches/{dispatch_id}/report'
  await walk.call(holder, report, { state: 'in_progress', version: 'v1.5.0' })
  await walk.call(ada, report, { state: 'succeeded' })
  walk.ids.environment = reported.environment
  const policy = '/api/v1/projects/{project_id}/environments/{environment}/policy'
  const approvers = [{ group_id: walk.ids.group_id, count: 1 }]
  const freezes = [{ name: 'Holidays', from: '2026-12-20T00:00:00Z', until: '2027-01-02T00:00:00Z' }]
  await walk.call(ada, `PUT ${policy}`, { require_subject: true })
  await walk.call(ada, `DELETE ${policy}`)
  await walkEnforcement(walk, ada, policy)
  await walkPromotion(walk, ada, policy)
  await walk.call(ada, `PUT ${policy}`, { required_approvals: 2, decide_via: ['app'], approvers, freezes })
  const silent = await trigger()
  await box.sql`update rollouts set deadline_at = now() where id = ${silent.id}`
  await box.until('the rollout is unknown', async () => {
    const [rollout] = await box.sql`select from rollouts where id = ${silent.id} and state = 'unknown'`
    return rollout !== undefined
  })
  await walkPulls(walk, { box }, ada)
}

/** An environment that promotes from the one where something runs: a soak, a rollback, and what an approval waits for. */
async function walkPromotion(walk: Walk, ada: Actor, policy: string): Promise<void> {
  const { environment } = walk.ids
  const digest = { gitCommit: '7'.repeat(40) }
  const subject = { uri: 'git+https://git.example.com/acme/checkout', digest }
  await walk.call(ada, `POST ${HOOK}/trigger`, undefined, { Prefer: 'wait=10' })
  const { body: run } = await walk.call(ada, `POST ${HOOK}/trigger`, undefined, { Prefer: 'wait=10' })
  await ada.post(`/api/v1/dispatches/${run.id}/report`, { state: 'succeeded', digest })
  walk.ids.environment = 'after'
  await walk.call(ada, `PUT ${policy}`, { promotes_from: environment, soak_seconds: 3600, open_gate: true })
  const gates = 'POST /api/v1/projects/{project_id}/gates'
  const { body: gate } = await walk.call(ada, gates, { name: 'Promotion', environment: 'after', subject })
  await ada.get(`/api/v1/gates/${gate.id}/effects`)
  await ada.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
  await ada.get(`/api/v1/gates/${gate.id}/clearance`)
  await walk.call(ada, 'GET /api/v1/projects/{project_id}/environments')
  await walk.call(ada, 'GET /api/v1/projects/{project_id}/track')
  await walk.call(ada, `PUT ${policy}`, { soak_seconds: 600 })
  await walk.call(ada, 'POST /api/v1/projects/{project_id}/deployment-rollback', { target_version: 'v0', environment })
  await walk.call(ada, `DELETE ${policy}`)
  walk.ids.environment = environment ?? ''
}

/** A hook whose environment requires a gate and is frozen: an override is sent. */
async function walkEnforcement(walk: Walk, ada: Actor, policy: string): Promise<void> {
  const freezes = [{ name: 'Always', from: '2020-01-01T00:00:00Z', until: '2120-01-01T00:00:00Z' }]
  await walk.call(ada, `PUT ${policy}`, { gate_required: true, freezes })
  await walk.call(ada, `POST ${HOOK}/trigger`, { override: { reason: 'To see it.' } }, { Prefer: 'wait=10' })
  await walk.call(ada, `PUT ${policy}`, { freezes: [] })
  await walk.call(ada, `DELETE ${policy}`)
}
