import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SHOP } from '../api-descriptions/shop.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

/**
 * Contract §3, written down a second time, by hand: what each operation needs. An operation that is missing
 * here, or that says something else about itself, fails the test.
 */
const NEEDS: Record<string, string> = {
  'GET /livez': 'open',
  'GET /readyz': 'open',
  'POST /api/v1/auth/register': 'open',
  'POST /api/v1/auth/login': 'open',
  'POST /api/v1/auth/refresh': 'open',
  'POST /api/v1/auth/verify-email': 'open',
  'POST /api/v1/auth/password-reset': 'open',
  'POST /api/v1/auth/password-reset/confirm': 'open',
  'POST /api/v1/invitations/preview': 'open',
  'POST /api/v1/auth/logout': 'inSession',
  'GET /api/v1/auth/sessions': 'signedIn',
  'DELETE /api/v1/auth/sessions/{session_id}': 'inSession',
  'GET /api/v1/auth/tokens': 'signedIn',
  'POST /api/v1/auth/tokens': 'inSession',
  'DELETE /api/v1/auth/tokens/{token_id}': 'inSession',
  'GET /api/v1/organizations/{org_id}/tokens': 'organization admin',
  'DELETE /api/v1/organizations/{org_id}/tokens/{token_id}': 'organization admin',
  'POST /api/v1/auth/verify-email/resend': 'signedIn',
  'GET /api/v1/users/me': 'signedIn',
  'PUT /api/v1/users/me': 'inSession',
  'DELETE /api/v1/users/me': 'inSession',
  'GET /api/v1/users/me/security-log': 'signedIn',
  'GET /api/v1/users/{user_id}/avatar': 'open',
  'PUT /api/v1/users/me/avatar': 'signedIn',
  'DELETE /api/v1/users/me/avatar': 'signedIn',
  'GET /api/v1/users/me/invitations': 'signedIn',
  'POST /api/v1/users/me/invitations/{invitation_id}/accept': 'signedIn',
  'POST /api/v1/users/me/invitations/{invitation_id}/decline': 'signedIn',
  'POST /api/v1/invitations/accept': 'signedIn',
  'GET /api/v1/organizations': 'signedIn',
  'POST /api/v1/organizations': 'signedIn',
  'GET /api/v1/organizations/{org_id}': 'organization member',
  'PUT /api/v1/organizations/{org_id}': 'organization admin',
  'DELETE /api/v1/organizations/{org_id}': 'organization owner',
  'POST /api/v1/organizations/{org_id}/transfer-ownership': 'organization owner',
  'GET /api/v1/organizations/{org_id}/join': 'signedIn',
  'POST /api/v1/organizations/{org_id}/join': 'signedIn',
  'GET /api/v1/organizations/{org_id}/members': 'organization member',
  'POST /api/v1/organizations/{org_id}/members': 'organization admin',
  'PUT /api/v1/organizations/{org_id}/members/{member_user_id}': 'organization admin',
  // Anybody may leave; removing others is told apart behind this door.
  'DELETE /api/v1/organizations/{org_id}/members/{member_user_id}': 'organization member',
  'GET /api/v1/organizations/{org_id}/invitations': 'organization admin',
  'DELETE /api/v1/organizations/{org_id}/invitations/{invitation_id}': 'organization admin',
  'POST /api/v1/organizations/{org_id}/invitations/{invitation_id}/resend': 'organization admin',
  'GET /api/v1/organizations/{org_id}/my-role': 'organization member',
  'GET /api/v1/organizations/{org_id}/budget': 'organization admin',
  'GET /api/v1/organizations/{org_id}/budget/history': 'organization admin',
  'GET /api/v1/organizations/{org_id}/workflow-template': 'organization member',
  'PUT /api/v1/organizations/{org_id}/workflow-template': 'organization admin',
  'GET /api/v1/workspaces/{workspace_id}/workflow-template': 'workspace member',
  'PUT /api/v1/workspaces/{workspace_id}/workflow-template': 'workspace admin',
  'GET /api/v1/projects/{project_id}/workflow-template': 'workspace member',
  'PUT /api/v1/projects/{project_id}/workflow-template': 'workspace admin',
  'GET /api/v1/organizations/{org_id}/runtimes': 'organization member',
  'POST /api/v1/organizations/{org_id}/runtimes': 'organization member',
  'POST /api/v1/runtimes/{runtime_id}/heartbeat': 'organization own',
  'DELETE /api/v1/runtimes/{runtime_id}': 'organization admin',
  'GET /api/v1/organizations/{org_id}/audit-logs': 'organization admin',
  'GET /api/v1/organizations/{org_id}/audit-logs/export': 'organization admin',
  'GET /api/v1/organizations/{org_id}/audit-logs/verify': 'organization admin',
  'GET /api/v1/organizations/{org_id}/workspaces': 'organization member',
  'POST /api/v1/organizations/{org_id}/workspaces': 'organization member',
  'GET /api/v1/workspaces/{workspace_id}': 'workspace member',
  'PUT /api/v1/workspaces/{workspace_id}': 'workspace admin',
  'DELETE /api/v1/workspaces/{workspace_id}': 'workspace admin',
  'GET /api/v1/workspaces/{workspace_id}/members': 'workspace member',
  'POST /api/v1/workspaces/{workspace_id}/members': 'workspace admin',
  'PUT /api/v1/workspaces/{workspace_id}/members/{user_id}': 'workspace admin',
  'DELETE /api/v1/workspaces/{workspace_id}/members/{user_id}': 'workspace member',
  'GET /api/v1/workspaces/{workspace_id}/projects': 'workspace member',
  'POST /api/v1/workspaces/{workspace_id}/projects': 'workspace admin',
  'GET /api/v1/projects/{project_id}': 'workspace member',
  'PUT /api/v1/projects/{project_id}': 'workspace admin',
  'DELETE /api/v1/projects/{project_id}': 'workspace admin',
  'GET /api/v1/projects/{project_id}/requirements': 'workspace member',
  'POST /api/v1/projects/{project_id}/requirements': 'workspace member',
  'GET /api/v1/requirements/{requirement_id}': 'workspace member',
  'PUT /api/v1/requirements/{requirement_id}': 'workspace member',
  'DELETE /api/v1/requirements/{requirement_id}': 'workspace admin',
  'GET /api/v1/requirements/{requirement_id}/executions': 'workspace member',
  'POST /api/v1/requirements/{requirement_id}/executions': 'workspace member',
  'GET /api/v1/executions/{execution_id}': 'workspace member',
  'POST /api/v1/executions/{execution_id}/start': 'workspace member',
  'POST /api/v1/executions/{execution_id}/complete': 'workspace member',
  'POST /api/v1/executions/{execution_id}/fail': 'workspace member',
  'POST /api/v1/executions/{execution_id}/cancel': 'workspace member',
  'POST /api/v1/executions/{execution_id}/usage': 'workspace member',
  'GET /api/v1/executions/{execution_id}/gates': 'workspace member',
  'POST /api/v1/executions/{execution_id}/gates': 'workspace member',
  'GET /api/v1/projects/{project_id}/gates': 'workspace member',
  'GET /api/v1/gates/{gate_id}': 'workspace member',
  'POST /api/v1/gates/{gate_id}/approve': 'workspace admin',
  'POST /api/v1/gates/{gate_id}/reject': 'workspace admin',
  'GET /api/v1/projects/{project_id}/deployment-hooks': 'workspace member',
  'POST /api/v1/projects/{project_id}/deployment-hooks': 'workspace admin',
  'GET /api/v1/deployment-hooks/{hook_id}': 'workspace member',
  'PUT /api/v1/deployment-hooks/{hook_id}': 'workspace admin',
  'DELETE /api/v1/deployment-hooks/{hook_id}': 'workspace admin',
  'POST /api/v1/deployment-hooks/{hook_id}/rotate-secret': 'workspace admin',
  'POST /api/v1/deployment-hooks/{hook_id}/verify': 'workspace member',
  'POST /api/v1/deployment-hooks/{hook_id}/test': 'workspace admin',
  'GET /api/v1/deployment-hooks/{hook_id}/dispatches': 'workspace member',
  'GET /api/v1/dispatches/{dispatch_id}': 'workspace member',
  'POST /api/v1/deployment-hooks/{hook_id}/trigger': 'workspace admin',
  'POST /api/v1/deployment-hooks/{hook_id}/recover': 'workspace admin',
  'POST /api/v1/projects/{project_id}/deployment-rollback': 'workspace admin',
  'POST /api/v1/dispatches/{dispatch_id}/redeliver': 'workspace admin',
  'POST /api/v1/dispatches/{dispatch_id}/retry': 'workspace admin',
  'POST /api/v1/dispatches/{dispatch_id}/cancel': 'workspace admin',
  'GET /api/v1/projects/{project_id}/dual-track': 'workspace member',
  'POST /api/v1/projects/{project_id}/dual-track': 'workspace member',
  'GET /api/v1/dual-track/{comparison_id}': 'workspace member',
  'DELETE /api/v1/dual-track/{comparison_id}': 'workspace admin',
  'POST /api/v1/dual-track/{comparison_id}/compare': 'workspace member',
  'POST /api/v1/dual-track/{comparison_id}/decide': 'workspace member',
  'POST /api/v1/dual-track/{comparison_id}/cancel': 'workspace member',
  'GET /api/v1/workspaces/{workspace_id}/notification-channels': 'workspace member',
  'POST /api/v1/workspaces/{workspace_id}/notification-channels': 'workspace admin',
  'GET /api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': 'workspace member',
  'PUT /api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': 'workspace admin',
  'DELETE /api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}': 'workspace admin',
  'POST /api/v1/workspaces/{workspace_id}/notification-channels/{channel_id}/test': 'workspace admin',
  'GET /api/v1/notification-channels/{channel_id}/subscriptions': 'workspace member',
  'POST /api/v1/notification-channels/{channel_id}/subscriptions': 'workspace admin',
  'DELETE /api/v1/workspaces/{workspace_id}/subscriptions/{subscription_id}': 'workspace admin',
  'GET /api/v1/notification-channels/{channel_id}/logs': 'workspace member',
  'GET /api/v1/projects/{project_id}/api-description': 'workspace member',
  'PUT /api/v1/projects/{project_id}/api-description': 'workspace member',
  'GET /api/v1/projects/{project_id}/deliverables': 'workspace member',
  'POST /api/v1/projects/{project_id}/deliverables/generate': 'workspace member',
  'GET /api/v1/deliverables/{deliverable_id}': 'workspace member',
  'DELETE /api/v1/deliverables/{deliverable_id}': 'workspace admin',
  'POST /api/v1/deliverables/{deliverable_id}/publish': 'workspace admin',
  'POST /api/v1/deliverables/{deliverable_id}/archive': 'workspace admin',
  'GET /api/v1/notifications': 'signedIn',
  'POST /api/v1/notifications/read-all': 'signedIn',
  'POST /api/v1/notifications/{notification_id}/read': 'signedIn',
  'GET /api/v1/notifications/preferences': 'signedIn',
  'PUT /api/v1/notifications/preferences': 'signedIn',
  'GET /api/v1/notifications/stream': 'signedIn',
  'POST /unsubscribe': 'open',
}

/** What each of these people is told, by what the operation needs. */
const ANSWERS: Record<string, Record<string, number | 'passed'>> = {
  open: {
    nobody: 'passed',
    outsider: 'passed',
    colleague: 'passed',
    member: 'passed',
    lead: 'passed',
    admin: 'passed',
    owner: 'passed',
  },
  signedIn: {
    nobody: 401,
    outsider: 'passed',
    colleague: 'passed',
    member: 'passed',
    lead: 'passed',
    admin: 'passed',
    owner: 'passed',
  },
  inSession: {
    nobody: 401,
    outsider: 'passed',
    colleague: 'passed',
    member: 'passed',
    lead: 'passed',
    admin: 'passed',
    owner: 'passed',
  },
  'organization member': {
    nobody: 401,
    outsider: 404,
    colleague: 'passed',
    member: 'passed',
    lead: 'passed',
    admin: 'passed',
    owner: 'passed',
  },
  'organization admin': {
    nobody: 401,
    outsider: 404,
    colleague: 403,
    member: 403,
    lead: 403,
    admin: 'passed',
    owner: 'passed',
  },
  'organization owner': {
    nobody: 401,
    outsider: 404,
    colleague: 403,
    member: 403,
    lead: 403,
    admin: 403,
    owner: 'passed',
  },
  // What the path names is the colleague's.
  'organization own': {
    nobody: 401,
    outsider: 404,
    colleague: 'passed',
    member: 403,
    lead: 403,
    admin: 'passed',
    owner: 'passed',
  },
  'workspace member': {
    nobody: 401,
    outsider: 404,
    colleague: 404,
    member: 'passed',
    lead: 'passed',
    admin: 'passed',
    owner: 'passed',
  },
  'workspace admin': {
    nobody: 401,
    outsider: 404,
    colleague: 404,
    member: 403,
    lead: 'passed',
    admin: 'passed',
    owner: 'passed',
  },
}

let box: Box
let site: Site
const people: Record<string, Actor | null> = { nobody: null }
const ids: Record<string, string> = {}

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  const [owner, outsider, colleague, member, lead, admin] = await Promise.all(
    ['Owner', 'Outsider', 'Colleague', 'Member', 'Lead', 'Admin'].map((name) => box.user(name)),
  )
  if (!owner || !outsider || !colleague || !member || !lead || !admin) throw new Error('Somebody is missing')
  Object.assign(people, { owner, outsider, colleague, member, lead, admin })
  site = await box.site(owner)
  // An outsider with an organization of their own: a role somewhere else must not count here.
  await box.site(outsider, 'Elsewhere')
  await box.join(colleague, site, 'member')
  await box.join(member, site, 'member', 'member')
  await box.join(lead, site, 'member', 'admin')
  await box.join(admin, site, 'admin')
  // Open, so that looking at it before joining finds it.
  await owner.put(`/api/v1/organizations/${site.organization.id}`, { registration_mode: 'open' })

  const requirement = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Walked' })
  const execution = await owner.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  await owner.make(`/api/v1/executions/${execution.id}/start`)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Walked' })
  const hook = await owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Walked',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
  })
  const dispatch = await owner.make(`/api/v1/deployment-hooks/${hook.id}/test`)
  const deliverable = await owner.make(`/api/v1/projects/${site.project.id}/deliverables/generate`, {
    deliverable_type: 'changelog',
  })
  await owner.put(`/api/v1/projects/${site.project.id}/api-description`, SHOP)
  const token = await owner.make('/api/v1/auth/tokens', { name: 'Walked' })
  const sessions = await owner.get('/api/v1/auth/sessions')
  const other = await owner.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'codex' })
  const comparison = await owner.make(`/api/v1/projects/${site.project.id}/dual-track`, {
    work_item_id: requirement.id,
    track_a_graph_id: execution.graph_id,
    track_b_graph_id: other.graph_id,
    track_a_agent: 'claude',
    track_b_agent: 'codex',
  })
  const channel = await owner.make(`/api/v1/workspaces/${site.workspace.id}/notification-channels`, {
    name: 'Walked',
    channel_type: 'webhook',
    config: { url: 'http://127.0.0.1:9/' },
  })
  const subscription = await owner.make(`/api/v1/notification-channels/${channel.id}/subscriptions`, { event_pattern: '*' })
  const runtime = await colleague.make(`/api/v1/organizations/${site.organization.id}/runtimes`, {
    name: 'Walked',
    hostname: 'localhost',
  })
  Object.assign(ids, {
    runtime_id: runtime.id,
    org_id: site.organization.id,
    workspace_id: site.workspace.id,
    project_id: site.project.id,
    requirement_id: requirement.id,
    execution_id: execution.id,
    gate_id: gate.id,
    hook_id: hook.id,
    dispatch_id: dispatch.id,
    deliverable_id: deliverable.id,
    token_id: token.id,
    session_id: sessions.body[0].id,
    member_user_id: member.id,
    user_id: member.id,
    invitation_id: crypto.randomUUID(),
    comparison_id: comparison.id,
    channel_id: channel.id,
    subscription_id: subscription.id,
    // Whosever it is: nobody's change gets through here.
    notification_id: dispatch.id,
  })
})
afterAll(() => box.close())

const operations = () =>
  Object.entries(box.contract.document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )

test('every operation says of itself what the contract asks for', () => {
  const said = Object.fromEntries(
    operations().map(({ name, operation }) => {
      const { kind, role } = operation['x-signalbox-access'] ?? { kind: 'nothing' }
      if (!role) return [name, kind]
      return [name, `${['organization', 'runtime'].includes(kind) ? 'organization' : 'workspace'} ${role}`]
    }),
  )
  expect(said).toEqual(NEEDS)
})

describe('Who may what', () => {
  for (const [name, needs] of Object.entries(NEEDS)) {
    test(`${name} needs ${needs}`, async () => {
      const [method = '', template = ''] = name.split(' ')
      const path = template.replaceAll(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? '')
      const told: Record<string, unknown> = {}
      for (const [who, actor] of Object.entries(people)) {
        // Nobody's change gets through: what is welcome is refused for a parameter that nobody knows.
        const target = method === 'GET' ? path : `${path}?nonsense=1`
        const send = actor ?? box
        const type = Object.keys(box.contract.operation(method, path)?.requestBody?.content ?? {})[0] ?? 'application/json'
        const body = method === 'POST' || method === 'PUT' ? {} : undefined
        const { status } = await send.request(method, target, body, { 'Content-Type': type })
        told[who] = [401, 403, 404].includes(status) ? status : 'passed'
        if (told[who] === 'passed') expect(status).toBe(method === 'GET' ? 200 : 422)
      }
      expect(told).toEqual(ANSWERS[needs] ?? {})
    })
  }

  test('a workspace that one cannot enter is still in the list of its organization', async () => {
    const { body } = await (people.colleague as Actor).get(`/api/v1/organizations/${ids.org_id}/workspaces`)
    expect(body.map(({ id }: { id: string }) => id)).toEqual([ids.workspace_id])
  })

  test('a role that is taken away is gone with the next request', async () => {
    const member = people.member as Actor
    const path = `/api/v1/workspaces/${ids.workspace_id}`
    expect((await member.get(path)).status).toBe(200)
    await box.sql`delete from workspace_members where user_id = ${member.id}`
    expect((await member.get(path)).status).toBe(404)
    expect((await member.get(`/api/v1/organizations/${ids.org_id}`)).status).toBe(200)
    await box.sql`delete from organization_members where user_id = ${member.id}`
    expect((await member.get(`/api/v1/organizations/${ids.org_id}`)).status).toBe(404)
  })
})
