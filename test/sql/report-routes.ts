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
  await walkPromotion(walk, { box, receiver }, ada, policy)
  await walk.call(ada, `PUT ${policy}`, { required_approvals: 2, decide_via: ['app'], approvers, freezes })
  const silent = await trigger()
  await box.sql`update rollouts set deadline_at = now() where id = ${silent.id}`
  await box.until('the rollout is unknown', async () => {
    const [rollout] = await box.sql`select from rollouts where id = ${silent.id} and state = 'unknown'`
    return rollout !== undefined
  })
  await walkPulls(walk, { box }, ada)
}

const TRIGGER = `POST ${HOOK}/trigger`
const GATES = 'POST /api/v1/projects/{project_id}/gates'

/** An environment that promotes from the one where something runs: its next gate, a soak into a freeze, and a rollback. */
async function walkPromotion(walk: Walk, { box, receiver }: Pick<Context, 'box' | 'receiver'>, ada: Actor, policy: string) {
  const { environment, project_id, workspace_id } = walk.ids
  const { body: workspace } = await ada.get(`/api/v1/workspaces/${workspace_id}`)
  const require = (gate_policy: object) => ada.put(`/api/v1/workspaces/${workspace_id}`, { gate_policy })
  await require({ required_approvals: 1, prevent_self_approval: false })
  const digest = { gitCommit: '7'.repeat(40) }
  const subject = { uri: 'git+https://git.example.com/acme/checkout', digest }
  const rolledOut = async (state: string) => {
    const { body } = await walk.call(ada, TRIGGER, undefined, { Prefer: 'wait=10' })
    await ada.make(`/api/v1/dispatches/${body.id}/report`, { state, digest })
  }
  const after = await ada.make(`/api/v1/projects/${project_id}/deployment-hooks`, {
    name: 'After',
    url: receiver.url,
    trigger_on: 'gate_approved',
    environment: 'after',
    report_within_seconds: 600,
  })
  const waiting = async (name: string): Promise<void> => {
    const { body: gate } = await walk.call(ada, GATES, { name, environment: 'after', subject })
    await ada.get(`/api/v1/gates/${gate.id}/effects`)
    await ada.make(`/api/v1/gates/${gate.id}/approve`, { binding: gate.binding })
    await box.until('it waits', async () => {
      const [dispatch] = await box.sql`select from dispatches where hook_id = ${after.id} and gate_id = ${gate.id}`
      return dispatch !== undefined
    })
    await ada.get(`/api/v1/gates/${gate.id}/clearance`)
  }
  walk.ids.environment = 'after'
  await walk.call(ada, `PUT ${policy}`, { promotes_from: environment, open_gate: true })
  await rolledOut('succeeded')
  await box.until('the next gate is open', async () => {
    const [gate] = await box.sql`select from gates where project_id = ${project_id ?? ''} and created_by is null`
    return gate !== undefined
  })
  await walk.call(ada, `PUT ${policy}`, { soak_seconds: 3600, freezes: [FREEZE] })
  await waiting('First')
  await walk.call(ada, 'GET /api/v1/projects/{project_id}/environments')
  await walk.call(ada, 'GET /api/v1/projects/{project_id}/track')
  await ada.post(`/api/v1/projects/${project_id}/verify`, { environment: 'after', digest: `gitCommit:${digest.gitCommit}` })
  await walk.call(ada, `PUT ${policy}`, { soak_seconds: 600, freezes: [] })
  await rolledOut('failed')
  await rolledOut('succeeded')
  await waiting('Second')
  await walk.call(ada, 'POST /api/v1/projects/{project_id}/deployment-rollback', { target_version: 'v0', environment })
  await walk.call(ada, `PUT ${policy}`, { promotes_from: null })
  await walk.call(ada, `DELETE ${policy}`)
  await ada.delete(`/api/v1/deployment-hooks/${after.id}`)
  await require(workspace.gate_policy)
  walk.ids.environment = environment ?? ''
}

const FREEZE = { name: 'Always', from: '2020-01-01T00:00:00Z', until: '2120-01-01T00:00:00Z' }

/** A hook whose environment requires a gate and is frozen: an override is sent. */
async function walkEnforcement(walk: Walk, ada: Actor, policy: string): Promise<void> {
  await walk.call(ada, `PUT ${policy}`, { gate_required: true, freezes: [FREEZE] })
  await walk.call(ada, `POST ${HOOK}/trigger`, { override: { reason: 'To see it.' } }, { Prefer: 'wait=10' })
  await walk.call(ada, `PUT ${policy}`, { freezes: [] })
  await walk.call(ada, `DELETE ${policy}`)
}
