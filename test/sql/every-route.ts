/** Requests with which every API route succeeds at least once and every worker task has work. */
import { queueDrain } from '../../worker/outbox/late-events.ts'
import { SHOP } from '../api-descriptions/shop.ts'
import type { Actor } from '../support/signalbox.ts'
import { walkAccounts } from './account-routes.ts'
import { walkTools } from './agent-routes.ts'
import { walkPages } from './every-page.ts'
import { letExpire } from './gate-expiry.ts'
import { projectGates, revokedApproval } from './gate-routes.ts'
import { githubRoutes } from './github-routes.ts'
import { walkGroups } from './group-routes.ts'
import { walkClient, walkDevice, walkSignIns } from './oauth-routes.ts'
import { walkReports } from './report-routes.ts'
import { walkServiceAccounts } from './service-account-routes.ts'
import { walkPageDeletions } from './settings-pages.ts'
import { slackRoutes } from './slack-routes.ts'
import { signOnPages, walkSso } from './sso-routes.ts'
import { walkUsage } from './usage-routes.ts'
import { type Context, tokenFrom, Walk } from './walk.ts'

const V1 = '/api/v1'
/** Makes a change of a hook or channel wait for the outcome of its dispatch. */
const WAIT = { Prefer: 'wait=10' }
/** The resources and users for `walkDeletions`. */
export interface WalkResult extends Context {
  walk: Walk
  ada: Actor
  grace: Actor
}

/** Calls all routes except the final deletions. */
export async function walkRoutes(context: Context): Promise<WalkResult> {
  const walk = new Walk(context.box)
  const ada = await walkAccounts(walk, context)
  const grace = await organization(walk, context, ada)
  await workspaces(walk, ada, grace)
  await walkServiceAccounts(walk, ada)
  await executions(walk, context, ada, grace)
  await walkTools(walk, ada)
  await hooks(walk, context, ada)
  await channels(walk, context, ada)
  await slackRoutes(walk, context, ada, grace)
  await githubRoutes(walk, context, ada)
  await walkDevice(walk, context, ada)
  await walkClient(walk, context, ada)
  await walkSignIns(walk, context, ada)
  await signOnPages(walk, context.provider)
  await walkSso(walk, context)
  await documents(walk, ada)
  // Another organization has a connection.
  await walk.readAll(ada, { actor_id: ada.id }, [`GET ${V1}/organizations/{org_id}/sso`])
  await notifications(walk, context, ada)
  await walkPages(walk, context, ada)
  await failures(walk, context, ada)
  return { ...context, walk, ada, grace }
}

/** An organization and its members. */
async function organization(walk: Walk, context: Context, ada: Actor): Promise<Actor> {
  const { box } = context
  const joan = await context.box.user('Joan')
  const organization = `${V1}/organizations/{org_id}`
  await walk.create(ada, `${V1}/organizations`, 'org_id', { name: 'Acme Robotics' })
  await walk.call(ada, `PUT ${organization}`, { registration_mode: 'open', budget_monthly_limit_usd: 1000 })
  await walk.call(joan, `GET ${organization}/join`)
  await walk.call(joan, `POST ${organization}/join`)

  // Invitations by mail: accepted, declined, accepted by link, and withdrawn.
  const invite = (email: string) => walk.create(ada, `${organization}/members`, 'invitation_id', { email, role: 'member' })
  // Verified addresses are added directly, so the address is verified after the invitation.
  const invited = async (name: string) => {
    const actor = await box.register(name)
    await invite(actor.email)
    await box.sql`update users set email_verified = true where id = ${actor.id}`
    return actor
  }
  await invite('nobody@example.com')
  await walk.call(ada, `POST ${organization}/invitations/{invitation_id}/resend`)
  await walk.call(ada, `DELETE ${organization}/invitations/{invitation_id}`)
  const mary = await invited('Mary')
  await walk.call(mary, `POST ${V1}/users/me/invitations/{invitation_id}/decline`)
  const grace = await invited('Grace Hopper')
  await walk.call(grace, `POST ${V1}/users/me/invitations/{invitation_id}/accept`)
  const judy = await invited('Judy')
  const token = await tokenFrom(context, judy.email, 'invitations')
  await walk.call(box, `POST ${V1}/invitations/preview`, { token })
  await walk.call(judy, `POST ${V1}/invitations/accept`, { token })
  await invite('waiting@example.com')

  walk.ids.member_user_id = judy.id
  await walk.call(ada, `PUT ${organization}/members/{member_user_id}`, { role: 'admin' })
  await walk.call(ada, `DELETE ${organization}/members/{member_user_id}`)
  walk.ids.member_user_id = grace.id

  await walkGroups(walk, ada)
  const bound = { name: 'Bound', organization_id: walk.ids.org_id }
  await walk.create(grace, `${V1}/auth/tokens`, 'token_id', bound)
  await walk.call(ada, `DELETE ${organization}/tokens/{token_id}`)
  await walk.create(ada, `${V1}/auth/tokens`, 'token_id', bound)
  await walk.call(ada, `DELETE ${V1}/auth/tokens/{token_id}`)
  const { token: personal } = await walk.create(ada, `${V1}/auth/tokens`, 'token_id', bound)
  await walk.call(ada.as(personal), `GET ${organization}`)
  return grace
}

/** Workspaces, projects, runtimes and templates. */
async function workspaces(walk: Walk, ada: Actor, grace: Actor): Promise<void> {
  const organization = `${V1}/organizations/{org_id}`
  await walk.create(ada, `${organization}/workspaces`, 'workspace_id', { name: 'Platform' })
  const workspace = `${V1}/workspaces/{workspace_id}`
  const gate_policy = { required_approvals: 2, expires_in_seconds: 3600 }
  await walk.call(ada, `PUT ${workspace}`, { description: 'Everything', budget_monthly_limit_usd: 100, gate_policy })
  await walk.call(ada, `POST ${workspace}/members`, { user_id: grace.id, role: 'member' })
  walk.ids.user_id = grace.id
  await walk.call(ada, `PUT ${workspace}/members/{user_id}`, { role: 'admin' })
  await walk.call(ada, `DELETE ${workspace}/members/{user_id}`)
  await walk.call(ada, `POST ${workspace}/members`, { user_id: grace.id, role: 'admin' })
  await walk.create(ada, `${workspace}/projects`, 'project_id', { name: 'Checkout' })
  await walk.call(ada, `PUT ${V1}/projects/{project_id}`, { description: 'Payments' })
  await walk.call(ada, `PUT ${V1}/projects/{project_id}/api-description`, SHOP)
  for (const scope of [organization, workspace, `${V1}/projects/{project_id}`]) {
    await walk.call(ada, `PUT ${scope}/workflow-template`, { template: 'version: 1\n' })
  }
  const farm = { name: 'Farm', hostname: 'farm.example.com', agents: ['claude'] }
  await walk.create(grace, `${organization}/runtimes`, 'runtime_id', farm)
  await walk.call(ada, `DELETE ${V1}/runtimes/{runtime_id}`)
  await walk.create(grace, `${organization}/runtimes`, 'runtime_id', farm)
  await walk.call(grace, `POST ${V1}/runtimes/{runtime_id}/heartbeat`, { agents: ['claude', 'codex'] })
}

const EXECUTION = `${V1}/executions/{execution_id}`

/** Requirements, executions, gates and costs. */
async function executions(walk: Walk, { box }: Context, ada: Actor, grace: Actor): Promise<void> {
  const requirements = `${V1}/projects/{project_id}/requirements`
  await walk.create(ada, requirements, 'requirement_id', { title: 'Not wanted' })
  await walk.call(ada, `DELETE ${V1}/requirements/{requirement_id}`)
  await walk.create(ada, requirements, 'requirement_id', { title: 'Pay by invoice' })
  await walk.call(ada, `PUT ${V1}/requirements/{requirement_id}`, { kind: 'fix', acceptance_criteria: ['It pays'] })
  const execute = async (agent: string) => {
    const runtime_id = walk.ids.runtime_id
    const input = { agent, runtime_id }
    return walk.create(grace, `${V1}/requirements/{requirement_id}/executions`, 'execution_id', input)
  }
  const first = await execute('claude')
  walk.ids.track_a_graph_id = first.graph_id
  await walk.call(grace, `POST ${EXECUTION}/start`)
  await walk.call(grace, `POST ${EXECUTION}/usage`, { cost_usd: 1 })
  await walk.create(grace, `${EXECUTION}/gates`, 'gate_id', { name: 'Release review' })
  await walk.call(ada, `POST ${V1}/gates/{gate_id}/approve`, { comment: 'Fine' })
  await walk.call(grace, `POST ${V1}/gates/{gate_id}/approve`)
  await walk.call(grace, `POST ${EXECUTION}/complete`, { summary: 'Done', cost_usd: 90, metrics: { tests_passed: 3 } })
  await walkUsage(walk, ada)
  const second = await execute('codex')
  walk.ids.track_b_graph_id = second.graph_id
  await walk.call(grace, `POST ${EXECUTION}/start`)
  await walk.call(grace, `POST ${EXECUTION}/fail`, { error: 'It did not build', cost_usd: 2 })
  await execute('claude')
  await walk.call(grace, `POST ${EXECUTION}/cancel`)
  await execute('claude')
  await walk.call(grace, `POST ${EXECUTION}/start`)
  await walk.create(grace, `${EXECUTION}/gates`, 'gate_id', { name: 'Release review' })
  await walk.call(ada, `POST ${V1}/gates/{gate_id}/reject`, { comment: 'Not yet' })
  await execute('claude')
  await walk.call(grace, `POST ${EXECUTION}/start`)
  await projectGates(walk, ada, grace)
  const expiring = await walk.create(grace, `${EXECUTION}/gates`, 'gate_id', { name: 'Legal' })
  await letExpire(box, expiring.id)
  await walk.call(ada, `PUT ${V1}/requirements/{requirement_id}`, { status: 'done' })
}

const HOOK = `${V1}/deployment-hooks/{hook_id}`

/** A deployment hook and its dispatches. */
async function hooks(walk: Walk, { box, receiver }: Context, ada: Actor): Promise<void> {
  const input = { name: 'Deploy', url: receiver.url, trigger_on: 'gate_approved', headers: { 'X-Key': 'k' } }
  const template = { body_template: '{{/event}} {{secret:a}}', template_secrets: { a: 'b' }, filter: {} }
  await walk.create(ada, `${V1}/projects/{project_id}/deployment-hooks`, 'hook_id', { ...input, ...template })
  await walk.call(ada, `PUT ${HOOK}`, { name: 'Deployment', secret: 'a-secret-that-is-long-enough', headers: { 'X-Key': 'l' } })
  await walk.call(ada, `POST ${HOOK}/rotate-secret`)
  await walk.call(ada, `POST ${HOOK}/test`, undefined, WAIT)
  const [ping] = await receiver.waitFor(1)
  await walk.call(ada, `POST ${HOOK}/verify`, { headers: ping?.headers ?? {}, body: ping?.body ?? '' })
  const { body: dispatch } = await walk.call(ada, `POST ${HOOK}/trigger`, undefined, WAIT)
  await walkReports(walk, { box, receiver }, ada)
  walk.ids.dispatch_id = dispatch.id
  await walk.call(ada, `POST ${V1}/dispatches/{dispatch_id}/redeliver`, undefined, WAIT)
  await walk.call(ada, `PUT ${HOOK}`, { trigger_on: 'gate_approved', supersede: true, max_age_seconds: 3600 })
  await walk.call(ada, `POST ${V1}/projects/{project_id}/deployment-rollback`, { target_version: 'v1.4.2' }, WAIT)

  // Failed dispatches, which are sent again; one that waits for a retry; one that is cancelled.
  receiver.answer = () => new Response('no', { status: 500 })
  const { body: failing } = await walk.call(ada, `POST ${HOOK}/trigger`)
  walk.ids.dispatch_id = failing.id
  await walk.call(ada, `POST ${V1}/dispatches/{dispatch_id}/retry`)
  await box.settled()
  receiver.answer = () => new Response('ok')
  await walk.call(ada, `POST ${HOOK}/recover`, { since: '2020-01-01T00:00:00Z' }, WAIT)
  await revokedApproval(walk, ada)
  const { body: waiting } = await walk.call(ada, `POST ${HOOK}/trigger`)
  walk.ids.dispatch_id = waiting.id
  await walk.call(ada, `POST ${V1}/dispatches/{dispatch_id}/cancel`)
  await walk.call(ada, `POST ${HOOK}/trigger`)
  await walk.call(ada, `PUT ${HOOK}`, { paused: false })
  await box.settled()
}

const CHANNELS = `${V1}/workspaces/{workspace_id}/notification-channels`
const SUBSCRIPTIONS = `${V1}/notification-channels/{channel_id}/subscriptions`

async function channels(walk: Walk, { box, receiver }: Context, ada: Actor): Promise<void> {
  const input = { name: 'Ops', channel_type: 'webhook', config: { url: receiver.url } }
  await walk.create(ada, CHANNELS, 'channel_id', input)
  await walk.call(ada, `PUT ${CHANNELS}/{channel_id}`, { name: 'Operations' })
  await walk.create(ada, SUBSCRIPTIONS, 'subscription_id', { event_pattern: '*' })
  await walk.call(ada, `DELETE ${V1}/workspaces/{workspace_id}/subscriptions/{subscription_id}`)
  await walk.create(ada, SUBSCRIPTIONS, 'subscription_id', { event_pattern: '*', filter_project_id: walk.ids.project_id })
  await walk.call(ada, `POST ${CHANNELS}/{channel_id}/test`, undefined, WAIT)
  await walk.call(ada, `POST ${HOOK}/trigger`, undefined, WAIT)
  receiver.answer = () => new Response('no', { status: 500 })
  await walk.call(ada, `POST ${CHANNELS}/{channel_id}/test`)
  await box.settled()
  receiver.answer = () => new Response('ok')
}

/** Deliverables and comparisons, which are made by jobs. */
async function documents(walk: Walk, ada: Actor): Promise<void> {
  for (const deliverable_type of ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual']) {
    const generate = `${V1}/projects/{project_id}/deliverables/generate`
    const { body } = await walk.call(ada, `POST ${generate}`, { deliverable_type }, WAIT)
    walk.ids.deliverable_id = body.id
  }
  const deliverable = `${V1}/deliverables/{deliverable_id}`
  await walk.call(ada, `POST ${deliverable}/publish`)
  await walk.call(ada, `GET ${deliverable}`, undefined, { Accept: 'text/html' })
  await walk.call(ada, `POST ${deliverable}/archive`)

  const { requirement_id, track_a_graph_id, track_b_graph_id } = walk.ids
  const tracks = { track_a_graph_id, track_b_graph_id, track_a_agent: 'claude', track_b_agent: 'codex' }
  const compare = () =>
    walk.create(ada, `${V1}/projects/{project_id}/dual-track`, 'comparison_id', { work_item_id: requirement_id, ...tracks })
  const comparison = `${V1}/dual-track/{comparison_id}`
  await compare()
  await walk.call(ada, `POST ${comparison}/cancel`)
  await walk.call(ada, `DELETE ${comparison}`)
  await compare()
  await walk.call(ada, `POST ${comparison}/compare`, undefined, WAIT)
  await walk.call(ada, `POST ${comparison}/decide`, { winner: 'a' })
}

/** The notifications of a user, and unsubscribing by the link of a mail. */
async function notifications(walk: Walk, context: Context, ada: Actor): Promise<void> {
  const { body: inbox } = await walk.call(ada, `GET ${V1}/notifications`)
  walk.ids.notification_id = inbox.items[0].id
  await walk.call(ada, `POST ${V1}/notifications/{notification_id}/read`)
  await walk.call(ada, `POST ${V1}/notifications/read-all`)
  await walk.call(ada, `GET ${V1}/notifications/stream`)
  await walk.call(ada, `GET ${V1}/search`, undefined, undefined, { q: 'pay 1' })
  const token = await tokenFrom(context, ada.email, 'unsubscribe')
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  await walk.call(context.box, 'POST /unsubscribe', 'List-Unsubscribe=One-Click', form, { token })
}

/** A hook and a channel that are disabled after their receiver answered 410. */
async function failures(walk: Walk, { box, receiver, mail }: Context, ada: Actor): Promise<void> {
  receiver.answer = () => new Response('gone', { status: 410 })
  await walk.call(ada, `POST ${CHANNELS}/{channel_id}/test`)
  await walk.call(ada, `POST ${HOOK}/trigger`)
  await box.settled()
  // Otherwise there is a job only if the poll finds an event that was not drained in time.
  await queueDrain(box.sql)
  await mail.quiet(box)
}

/** Deletes everything, innermost resources first, and runs the nightly upkeep. */
export async function walkDeletions({ walk, ada, grace, ...context }: WalkResult): Promise<void> {
  const { box } = context
  await box.sql`update runtimes set last_heartbeat = now() - interval '1 hour'`
  await box.until('the runtime is offline', async () => {
    const [runtime] = await box.sql`select from runtimes where offline_at is null`
    return runtime === undefined
  })
  await walk.call(ada, `DELETE ${V1}/dual-track/{comparison_id}`)
  await walk.call(ada, `DELETE ${V1}/deliverables/{deliverable_id}`)
  await walk.call(ada, `DELETE ${HOOK}`)
  await walk.call(ada, `DELETE ${CHANNELS}/{channel_id}`)
  await walk.call(ada, `DELETE ${V1}/projects/{project_id}`)
  await walk.call(ada, `DELETE ${V1}/workspaces/{workspace_id}`)
  await walkPageDeletions(walk, context, ada)
  const organization = `${V1}/organizations/{org_id}`
  await walk.call(ada, `POST ${organization}/transfer-ownership`, { new_owner_id: grace.id })
  await walk.call(grace, `DELETE ${organization}`)
  await box.sql`select graphile_worker.add_job('forget_expired', '{}', flags := '{task:forget_expired}')`
  await box.until('no job is left', async () => (await box.sql`select from graphile_worker.jobs`).length === 0)
}
