/** One of everything that a path can name. */
import { SHOP } from '../api-descriptions/shop.ts'
import { tomorrow } from '../support/service-accounts.ts'
import type { Actor, Box, Site } from '../support/signalbox.ts'

/**
 * Creates one of everything in a site.
 *
 * @param owner the owner of the organization
 * @param colleague a member of the organization, who gets a runtime
 * @param member a member of the workspace, for paths that name a user
 * @returns ids by the name of their path parameter, and further ids for bodies
 */
export async function makeResources(
  box: Box,
  site: Site,
  owner: Actor,
  colleague: Actor,
  member: Actor,
): Promise<Record<string, string>> {
  const requirement = await owner.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Walked' })
  const execution = await owner.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  await owner.make(`/api/v1/executions/${execution.id}/start`)
  const gate = await owner.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Walked' })
  const hook = await owner.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
    name: 'Walked',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'gate_approved',
  })
  await owner.put(`/api/v1/projects/${site.project.id}/environments/${hook.environment}/policy`, { require_subject: true })
  const dispatch = await owner.make(`/api/v1/deployment-hooks/${hook.id}/test`)
  const deliverable = await owner.make(`/api/v1/projects/${site.project.id}/deliverables/generate`, {
    deliverable_type: 'changelog',
  })
  await owner.put(`/api/v1/projects/${site.project.id}/api-description`, SHOP)
  const token = await owner.make('/api/v1/auth/tokens', { name: 'Walked', scope: 'decide' })
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
  const group = await owner.make(`/api/v1/organizations/${site.organization.id}/groups`, { name: 'Walked' })
  const account = await owner.make(`/api/v1/organizations/${site.organization.id}/service-accounts`, {
    name: 'Walked',
    scopes: ['work:read'],
  })
  const key = await owner.make(`/api/v1/service-accounts/${account.id}/keys`, { name: 'Walked', expires_at: tomorrow() })
  const trust = await owner.make(`/api/v1/service-accounts/${account.id}/trusts`, {
    issuer: 'https://ci.example.com',
    claims: { sub: ['job'] },
  })
  const runtime = await colleague.make(`/api/v1/organizations/${site.organization.id}/runtimes`, {
    name: 'Walked',
    hostname: 'localhost',
  })
  return {
    installation_id: await linkToGithub(box, site, owner),
    group_id: group.id,
    service_account_id: account.id,
    key_id: key.id,
    trust_id: trust.id,
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
    token: token.token,
    session_id: sessions.body[0].id,
    member_user_id: member.id,
    user_id: member.id,
    invitation_id: crypto.randomUUID(),
    comparison_id: comparison.id,
    track_a_graph_id: execution.graph_id,
    track_b_graph_id: other.graph_id,
    channel_id: channel.id,
    subscription_id: subscription.id,
    environment: hook.environment,
    // Any id will do, as no change is carried out.
    notification_id: dispatch.id,
    identity_id: dispatch.id,
    passkey_id: dispatch.id,
  }
}

/** Links the project to a repository, without a GitHub. @returns the id of the installation */
async function linkToGithub(box: Box, { organization, workspace, project }: Site, { id }: Actor): Promise<string> {
  const [installation] = await box.sql<{ id: string }[]>`
    insert into github_installations (
      organization_id, installation_id, account_id, account_login, account_type, created_by
    )
    values (${organization.id}, 1, 2, 'acme', 'Organization', ${id})
    returning id
  `
  const lane_id = installation?.id ?? ''
  await box.sql`insert into lanes (id, organization_id, kind) values (${lane_id}, ${organization.id}, 'github')`
  await box.sql`
    insert into github_repositories (
      project_id, organization_id, workspace_id, lane_id, repository_id, full_name, linked_name, is_private, created_by
    )
    values (${project.id}, ${organization.id}, ${workspace.id}, ${lane_id}, 3, 'acme/shop', 'acme/shop', true, ${id})
  `
  return lane_id
}
