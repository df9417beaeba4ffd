import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Type } from '../../core/values/schema.ts'
import { requestFactorReset } from '../auth/second-factor-resets.ts'
import { access } from '../plugins/access.ts'
import { BY_JOINING, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { addMember, joinOrganization, listMembers, removeMember, updateMember } from './members.ts'
import { pathOf } from './membership.ts'
import { Invitation, Member, MemberInput, MemberQuery, RoleInput, WorkspaceMember, WorkspaceMemberInput } from './schema.ts'
import { addWorkspaceMember, listWorkspaceMembers, removeWorkspaceMember, updateWorkspaceMember } from './workspace-members.ts'

export const members = new Elysia({ name: 'members', prefix: '/api/v1', tags: ['Members'] })
  .use(access)
  .get(
    '/organizations/:org_id/members',
    ({ request, organization, query }) =>
      listed(request, query, BY_JOINING, (slice) => listMembers(sql, organization.id, query.query ?? null, slice)),
    operation('organization', 'member', {
      id: 'listMembers',
      summary: 'List the members of an organization',
      query: MemberQuery,
      responses: { 200: Type.Array(Member) },
    }),
  )
  .post(
    '/organizations/:org_id/members',
    ({ caller, organization, change, body }) =>
      change(
        (result: Member | Invitation) => ('status' in result ? 202 : 201),
        (tx) => addMember(tx, caller, organization, body),
        (result) =>
          'status' in result ? `/api/v1/organizations/${result.organization_id}/invitations/${result.id}` : pathOf(result),
      ),
    operation('organization', 'admin', {
      id: 'addMember',
      summary: 'Add or invite a member',
      description:
        'Takes either `email` or `user_id`. A user with a verified address becomes a member at once (201). Any other address gets an invitation by mail, valid for 7 days (202); inviting it again mails a new link and restarts the 7 days. Only the owner can add or invite an `admin`. The address of the caller must be verified. An account can send 50 invitations a day, unless the operator chose another number, and an address gets 3 a day.',
      body: MemberInput,
      responses: { 201: Member, 202: Invitation },
      // Members see each other, but not who is invited.
      confidential: [202, 409],
      errors: ['address_not_verified', 'already_member', 'member_limit_reached', 'invitation_limit_reached'],
    }),
  )
  .put(
    '/organizations/:org_id/members/:member_user_id',
    ({ request, caller, organization, params, change, body }) =>
      change(200, (tx) => updateMember(tx, caller, organization, params.member_user_id.toLowerCase(), body, request)),
    operation('organization', 'admin', {
      id: 'updateMember',
      summary: "Change a member's role",
      description: 'Only the owner can promote or demote an admin. The role of the owner changes only by a transfer.',
      body: RoleInput,
      responses: { 200: Member },
      errors: ['owner_role_fixed', 'managed_by_sso'],
    }),
  )
  .delete(
    '/organizations/:org_id/members/:member_user_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => removeMember(tx, caller, organization, params.member_user_id.toLowerCase(), request)),
    operation('organization', 'member', {
      id: 'removeMember',
      summary: 'Remove a member, or leave',
      description:
        'Every member except the owner can leave. Removing another member requires the role `admin`; only the owner can remove an admin. The member loses all roles in workspaces, and workspaces that they own pass to the owner of the organization.',
      responses: { 204: null },
      errors: ['forbidden', 'owner_cannot_be_removed'],
    }),
  )
  .post(
    '/organizations/:org_id/members/:member_user_id/reset-second-factors',
    ({ caller, organization, params, change }) =>
      change(202, (tx) => requestFactorReset(tx, caller, organization, params.member_user_id.toLowerCase())),
    operation('organization', 'owner', {
      id: 'resetMemberSecondFactors',
      summary: 'Reset the second factors of a member',
      description:
        'For a member who has lost them. A link is mailed to the member, who removes their second factors with it and their password: other organizations may rely on them too. Answers 409 if the member has no second factor, or has not verified their address. A personal token needs the scope `decide`.',
      body: Nothing,
      responses: { 202: null },
      errors: ['person_required', 'invalid_transition'],
    }),
  )
  .post(
    '/organizations/:org_id/join',
    ({ caller, params, change }) => change(201, (tx) => joinOrganization(tx, caller, params.org_id), pathOf),
    operation('signedIn', true, {
      id: 'joinOrganization',
      summary: 'Join an open organization',
      description: 'You become a `member`. Responds with 404 if `registration_mode` is `invite-only`.',
      body: Nothing,
      responses: { 201: Member },
      errors: ['not_found', 'already_member', 'member_limit_reached'],
    }),
  )
  .get(
    '/workspaces/:workspace_id/members',
    ({ request, workspace, query }) =>
      listed(request, query, BY_JOINING, (slice) => listWorkspaceMembers(sql, workspace, query.query ?? null, slice)),
    operation('workspace', 'member', {
      id: 'listWorkspaceMembers',
      summary: 'List the members of a workspace',
      description:
        'Users with a role in the workspace. Owners and admins of the organization are also admins of the workspace, but are not listed.',
      query: MemberQuery,
      responses: { 200: Type.Array(WorkspaceMember) },
    }),
  )
  .post(
    '/workspaces/:workspace_id/members',
    ({ caller, workspace, change, body }) =>
      change(
        201,
        (tx) => addWorkspaceMember(tx, caller, workspace, body),
        ({ workspace_id, user_id }) => `/api/v1/workspaces/${workspace_id}/members/${user_id}`,
      ),
    operation('workspace', 'admin', {
      id: 'addWorkspaceMember',
      summary: 'Add a member to a workspace',
      body: WorkspaceMemberInput,
      responses: { 201: WorkspaceMember },
      errors: ['not_a_member', 'already_member', 'managed_by_sso'],
    }),
  )
  .put(
    '/workspaces/:workspace_id/members/:user_id',
    ({ request, caller, workspace, params, change, body }) =>
      change(200, (tx) => updateWorkspaceMember(tx, caller, workspace, params.user_id.toLowerCase(), body, request)),
    operation('workspace', 'admin', {
      id: 'updateWorkspaceMember',
      summary: "Change a member's role in a workspace",
      body: RoleInput,
      responses: { 200: WorkspaceMember },
      errors: ['managed_by_sso'],
    }),
  )
  .delete(
    '/workspaces/:workspace_id/members/:user_id',
    ({ request, caller, workspace, params, change }) =>
      change(204, (tx) => removeWorkspaceMember(tx, caller, workspace, params.user_id.toLowerCase(), request)),
    operation('workspace', 'member', {
      id: 'removeWorkspaceMember',
      summary: 'Remove a member from a workspace, or leave',
      description:
        'Removing another member requires the role `admin`. If the owner of the workspace leaves, it passes to the owner of the organization.',
      responses: { 204: null },
      errors: ['forbidden', 'managed_by_sso'],
    }),
  )
