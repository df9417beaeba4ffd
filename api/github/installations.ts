/** Installations of the app that an organization has connected. */

import { createLane } from '../../core/delivery/lanes.ts'
import { appToken, keyOf, type StoredApp } from '../../core/github/app.ts'
import { callGitHub } from '../../core/github/client.ts'
import { missingPermissions, PERMISSIONS, type Permission } from '../../core/github/permissions.ts'
import { reconsiderRequests } from '../../core/github/requests.ts'
import { idOf, objectIn, textOf } from '../../core/github/sent.ts'
import { syncInstallations } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { record, recordAll } from '../../core/security/audit.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { Described, Instant, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Json, Queryable, Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { notConnected, requireApp } from './authorizations.ts'
import { answeredText, askGitHub } from './calls.ts'

export const Installation = Shape('GitHubInstallation', {
  id: Uuid,
  installation_id: Type.Integer({ description: 'Its id at GitHub.', examples: [52830114] }),
  account: Shape({
    id: Type.Integer({ examples: [6811672] }),
    login: Type.String({ examples: ['acme'] }),
    type: Type.String({ description: '`Organization` or `User`.', examples: ['Organization'] }),
  }),
  status: OneOf(['active', 'suspended', 'removed'], { description: '`removed`: the app was uninstalled at GitHub.' }),
  missing_permissions: Type.Array(OneOf(Object.keys(PERMISSIONS) as Permission[]), {
    description: 'What the app asks for, and an owner has not accepted.',
    examples: [[]],
  }),
  created_by: Described(Uuid, 'Who has connected it.'),
  created_at: Instant,
})
export type Installation = Static<typeof Installation>

export const MAX_INSTALLATIONS = 20

type Row = Omit<Installation, 'missing_permissions'> & { permissions: Record<string, unknown> }

const columns = sql`
  id, installation_id, jsonb_build_object('id', account_id, 'login', account_login, 'type', account_type) as account, status,
  permissions, created_by, created_at
`

const shown = ({ permissions, ...row }: Row): Installation => ({
  ...row,
  missing_permissions: row.status === 'removed' ? [] : missingPermissions(permissions, row.account.type),
})

/** The installations of an organization, newest first. */
export async function listInstallations(db: Queryable, organization_id: string): Promise<Installation[]> {
  const rows = await db<Row[]>`
    select ${columns}
    from github_installations
    where organization_id = ${organization_id} and unbound_at is null
    order by id desc
  `
  return rows.map(shown)
}

/** An installation as GitHub describes it. */
interface Seen {
  installation_id: number
  account: Installation['account']
  isSuspended: boolean
  permissions: Record<string, unknown>
}

/** Asks GitHub about an installation. @throws Problem `github_not_connected`, `github_unavailable` */
export async function seeInstallation(installation_id: number): Promise<Seen> {
  const app: StoredApp = await requireApp()
  const token = await appToken(await keyOf(app))
  const answer = await askGitHub(callGitHub(app.url, `/app/installations/${installation_id}`, { token }))
  const { account, permissions, suspended_at } = objectIn(answer.body)
  const { id, login, type } = objectIn(account)
  const [account_id, name] = [idOf(id), textOf(login, 255)]
  if (answer.status !== 200 || account_id === null || name === null)
    throw notConnected(
      `GitHub does not know this installation any more: it answered ${answeredText(answer)}. Install the app again.`,
    )
  return {
    installation_id,
    account: { id: account_id, login: name, type: textOf(type, 64) ?? 'Organization' },
    isSuspended: suspended_at != null,
    permissions: objectIn(permissions),
  }
}

const scopeOf = (organization_id: string) => ({ organization_id, workspace_id: null, project_id: null })

/** Until the commit, the app is not removed. @throws Problem `not_found` */
async function keepApp(tx: Tx): Promise<void> {
  const [app] = await tx`select from github_apps where is_only for key share`
  if (!app) throw notFound('page')
}

/**
 * Binds an installation to an organization; one that is bound there already stays as it is.
 * @throws Problem `not_found`, `installation_taken`, `installation_limit_reached`
 */
export async function bindInstallation(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  { installation_id, account, isSuspended, permissions }: Seen,
): Promise<Installation> {
  await keepApp(tx)
  // Locked, so that two requests at once cannot both bind the last one.
  await tx`select from organizations where id = ${organization_id} for no key update`
  const before = await listInstallations(tx, organization_id)
  const same = before.find((each) => each.installation_id === installation_id)
  if (same) return same
  if (before.length >= MAX_INSTALLATIONS)
    throw new Problem(
      'installation_limit_reached',
      `An organization can have at most ${MAX_INSTALLATIONS} installations. Disconnect one first.`,
    )
  const bound = await tx`
    insert into github_bindings (installation_id, organization_id)
    values (${installation_id}, ${organization_id})
    on conflict (installation_id) do nothing
  `
  if (bound.count === 0)
    throw new Problem(
      'installation_taken',
      `The installation of ${account.login} is connected to another organization. An admin has to disconnect it there first.`,
    )
  const [row] = await tx<[Row]>`
    insert into github_installations (
      organization_id, installation_id, account_id, account_login, account_type, status, permissions, created_by
    )
    values (
      ${organization_id}, ${installation_id}, ${account.id}, ${account.login}, ${account.type},
      ${isSuspended ? 'suspended' : 'active'}, ${tx.json(permissions as Json)}, ${by.id}
    )
    returning ${columns}
  `
  await createLane(tx, 'github', row.id, organization_id, false)
  await record(tx, by, scopeOf(organization_id), {
    action: 'github_installation.bound',
    resource_type: 'github_installation',
    resource_id: row.id,
    detail: `${by.name} connected the installation ${installation_id} of ${account.login} at GitHub.`,
  })
  await syncInstallations(tx, [{ id: row.id, organization_id }])
  return shown(row)
}

interface Unlinked extends ProjectScope {
  full_name: string
}

/** Records that projects are not linked to their repositories any more. */
export const recordUnlinked = (tx: Tx, by: Caller, unlinked: Unlinked[]): Promise<void> =>
  recordAll(
    tx,
    by,
    unlinked.map(({ full_name, ...scope }) => ({
      scope,
      entry: {
        action: 'github_repository.unlinked',
        resource_type: 'project',
        resource_id: scope.project_id,
        detail: `${by.name} unlinked the repository ${full_name}.`,
      },
    })),
  )

/** Unbinds an installation, and unlinks its repositories: runs that wait are rejected. @throws Problem `not_found` */
export async function removeInstallation(
  tx: Tx,
  by: Caller,
  { organization_id }: Resource<'organization'>,
  id: string,
  request: Request,
): Promise<null> {
  const [row] = isUuid(id)
    ? await tx<Row[]>`
        select ${columns}
        from github_installations
        where id = ${id} and organization_id = ${organization_id} and unbound_at is null
        for no key update
      `
    : []
  if (!row) throw notFound('installation')
  requireMatch(request, null)
  const unlinked = await tx<Unlinked[]>`
    delete from github_repositories
    where lane_id = ${row.id} and organization_id = ${organization_id}
    returning organization_id, workspace_id, project_id, full_name
  `
  await tx`update github_installations set unbound_at = now() where id = ${row.id} and organization_id = ${organization_id}`
  await tx`delete from github_bindings where installation_id = ${row.installation_id}`
  await recordUnlinked(tx, by, unlinked)
  await record(tx, by, scopeOf(organization_id), {
    action: 'github_installation.removed',
    resource_type: 'github_installation',
    resource_id: row.id,
    detail: `${by.name} disconnected the installation ${row.installation_id} of ${row.account.login} at GitHub.`,
  })
  await reconsiderRequests(tx, organization_id, sql`request.lane_id = ${row.id}`)
  return null
}
