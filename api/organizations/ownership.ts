import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { requireSecondFactorOf } from '../auth/second-factors.ts'
import { lockOrganization, organizationScope, requireRole, roleOf } from '../members/locked-organization.ts'
import { getMember, lockUser, setRoles } from '../members/membership.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'
import { getOrganization } from './organizations.ts'
import type { Organization } from './schema.ts'

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
  if (organization.require_second_factor) {
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
