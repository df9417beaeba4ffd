/** Service accounts: identities of programs, in an organization or a part of it, with scopes in place of roles. */
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { lockOrganization } from '../members/membership.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import type { ServiceAccount, ServiceAccountInput, ServiceAccountUpdate } from './schema.ts'

export const MAX_SERVICE_ACCOUNTS = 100

type Key = ResourceKey<'service_account'>

const columns = sql`
  account.id, account.organization_id, account.workspace_id, account.project_id, account.name, account.description,
  account.scopes,
  account.enabled, account.last_used_at, account.last_used_address, account.created_by,
  actor_of(account.created_by, account.organization_id) as actor, account.created_at, account.updated_at
`

/** A service account. @param lock as SQL @throws Problem `not_found` */
export async function getServiceAccount(db: Queryable, { id, organization_id }: Key, lock = sql``): Promise<ServiceAccount> {
  const [account] = await db<ServiceAccount[]>`
    select ${columns}
    from service_accounts as account
    where account.id = ${id} and account.organization_id = ${organization_id} and account.deleted_at is null
    ${lock}
  `
  if (!account) throw notFound('service_account')
  return account
}

export function listServiceAccounts(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<ServiceAccount[]>`
    select ${columns}
    from service_accounts as account
    where account.organization_id = ${organization_id}
      and account.deleted_at is null
      ${following(sql`account.created_at, account.id`, after)}
    order by account.created_at desc, account.id desc
    limit ${limit}
  `
}

/** Where an audit entry about an account belongs: to its workspace, if it works in one alone. */
const scopeOf = ({ organization_id, workspace_id }: Pick<ServiceAccount, 'organization_id' | 'workspace_id'>): Scope => ({
  organization_id,
  workspace_id,
  project_id: null,
})

/** Records a change of an account, or of its keys or trusts. @param action begins with the type of `resource_id` */
export const recordChange = (
  tx: Tx,
  by: Caller,
  account: Pick<ServiceAccount, 'organization_id' | 'workspace_id'>,
  action: `service_account${'' | '_key' | '_trust'}.${string}`,
  resource_id: string,
  what: string,
) => {
  const [resource_type = ''] = action.split('.')
  return record(tx, by, scopeOf(account), { action, resource_type, resource_id, detail: `${by.name} ${what}` })
}

interface Area {
  workspace_id: string | null
  project_id: string | null
}

/** Locks its workspace and project. A project stands for its workspace. @throws Problem 422 if it is not in the organization */
async function lockArea(tx: Tx, organization_id: string, { workspace_id, project_id }: Partial<Area>): Promise<Area> {
  if (project_id != null) {
    const [project] = await tx<{ workspace_id: string }[]>`
      select workspace_id from projects where id = ${project_id} and organization_id = ${organization_id} for key share
    `
    if (!project || (workspace_id != null && workspace_id.toLowerCase() !== project.workspace_id))
      throw invalidField('/project_id', 'unknown', 'is not a project of that workspace and organization')
    if (workspace_id === null) throw invalidField('/project_id', 'unknown', 'must be null for an account of all workspaces')
    return { workspace_id: project.workspace_id, project_id }
  }
  if (workspace_id == null) return { workspace_id: null, project_id: null }
  const [workspace] = await tx`
    select from workspaces where id = ${workspace_id} and organization_id = ${organization_id} for key share
  `
  if (!workspace) throw invalidField('/workspace_id', 'unknown', 'is not a workspace of the organization')
  return { workspace_id, project_id: null }
}

/** Creates a service account. @throws Problem `service_account_limit_reached`; 422 for an unknown area */
export async function createServiceAccount(
  tx: Tx,
  by: Caller,
  organization: ResourceKey<'organization'>,
  input: ServiceAccountInput,
): Promise<ServiceAccount> {
  const { organization_id } = organization
  // Locked, so that two requests at once cannot both create the last account.
  await lockOrganization(tx, organization_id)
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) from service_accounts where organization_id = ${organization_id} and deleted_at is null
  `
  if (count >= MAX_SERVICE_ACCOUNTS) {
    const detail = `An organization can have at most ${MAX_SERVICE_ACCOUNTS} service accounts. Delete one first.`
    throw new Problem('service_account_limit_reached', detail)
  }
  const { workspace_id, project_id } = await lockArea(tx, organization_id, input)
  const { name, description = null, scopes, enabled = true } = input
  const [{ id }] = await tx<[{ id: string }]>`
    insert into service_accounts (organization_id, workspace_id, project_id, name, description, scopes, enabled, created_by)
    values (
      ${organization_id}, ${workspace_id}, ${project_id}, ${name}, ${description}, ${scopes}, ${enabled}, ${by.id}
    )
    returning id
  `
  const what = `created the service account ${name} with the scopes ${scopes.join(', ')}.`
  await recordChange(tx, by, { organization_id, workspace_id }, 'service_account.created', id, what)
  return getServiceAccount(tx, resourceKey('service_account', id, organization))
}

/** Locks an account, so that it does not change until commit. @throws Problem `not_found` */
export const lockServiceAccount = (tx: Tx, key: Key): Promise<ServiceAccount> =>
  getServiceAccount(tx, key, sql`for no key update`)

/** The area of an account after an update: a project that is not in the new workspace has to be named anew. */
function areaAfter(before: ServiceAccount, input: ServiceAccountUpdate): Partial<Area> {
  if (input.workspace_id === undefined && input.project_id != null) return { project_id: input.project_id }
  const { workspace_id = before.workspace_id, project_id = before.project_id } = input
  return { workspace_id, project_id }
}

/** Updates the fields that differ. @throws Problem 422 for an unknown area */
export async function updateServiceAccount(tx: Tx, by: Caller, key: Key, input: ServiceAccountUpdate, request: Request) {
  const before = await lockServiceAccount(tx, key)
  requireMatch(request, before.updated_at)
  const { workspace_id, project_id, ...rest } = input
  const isMoved = workspace_id !== undefined || project_id !== undefined
  const area = isMoved ? await lockArea(tx, key.organization_id, areaAfter(before, input)) : {}
  const changed = changedFields(before, { ...rest, ...area })
  if (!changed) return before
  await tx`
    update service_accounts
    set ${tx(changed)}
    where id = ${key.id} and organization_id = ${key.organization_id}
  `
  const about = { resource_type: 'service_account', resource_id: key.id, what: `the service account ${before.name}` }
  await recordUpdate(tx, by, scopeOf({ ...before, ...area }), about, fieldChanges(before, changed))
  return getServiceAccount(tx, key)
}

/** Deletes an account, with its keys and trusts. Its row stays, so that records show its name. */
export async function deleteServiceAccount(tx: Tx, by: Caller, key: Key, request: Request): Promise<null> {
  const account = await lockServiceAccount(tx, key)
  requireMatch(request, account.updated_at)
  const { id, organization_id } = key
  await tx`update service_accounts set deleted_at = now() where id = ${id} and organization_id = ${organization_id}`
  await tx`delete from service_account_keys where service_account_id = ${id} and organization_id = ${organization_id}`
  await tx`delete from service_account_trusts where service_account_id = ${id} and organization_id = ${organization_id}`
  await recordChange(tx, by, account, 'service_account.deleted', id, `deleted the service account ${account.name}.`)
  return null
}

const MOST = 500

export interface NamedArea {
  /** `workspace:<id>` or `project:<id>`. */
  value: string
  name: string
}

export const listAreas = (db: Queryable, organization_id: string) => db<NamedArea[]>`
  select 'workspace:' || workspace.id as value, workspace.name as name
  from workspaces as workspace
  where workspace.organization_id = ${organization_id}
  union all
  select 'project:' || project.id, workspace.name || ' / ' || project.name
  from projects as project
  join workspaces as workspace
    on workspace.id = project.workspace_id
    and workspace.organization_id = project.organization_id
  where project.organization_id = ${organization_id}
  order by name, value
  limit ${MOST}
`

export function areaValueOf({ workspace_id, project_id }: Area): string {
  if (project_id !== null) return `project:${project_id}`
  return workspace_id === null ? '' : `workspace:${workspace_id}`
}

/** The fields that an area of a form means. @throws Problem 422 */
export function areaIn(value: string): { workspace_id?: string | null; project_id: string | null } {
  const [, kind, id = ''] = /^(workspace|project):([0-9a-f-]{36})$/.exec(value) ?? []
  if (kind === 'project') return { project_id: id }
  if (kind === 'workspace') return { workspace_id: id, project_id: null }
  if (value === '') return { workspace_id: null, project_id: null }
  throw invalidField('/area', 'unknown', 'must be one of the list')
}

export interface Refusal {
  id: string
  detail: string
  ip_address: string | null
  created_at: string
}

export const listRefusals = (db: Queryable, { id, organization_id }: Key, limit: number) => db<Refusal[]>`
  select id, detail, ip_address, created_at
  from audit_log_entries
  where organization_id = ${organization_id}
    and action collate "C" = 'service_account.sign_in_refused'
    and resource_id = ${id}
  order by created_at desc, id desc
  limit ${limit}
`
