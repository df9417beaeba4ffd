/** Visits of the pages of organizations, workspaces and the account, and posts to their actions. */

import { pixel } from '../api/pixel.ts'
import { PageClient } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import type { PageWalk } from './every-page.ts'
import { walkFactorPages } from './second-factor-routes.ts'
import { walkSettings } from './settings-pages.ts'
import type { Context, Walk } from './walk.ts'

const ORGANIZATION = '/app/organizations/{org_id}'
const WORKSPACE = '/app/workspaces/{workspace_id}'

const DAYS = 'start_date=2020-01-01&end_date=2099-01-01'

/** A cursor of any list; a list that does not have it is empty after it. */
const AFTER = crypto.randomUUID()

async function organization(walk: Walk, { box }: Context, pages: PageWalk, admin: Actor): Promise<void> {
  await pages.visit(`GET ${ORGANIZATION}`)
  await pages.visit(`GET ${ORGANIZATION}`, {}, `?workspaces_after=${AFTER}`)
  await pages.visit(`GET ${ORGANIZATION}/people`, {}, `?query=a&members_after=${AFTER}&invitations_after=${AFTER}`)
  const joining = await box.user('Joining')
  walk.ids.member_user_id = joining.id
  await pages.visit(`POST ${ORGANIZATION}/people`, { user_id: joining.id, role: 'member' })
  await pages.visit(`POST ${ORGANIZATION}/people/{member_user_id}/role`, { role: 'admin' })
  await pages.visit(`POST ${ORGANIZATION}/people/{member_user_id}/remove`)
  const invited = { email: 'page-guest@example.com' }
  const { body } = await admin.post(`/api/v1/organizations/${walk.ids.org_id}/members`, invited)
  walk.ids.invitation_id = body.id
  await pages.visit(`POST ${ORGANIZATION}/people`, invited)
  await pages.visit(`POST ${ORGANIZATION}/people/invitations/{invitation_id}/resend`)
  await pages.visit(`POST ${ORGANIZATION}/people/invitations/{invitation_id}/revoke`)
  await pages.visit(`GET ${ORGANIZATION}/groups`)
  await pages.visit(`POST ${ORGANIZATION}/groups`, { name: 'On a page', description: '' })
  const groups = await admin.get(`/api/v1/organizations/${walk.ids.org_id}/groups`)
  walk.ids.group_id = groups.body[0].id
  walk.ids.user_id = admin.id
  await pages.visit('GET /app/groups/{group_id}', {}, `?query=a&after=${AFTER}`)
  await pages.visit('POST /app/groups/{group_id}', { name: 'On a page', description: 'Saved.' })
  await pages.visit('POST /app/groups/{group_id}/members', { user_id: admin.id })
  await pages.visit('POST /app/groups/{group_id}/members/{user_id}/remove')
  await pages.visit('POST /app/groups/{group_id}/delete')
  walk.ids.group_id = groups.body[1].id
  await pages.visit(`GET ${ORGANIZATION}/runtimes`, {}, `?after=${AFTER}`)
  const { runtime_id = '', token_id = '' } = walk.ids
  const farm = { name: 'Farm on a page', hostname: 'farm.example.com', agents: ['claude'] }
  walk.ids.runtime_id = (await admin.make(`/api/v1/organizations/${walk.ids.org_id}/runtimes`, farm)).id
  await pages.visit(`POST ${ORGANIZATION}/runtimes/{runtime_id}/delete`)
  walk.ids.runtime_id = runtime_id
  const narrow = { name: 'Narrow', scope: 'read', organization_id: walk.ids.org_id }
  walk.ids.token_id = (await admin.make('/api/v1/auth/tokens', narrow)).id
  await pages.visit(`GET ${ORGANIZATION}/tokens`, {}, `?after=${AFTER}`)
  await pages.visit(`POST ${ORGANIZATION}/tokens/{token_id}/revoke`)
  walk.ids.token_id = token_id
  await pages.visit(`GET ${ORGANIZATION}/signing-keys`)
  await pages.visit(`POST ${ORGANIZATION}/signing-keys/rotate`)
  await pages.visit(`GET ${ORGANIZATION}/budget`)
  await pages.visit(`GET ${ORGANIZATION}/agents`)
  for (const what of ['model-prices', 'agent-limits']) await pages.visit(`GET ${ORGANIZATION}/${what}`)
  await pages.visit(`POST ${ORGANIZATION}/model-prices`, { model: 'o4', from: '2026-01-01', input: '1', output: '2' })
  await pages.visit(`POST ${ORGANIZATION}/model-prices/remove`, { model: 'o4', from: '2026-01-01T00:00:00Z' })
  await pages.visit(`POST ${ORGANIZATION}/agent-limits`, { agent: 'aider', max_cost_usd: '5' })
  await pages.visit(`POST ${ORGANIZATION}/agent-limits/remove`, { agent: 'aider' })
  await pages.visit(`GET ${ORGANIZATION}/audit-log`)
  await pages.visit(`GET ${ORGANIZATION}/audit-log/verify`)
  const filter = `actor_id=${admin.id}&workspace_id=${walk.ids.workspace_id}`
  for (const query of [DAYS, 'action=member.*', `${DAYS}&${filter}&action=workspace.created`, `workspace_id=${AFTER}&page=2`]) {
    await pages.visit(`GET ${ORGANIZATION}/audit-log`, {}, `?${query}`)
  }
  const workspace_id = walk.ids.workspace_id ?? ''
  await pages.visit(`POST ${ORGANIZATION}/audit-log/export`, { format: 'csv', workspace_id })
}

async function workspace(walk: Walk, { box }: Context, pages: PageWalk, admin: Actor): Promise<void> {
  await pages.visit(`GET ${WORKSPACE}`)
  await pages.visit(`GET ${WORKSPACE}`, {}, `?projects_after=${AFTER}&channels_after=${AFTER}&members_after=${AFTER}`)
  await pages.visit(`GET ${WORKSPACE}/budget`)
  const policy = { required_approvals: '1', prevent_self_approval: 'false', decide_via: ['api', 'app', 'slack', 'mail'] }
  await pages.visit(`POST ${WORKSPACE}/gate-policy`, { ...policy, expires_in_seconds: '86400' })
  await pages.visit(`POST ${WORKSPACE}/gate-policy`, { ...policy, expires_in_seconds: '' })
  const added = await box.user('Added')
  await admin.post(`/api/v1/organizations/${walk.ids.org_id}/members`, { user_id: added.id })
  walk.ids.user_id = added.id
  await pages.visit(`GET ${WORKSPACE}/members/add`, {}, `?query=added&after=${AFTER}`)
  await pages.visit(`POST ${WORKSPACE}/members/add`, { user_id: added.id, role: 'member' })
  await pages.visit(`POST ${WORKSPACE}/members/{user_id}/role`, { role: 'admin' })
  await pages.visit(`POST ${WORKSPACE}/members/{user_id}/remove`)
}

async function account(walk: Walk, { box }: Context, pages: PageWalk, admin: Actor): Promise<void> {
  await pages.visit('GET /app/account', {}, `?sessions_after=${AFTER}&identities_after=${AFTER}`)
  await pages.visit('POST /app/account', { name: admin.name })
  const brief = await box.user('Brief')
  const own = pages.as(await PageClient.signedIn(box, brief))
  const current = { current_password: PASSWORD }
  await own.visit('POST /app/account/address', { email: 'brief@elsewhere.example', ...current })
  await own.visit('POST /app/account/address/link')
  await own.visit('POST /app/account/password', { password: `${PASSWORD} again`, ...current })
  const picture = new FormData()
  picture.set('avatar', new Blob([pixel(7) as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'me.png')
  await own.upload('POST /app/account/avatar', picture)
  await own.visit('POST /app/account/avatar/remove')
  await own.visit('GET /app/account/security-log', {}, '?page=2')
  await own.visit('POST /app/account/delete', { confirm_name: brief.email, current_password: `${PASSWORD} again` })
  await PageClient.signedIn(box, admin)
  const { body: sessions } = await admin.get('/api/v1/auth/sessions')
  walk.ids.session_id = sessions[0].id
  await pages.visit('POST /app/account/sessions/{session_id}/end')
  const [identity] = await box.sql<[{ id: string }]>`
    insert into user_identities (user_id, provider, team_id, external_id)
    values (${admin.id}, 'slack', 'T0000000PGE', 'U0000000PGE')
    returning id
  `
  walk.ids.identity_id = identity.id
  await pages.visit('POST /app/account/identities/{identity_id}/unlink')
  await pages.visit('GET /app/account/tokens', {}, `?after=${AFTER}`)
  await pages.visit('POST /app/account/tokens', { name: 'Made on a page', scope: 'read', organization_id: '', expires_at: '' })
  walk.ids.token_id = (await admin.get('/api/v1/auth/tokens')).body[0].id
  await pages.visit('POST /app/account/tokens/{token_id}/revoke')
  await pages.visit('GET /app/account/notifications')
  await pages.visit('POST /app/account/notifications', { types: ['', 'gate_pending'], email_types: '', email_enabled: 'true' })
}

/** Visits these pages. */
export async function walkPlaces(walk: Walk, context: Context, pages: PageWalk, admin: Actor): Promise<void> {
  await organization(walk, context, pages, admin)
  await workspace(walk, context, pages, admin)
  await account(walk, context, pages, admin)
  await walkFactorPages(walk, context, pages, admin)
  await walkSettings(walk, context, pages, admin)
}
