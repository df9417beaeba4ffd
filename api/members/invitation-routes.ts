import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'
import { pathOf } from './membership.ts'
import { acceptInvitation, declineInvitation, listMyInvitations, previewInvitation } from './received-invitations.ts'
import { Invitation, InvitationPreview, Member, TokenInput } from './schema.ts'

export const invitations = new Elysia({ name: 'invitations', prefix: '/api/v1', tags: ['Invitations'] })
  .use(access)
  .get(
    '/organizations/:org_id/invitations',
    ({ request, organization, query }) =>
      listed(request, query, NEWEST_FIRST, (slice) => listInvitations(sql, organization.id, slice)),
    operation('organization', 'admin', {
      id: 'listInvitations',
      summary: 'List the pending invitations of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(Invitation) },
    }),
  )
  .delete(
    '/organizations/:org_id/invitations/:invitation_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => revokeInvitation(tx, caller, organization, params.invitation_id, request)),
    operation('organization', 'admin', {
      id: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'Its link stops working at once. Only the owner can revoke the invitation of an admin.',
      responses: { 204: null },
      errors: ['invitation_not_found'],
    }),
  )
  .post(
    '/organizations/:org_id/invitations/:invitation_id/resend',
    ({ caller, organization, params, change }) =>
      change(202, (tx) => resendInvitation(tx, caller, organization, params.invitation_id)),
    operation('organization', 'admin', {
      id: 'resendInvitation',
      summary: 'Resend an invitation',
      description: 'Mails a new link, valid for 7 days. The old link stops working at once.',
      body: Nothing,
      responses: { 202: Invitation },
      confidential: [202],
      errors: ['address_not_verified', 'invitation_not_found', 'invitation_limit_reached'],
    }),
  )
  .post(
    '/invitations/preview',
    ({ body }) => previewInvitation(sql, body.token),
    operation('open', 'requests', {
      id: 'previewInvitation',
      summary: 'Preview an invitation',
      description: 'Shows what a mailed link invites to, without an account. Changes nothing.',
      body: TokenInput,
      responses: { 200: InvitationPreview },
      errors: ['invitation_not_found'],
    }),
  )
  .post(
    '/invitations/accept',
    ({ caller, change, body }) => change(200, (tx) => acceptInvitation(tx, caller, { token: body.token }), pathOf),
    operation('signedIn', true, {
      id: 'acceptInvitationByToken',
      summary: 'Accept an invitation with a mailed token',
      description:
        'Only the account of the invited address can accept. Accepting verifies the address. Users who are already members keep their role.',
      body: TokenInput,
      responses: { 200: Member },
      errors: ['invitation_not_found', 'member_limit_reached'],
    }),
  )
  .get(
    '/users/me/invitations',
    ({ request, caller, query }) => listed(request, query, NEWEST_FIRST, (slice) => listMyInvitations(sql, caller.id, slice)),
    operation('signedIn', true, {
      id: 'listMyInvitations',
      summary: 'List your pending invitations',
      description: 'Invitations to your address. Empty until the address is verified.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Invitation) },
    }),
  )
  .post(
    '/users/me/invitations/:invitation_id/accept',
    ({ caller, params, change }) =>
      change(200, (tx) => acceptInvitation(tx, caller, { invitation_id: params.invitation_id }), pathOf),
    operation('signedIn', true, {
      id: 'acceptInvitation',
      summary: 'Accept an invitation',
      body: Nothing,
      responses: { 200: Member },
      errors: ['invitation_not_found', 'member_limit_reached'],
    }),
  )
  .post(
    '/users/me/invitations/:invitation_id/decline',
    ({ caller, params, change }) => change(200, (tx) => declineInvitation(tx, caller, { invitation_id: params.invitation_id })),
    operation('signedIn', true, {
      id: 'declineInvitation',
      summary: 'Decline an invitation',
      body: Nothing,
      responses: { 200: Invitation },
      errors: ['invitation_not_found'],
    }),
  )
