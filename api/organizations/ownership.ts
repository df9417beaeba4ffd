import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { lockOrganization, organizationPlace, requireRole, roleOf } from '../members/locked-organization.ts'
import { getMember, lockUser, setRoles } from '../members/membership.ts'
import type { Caller, Resource } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { getOrganization } from './organizations.ts'
import type { Organization } from './schema.ts'

/**
 * Makes another member the owner; the old one becomes an admin. At every instant there is one: the database asks for it
 * when the transaction ends.
 *
 * @throws Problem `forbidden` where the caller is not the owner any more, `already_owner`, `not_a_member`
 */
export async function transferOwnership(
  tx: Tx,
  by: Caller,
  { organization_id }: Resource,
  new_owner_id: string,
): Promise<Organization> {
  await lockUser(tx, { user_id: new_owner_id })
  const organization = await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'owner')
  const heir = new_owner_id.toLowerCase()
  if (heir === by.id) throw new Problem('already_owner', 'You are the owner already. Name another member.')
  if (!(await roleOf(tx, organization_id, heir))) {
    const detail = 'must be a member of the organization; add them first'
    throw new Problem('not_a_member', `/new_owner_id: ${detail}`, [{ pointer: '/new_owner_id', code: 'not_a_member', detail }])
  }
  const [owner, successor] = [await getMember(tx, organization_id, by.id), await getMember(tx, organization_id, heir)]
  // The old owner first: two at once would trip the index, even for an instant.
  await setRoles(tx, by, organization, [
    { member: owner, role: 'admin' },
    { member: successor, role: 'owner' },
  ])
  await tx`update organizations set owner_id = ${heir} where id = ${organization_id}`
  await record(tx, by, organizationPlace(organization_id), {
    action: 'organization.transferred',
    resource_type: 'organization',
    resource_id: organization_id,
    detail: `${by.name} made ${successor.user_name} the owner of the organization ${organization.name}.`,
  })
  return getOrganization(tx, organization_id)
}
