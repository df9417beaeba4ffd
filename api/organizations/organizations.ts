import { changesBudget, checkBudget } from '../../core/budgets/budgets.ts'
import { refuseWaiting } from '../../core/github/requests.ts'
import { addJob, removeJobs } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Fragment, Json, Queryable, Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { requireSecondFactorOf } from '../auth/second-factors.ts'
import { requirePerson } from '../credentials/scopes.ts'
import {
  getMember,
  lockOrganization,
  lockUser,
  organizationScope,
  requiredSignOn,
  requireRole,
  roleOf,
  setRoles,
} from '../members/membership.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound, Problem } from '../problems.ts'
import { endConnection } from '../sso/unlinking.ts'
import { freeName, keyOf, numberedKey, numberedSlug, slugOf } from './keys.ts'
import type { Organization, OrganizationInput, OrganizationSummary, OrganizationUpdate } from './schema.ts'

const summaryColumns = sql`
  organization.id, organization.name, organization.org_key, organization.slug, organization.owner_id,
  organization.member_count, organization.workspace_count, organization.created_at
`

export async function getOrganization(db: Queryable, organization_id: string): Promise<Organization> {
  const [organization] = await db<Organization[]>`
    select
      ${summaryColumns},
      organization.description, organization.logo_url, organization.settings,
      organization.budget_monthly_limit_usd,
      coalesce(spend.used_usd, 0) as budget_used_usd,
      organization.budget_alert_threshold, organization.registration_mode, organization.require_second_factor,
      organization.max_workspaces, organization.max_members, organization.updated_at
    from organizations as organization
    left join organization_spend as spend
      on spend.organization_id = organization.id
      and spend.month = date_trunc('month', now())::date
    where organization.id = ${organization_id}
      and organization.deleted_at is null
  `
  if (!organization) throw notFound('organization')
  return organization
}

export async function getOpenOrganization(db: Queryable, organization_id: string): Promise<OrganizationSummary> {
  const [organization] = await db<OrganizationSummary[]>`
    select ${summaryColumns}
    from organizations as organization
    where organization.id = ${organization_id}
      and organization.registration_mode = 'open'
      and organization.deleted_at is null
  `
  if (!organization) throw notFound('organization')
  return organization
}

/** The organizations that the caller is a member of, newest first; for a restricted token, only its organization. */
export function listOrganizations(db: Queryable, by: Caller, { limit, after }: Slice) {
  return acrossTenants(db<OrganizationSummary[]>`
    select ${summaryColumns}
    from organization_members as member
    join organizations as organization on organization.id = member.organization_id
    where member.user_id = ${by.id}
      and (${by.bound_to}::uuid is null or member.organization_id = ${by.bound_to})
      ${following(sql`organization.created_at, organization.id`, after)}
    order by organization.created_at desc, organization.id desc
    limit ${limit}
  `)
}

const isTaken = (kind: 'slug' | 'org_key') => (name: Fragment) =>
  sql`
  (select true from organization_names where ${sql(kind)} = ${name}) is not null
`

interface Names {
  organization_id: string
  org_key: string
  slug: string
}

/**
 * Reserves a free slug and key for a new organization. Organizations with the same base key are created one after the other, under an
 * advisory lock.
 *
 * @returns null on a conflict with a name derived differently, e.g. "Acme 2" and the second "Acme"
 */
async function reserveNames(tx: Tx, name: string): Promise<Names | null> {
  const slug = slugOf(name)
  const key = keyOf(slug)
  const [, [free]] = await Promise.all([
    tx`select pg_advisory_xact_lock(hashtextextended(${`org_key ${key}`}, 0))`,
    tx<[Names]>`
      select
        uuidv7() as organization_id,
        ${freeName(numberedKey(key), isTaken('org_key'))} as org_key,
        ${freeName(numberedSlug(slug), isTaken('slug'))} as slug
    `,
  ])
  const reserved = await tx`insert into organization_names ${tx(free)} on conflict do nothing`
  return reserved.count === 1 ? free : null
}

async function insertOrganization(tx: Tx, by: Caller, { name, description }: OrganizationInput): Promise<string> {
  let names: Names | null = null
  while (names === null) names = await reserveNames(tx, name)
  const { organization_id: id, org_key, slug } = names
  await Promise.all([
    tx`
      insert into organizations (id, name, org_key, slug, owner_id, description)
      values (${id}, ${name}, ${org_key}, ${slug}, ${by.id}, ${description ?? null})
    `,
    tx`insert into organization_members (organization_id, user_id, role) values (${id}, ${by.id}, 'owner')`,
  ])
  return id
}

/** Shows a member, on the first page of the app, what the organization still lacks; for two months at most. Or shows it no more. */
export async function showSetup(tx: Tx, by: Caller, organization_id: string, isShown: boolean): Promise<void> {
  await tx`
    update organization_members
    set setup_until = ${isShown ? tx`now() + interval '60 days'` : null}
    where organization_id = ${organization_id} and user_id = ${by.id}
  `
}

export async function createOrganization(tx: Tx, by: Caller, input: OrganizationInput): Promise<Organization> {
  const id = await insertOrganization(tx, by, input)
  await record(tx, by, organizationScope(id), {
    action: 'organization.created',
    resource_type: 'organization',
    resource_id: id,
    detail: `${by.name} created the organization ${input.name}.`,
  })
  return getOrganization(tx, id)
}

/**
 * Requires a second factor of all members, or no more. Every membership has a copy of the setting.
 *
 * @throws Problem `forbidden` if the caller is not the owner, `person_required`; `second_factor_required` (409) if they have none
 */
async function requireSecondFactors(tx: Tx, by: Caller, organization_id: string, isRequired: boolean): Promise<void> {
  await requireRole(tx, by, organization_id, 'owner')
  await requirePerson(tx, by, 'change whether members need a second factor')
  if (isRequired)
    await requireSecondFactorOf(tx, by.id, 'You have no second factor. Set one up before you require one of others.')
  await tx`
    update organization_members
    set second_factor_required = ${isRequired}
    where organization_id = ${organization_id}
  `
}

/** Updates the fields that differ. @throws Problem those of `requireSecondFactors` */
export async function updateOrganization(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  input: OrganizationUpdate,
  request: Request,
): Promise<Organization> {
  // Users are locked before organizations.
  if (input.require_second_factor) await lockUser(tx, { user_id: by.id })
  const { updated_at } = await lockOrganization(tx, organization_id)
  requireMatch(request, updated_at)
  const before = await getOrganization(tx, organization_id)
  const changed = changedFields(before, input)
  if (!changed) return before
  if (changed.require_second_factor !== undefined)
    await requireSecondFactors(tx, by, organization_id, changed.require_second_factor)
  const { settings, ...rest } = changed
  const columns = { ...rest, ...(settings === undefined ? {} : { settings: tx.json(settings as Json) }) }
  await tx`update organizations set ${tx(columns)} where id = ${organization_id}`
  const about = { resource_type: 'organization', resource_id: organization_id, what: `the organization ${before.name}` }
  await recordUpdate(tx, by, organizationScope(organization_id), about, fieldChanges(before, changed))
  if (changesBudget(changed)) await checkBudget(tx, by, organizationScope(organization_id))
  return getOrganization(tx, organization_id)
}

/** Its contents are inaccessible at once; the worker deletes the rows, possibly millions, in the background. */
export async function deleteOrganization(tx: Tx, by: Caller, { organization_id }: ResourceKey<'organization'>, request: Request) {
  const before = await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'owner')
  requireMatch(request, before.updated_at)
  await record(tx, by, organizationScope(organization_id), {
    action: 'organization.deleted',
    resource_type: 'organization',
    resource_id: organization_id,
    detail: `${by.name} deleted the organization ${before.name} and everything in it.`,
  })
  await refuseWaiting(tx, organization_id)
  await tx`update organizations set deleted_at = now() where id = ${organization_id}`
  await tx`delete from github_bindings where organization_id = ${organization_id}`
  await tx`delete from organization_names where organization_id = ${organization_id}`
  await tx`delete from organization_members where organization_id = ${organization_id}`
  await endConnection(tx, organization_id, before.name)
  await tx`delete from service_accounts where organization_id = ${organization_id}`
  await removeJobs(tx, organization_id)
  await addJob(tx, 'purge_organization', { organization_id })
  return null
}

/**
 * Makes another member the owner; the previous owner becomes an admin. Deferred constraints ensure exactly one owner.
 *
 * @throws Problem `forbidden` if the caller is no longer the owner; `already_owner`, `not_a_member`; `second_factor_required` (409) if the new
 *   owner lacks the second factor that the organization requires
 */
export async function transferOwnership(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  new_owner_id: string,
): Promise<Organization> {
  await lockUser(tx, { user_id: new_owner_id })
  const organization = await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'owner')
  const newOwnerId = new_owner_id.toLowerCase()
  if (newOwnerId === by.id) throw new Problem('already_owner', 'You are already the owner. Choose another member.')
  if (!(await roleOf(tx, organization_id, newOwnerId))) {
    const detail = 'is not a member of the organization; add the user first'
    throw new Problem('not_a_member', `/new_owner_id ${detail}`, [{ pointer: '/new_owner_id', code: 'not_a_member', detail }])
  }
  if (organization.require_second_factor || (await requiredSignOn(tx, organization_id)).required !== null) {
    const detail = 'The new owner has no second factor, which this organization requires. They have to set one up first.'
    await requireSecondFactorOf(tx, newOwnerId, detail)
  }
  const [owner, successor] = [await getMember(tx, organization_id, by.id), await getMember(tx, organization_id, newOwnerId)]
  // The previous owner first: the unique index on owners is not deferred.
  await setRoles(tx, by, organization, [
    { member: owner, role: 'admin' },
    { member: successor, role: 'owner' },
  ])
  await tx`update organizations set owner_id = ${newOwnerId} where id = ${organization_id}`
  await record(tx, by, organizationScope(organization_id), {
    action: 'organization.transferred',
    resource_type: 'organization',
    resource_id: organization_id,
    detail: `${by.name} made ${successor.user_name} the owner of the organization ${organization.name}.`,
  })
  return getOrganization(tx, organization_id)
}
