/** The routes of service accounts, and requests of one. */
import { tomorrow } from '../support/service-accounts.ts'
import type { Actor } from '../support/signalbox.ts'
import type { PageWalk } from './every-page.ts'
import type { Walk } from './walk.ts'

const ACCOUNTS = '/api/v1/organizations/{org_id}/service-accounts'
const ACCOUNT = '/api/v1/service-accounts/{service_account_id}'

/** Leaves a service account. */
export async function walkServiceAccounts(walk: Walk, ada: Actor): Promise<void> {
  const scopes = ['work:read', 'audit:read', 'executions:write', 'gates:read']
  const place = { workspace_id: walk.ids.workspace_id, project_id: walk.ids.project_id }
  await walk.create(ada, ACCOUNTS, 'service_account_id', { name: 'Pipeline', scopes, ...place })
  const { key } = await walk.create(ada, `${ACCOUNT}/keys`, 'key_id', { name: 'Build server', expires_at: tomorrow() })
  const machine = ada.as(key)
  await walk.call(machine, 'GET /api/v1/users/me')
  await walk.call(machine, 'GET /api/v1/projects/{project_id}')
  await walk.call(ada, `PUT ${ACCOUNT}`, { name: 'Reader', scopes: ['work:read', 'audit:read'], project_id: null })
  await walk.call(machine, 'GET /api/v1/workspaces/{workspace_id}')
  await walk.call(machine, 'GET /api/v1/organizations/{org_id}/audit-logs')
  await walk.call(ada, `DELETE ${ACCOUNT}/keys/{key_id}`)
  await walk.call(ada, `DELETE ${ACCOUNT}`)
  await walk.create(ada, ACCOUNTS, 'service_account_id', { name: 'Pipeline', scopes, workspace_id: walk.ids.workspace_id })
}

const PAGE = '/app/service-accounts/{service_account_id}'
const PAGES = '/app/organizations/{org_id}/service-accounts'

/** The pages of service accounts. */
export async function serviceAccountPages(walk: Walk, pages: PageWalk, admin: Actor): Promise<void> {
  const form = { name: 'Pipeline', scopes: 'work:read', area: '' }
  await pages.visit(`GET ${PAGES}`)
  await pages.visit(`POST ${PAGES}`, form)
  await walk.create(admin, ACCOUNTS, 'service_account_id', { name: 'Pipeline', scopes: ['work:read'] })
  await pages.visit(`GET ${PAGE}`)
  await pages.visit(`POST ${PAGE}`, form)
  await pages.visit(`POST ${PAGE}/disable`)
  await pages.visit(`POST ${PAGE}/enable`)
  await pages.visit(`POST ${PAGE}/keys`, { name: 'Jenkins', expires_at: tomorrow() })
  await walk.create(admin, `${ACCOUNT}/keys`, 'key_id', { name: 'Build server', expires_at: tomorrow() })
  await pages.visit(`POST ${PAGE}/keys/{key_id}/revoke`)
  await pages.visit(`POST ${PAGE}/delete`)
}
