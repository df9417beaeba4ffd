/** The actions on members and invitations of an organization. */
import { Nothing } from '../../core/values/schema.ts'
import { organizationPage } from '../organizations/page.tsx'
import { action, orElse, pageRoutes } from '../pages/page.tsx'
import { resendInvitation, revokeInvitation } from './invitations.ts'
import { join, joinPage } from './join-page.tsx'
import { addMember, removeMember, updateMember } from './members.ts'
import { MemberInput, RoleInput } from './schema.ts'

const invite = action(
  '/app/organizations/:org_id/members',
  { organization: 'admin' },
  { on: organizationPage, body: MemberInput },
  async ({ caller, organization, change }, body) => {
    const added = await change((tx) => addMember(tx, caller, organization, body))
    if ('status' in added) return { notice: `An invitation is on its way to ${added.email}.` }
    return { notice: `${added.user_name} is a member now.` }
  },
)

const changeRole = action(
  '/app/organizations/:org_id/members/:member_user_id/role',
  { organization: 'admin' },
  { on: organizationPage, body: RoleInput },
  async ({ request, caller, organization, params, change }, body) => {
    const user_id = (params.member_user_id ?? '').toLowerCase()
    const { user_name, role } = await change((tx) => updateMember(tx, caller, organization, user_id, body, request))
    return { notice: `${user_name} is ${role === 'admin' ? 'an admin' : 'a member'} now.` }
  },
)

const remove = action(
  '/app/organizations/:org_id/members/:member_user_id/remove',
  { organization: 'member' },
  { on: organizationPage, body: Nothing },
  async ({ request, caller, organization, params, change }) => {
    const user_id = (params.member_user_id ?? '').toLowerCase()
    await change((tx) => removeMember(tx, caller, organization, user_id, request))
    if (user_id === caller.id) return { notice: 'You left the organization.', to: '/app' }
    return { notice: 'The member was removed.' }
  },
)

const resend = action(
  '/app/organizations/:org_id/invitations/:invitation_id/resend',
  { organization: 'admin' },
  { on: organizationPage, body: Nothing },
  async ({ caller, organization, params, change }) => {
    const { email } = await change((tx) => resendInvitation(tx, caller, organization, params.invitation_id ?? ''))
    return { notice: `A new invitation is on its way to ${email}. The link of the old one does not work any more.` }
  },
)

const revoke = action(
  '/app/organizations/:org_id/invitations/:invitation_id/revoke',
  { organization: 'admin' },
  { on: organizationPage, body: Nothing },
  async ({ request, caller, organization, params, change }) => {
    await change((tx) => revokeInvitation(tx, caller, organization, params.invitation_id ?? '', request))
    return { notice: 'The invitation was revoked. Its link does not work any more.' }
  },
)

export const organizationPages = pageRoutes(
  'organization-pages',
  orElse(organizationPage, joinPage),
  joinPage,
  join,
  invite,
  changeRole,
  remove,
  resend,
  revoke,
)
