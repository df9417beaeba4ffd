/** The actions on members and invitations of an organization, and on members of a workspace. */

import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { getOpenOrganization } from '../organizations/organizations.ts'
import { organizationPage, peoplePage } from '../organizations/page.tsx'
import { Form, Select, Submit } from '../pages/components/forms.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty, Section } from '../pages/components/structure.tsx'
import { actionOn, orElse, page, pageRoutes } from '../pages/page.tsx'
import { BY_JOINING, Cursor } from '../plugins/lists.ts'
import { savePolicy, workspacePage } from '../workspaces/page.tsx'
import { resendInvitation, revokeInvitation } from './invitations.ts'
import { MemberChoice, MemberFilter } from './lists.tsx'
import { addMember, joinOrganization, listMembers, removeMember, updateMember } from './members.ts'
import { MemberInput, RoleInput, WorkspaceMemberInput } from './schema.ts'
import { addWorkspaceMember, listWorkspaceMembers, removeWorkspaceMember, updateWorkspaceMember } from './workspace-members.ts'

const joinPage = page('/app/organizations/:org_id/join', { signedIn: true }, async ({ params }) => {
  const { id, name, member_count } = await getOpenOrganization(sql, params.org_id ?? '')
  return {
    title: name,
    main: (
      <div class="card">
        <p>
          {name} is open to everyone with an account. It has {member_count.toLocaleString('en')}{' '}
          {member_count === 1 ? 'member' : 'members'}, who can see your name and e-mail address when you join.
        </p>
        <Form action={`/app/organizations/${id}/join`}>
          <Submit>Join {name}</Submit>
        </Form>
      </div>
    ),
  }
})

const join = actionOn(joinPage, '', { signedIn: true }, Nothing, async ({ caller, params, change }) => {
  const { organization_id } = await change((tx) => joinOrganization(tx, caller, params.org_id ?? ''))
  return { to: `/app/organizations/${organization_id}`, notice: 'You are a member now.' }
})

const invite = actionOn(
  peoplePage,
  '',
  { organization: 'admin' },
  MemberInput,
  async ({ caller, organization, change }, body) => {
    const added = await change((tx) => addMember(tx, caller, organization, body))
    if ('status' in added) return { notice: `An invitation is on its way to ${added.email}.` }
    return { notice: `${added.user_name} is a member now.` }
  },
)

const changeRole = actionOn(
  peoplePage,
  '/:member_user_id/role',
  { organization: 'admin' },
  RoleInput,
  async ({ request, caller, organization, params, change }, body) => {
    const user_id = (params.member_user_id ?? '').toLowerCase()
    const { user_name, role } = await change((tx) => updateMember(tx, caller, organization, user_id, body, request))
    return { notice: `${user_name} is ${role === 'admin' ? 'an admin' : 'a member'} now.` }
  },
)

const remove = actionOn(
  peoplePage,
  '/:member_user_id/remove',
  { organization: 'member' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    const user_id = (params.member_user_id ?? '').toLowerCase()
    await change((tx) => removeMember(tx, caller, organization, user_id, request))
    if (user_id === caller.id) return { notice: 'You left the organization.', to: '/app' }
    return { notice: 'The member was removed.' }
  },
)

const resend = actionOn(
  peoplePage,
  '/invitations/:invitation_id/resend',
  { organization: 'admin' },
  Nothing,
  async ({ caller, organization, params, change }) => {
    const { email } = await change((tx) => resendInvitation(tx, caller, organization, params.invitation_id ?? ''))
    return { notice: `A new invitation is on its way to ${email}. The link of the old one does not work any more.` }
  },
)

const revoke = actionOn(
  peoplePage,
  '/invitations/:invitation_id/revoke',
  { organization: 'admin' },
  Nothing,
  async ({ request, caller, organization, params, change }) => {
    await change((tx) => revokeInvitation(tx, caller, organization, params.invitation_id ?? '', request))
    return { notice: 'The invitation was revoked. Its link does not work any more.' }
  },
)

/** Members of the workspace that the form leaves out. Adding a person twice is refused with a message. */
const KNOWN = { limit: 1000, after: null }

const addPage = page(
  '/app/workspaces/:workspace_id/members/add',
  { workspace: 'admin' },
  async ({ workspace, url, query }) => {
    const [candidates, members] = await Promise.all([
      listMembers(sql, workspace.organization_id, query.query ?? null, partAfter(url, query, 'after', BY_JOINING)),
      listWorkspaceMembers(sql, workspace, null, KNOWN),
    ])
    const known = new Set(members.map(({ user_id }) => user_id))
    const offered = shownOf(candidates).filter(({ user_id }) => !known.has(user_id))
    return {
      title: 'Add a member',
      main: (
        <>
          <p>
            Members of the organization can be added to this workspace. Other people have to be invited to the{' '}
            <a href={`/app/organizations/${workspace.organization_id}/people`}>organization</a> first.
          </p>
          <MemberFilter url={url} />
          <Section title="Who">
            {offered.length === 0 ? (
              <Empty>Everyone found is already a member of this workspace. Search for another name.</Empty>
            ) : (
              <Form card action={`/app/workspaces/${workspace.id}/members/add`}>
                <MemberChoice name="user_id" label="Member of the organization" of={offered} required />
                <Select
                  name="role"
                  label="Role"
                  required
                  options={Object.entries({ member: 'Member', admin: 'Admin: decides gates, manages members and settings' })}
                />
                <Submit>Add</Submit>
              </Form>
            )}
            <Parts of="members" url={url} name="after" rows={candidates} order={BY_JOINING} />
          </Section>
        </>
      ),
    }
  },
  Shape({ after: Cursor, query: Maybe(Text(254)) }),
)

const add = actionOn(addPage, '', { workspace: 'admin' }, WorkspaceMemberInput, async ({ caller, workspace, change }, body) => {
  const { user_name } = await change((tx) => addWorkspaceMember(tx, caller, workspace, body))
  return { notice: `${user_name} was added to the workspace.`, to: `/app/workspaces/${workspace.id}` }
})

const changeWorkspaceRole = actionOn(
  workspacePage,
  '/members/:user_id/role',
  { workspace: 'admin' },
  RoleInput,
  async ({ request, caller, workspace, params, change }, body) => {
    const user_id = (params.user_id ?? '').toLowerCase()
    const { user_name, role } = await change((tx) => updateWorkspaceMember(tx, caller, workspace, user_id, body, request))
    return { notice: `${user_name} is ${role === 'admin' ? 'an admin' : 'a member'} of the workspace now.` }
  },
)

const removeFromWorkspace = actionOn(
  workspacePage,
  '/members/:user_id/remove',
  { workspace: 'member' },
  Nothing,
  async ({ request, caller, workspace, params, change }) => {
    const user_id = (params.user_id ?? '').toLowerCase()
    await change((tx) => removeWorkspaceMember(tx, caller, workspace, user_id, request))
    if (user_id !== caller.id) return { notice: 'The member was removed from the workspace.' }
    return { notice: 'You left the workspace.', to: `/app/organizations/${workspace.organization_id}` }
  },
)

export const memberPages = pageRoutes(
  'member-pages',
  orElse(organizationPage, joinPage),
  peoplePage,
  joinPage,
  join,
  invite,
  changeRole,
  remove,
  resend,
  revoke,
  workspacePage,
  savePolicy,
  addPage,
  add,
  changeWorkspaceRole,
  removeFromWorkspace,
)
