import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  acceptInvitation,
  declineInvitation,
  listInvitations,
  listMyInvitations,
  previewInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts'
import { pathOf } from './membership.ts'
import { Invitation, InvitationPreview, Member, TokenInput } from './schema.ts'

const tag = 'Invitations'

export const invitations = new Elysia({ name: 'invitations', prefix: '/api/v1' })
  .use(access)
  .get(
    '/organizations/:org_id/invitations',
    ({ request, organization, query }) => listed(request, query, (slice) => listInvitations(sql, organization.id, slice)),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'listInvitations',
        summary: 'The invitations of an organization that are pending',
        query: Shape(LIST),
        responses: { 200: Type.Array(Invitation) },
      }),
    },
  )
  .delete(
    '/organizations/:org_id/invitations/:invitation_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => revokeInvitation(tx, caller, organization, params.invitation_id, request)),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'revokeInvitation',
        summary: 'Take an invitation back',
        description: 'Its link stops working at once. The invitation of an admin is taken back by the owner alone.',
        responses: { 204: null },
        errors: ['invitation_not_found'],
      }),
    },
  )
  .post(
    '/organizations/:org_id/invitations/:invitation_id/resend',
    ({ caller, organization, params, change }) =>
      change(202, (tx) => resendInvitation(tx, caller, organization, params.invitation_id)),
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'resendInvitation',
        summary: 'Mail a new link',
        description: 'It works for 7 days from now; the old link stops working at once.',
        body: Nothing,
        responses: { 202: Invitation },
        errors: ['invitation_not_found', 'invitation_limit_reached'],
      }),
    },
  )
  .post('/invitations/preview', ({ body }) => previewInvitation(sql, body.token), {
    open: 'requests',
    ...operation({
      tag,
      id: 'previewInvitation',
      summary: 'What a mailed link invites to',
      description: 'For whoever holds the link and has no account yet. It changes nothing.',
      body: TokenInput,
      responses: { 200: InvitationPreview },
      errors: ['invitation_not_found'],
    }),
  })
  .post(
    '/invitations/accept',
    ({ caller, change, body }) => change(200, (tx) => acceptInvitation(tx, caller, { token: body.token }), pathOf),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'acceptInvitationByToken',
        summary: 'Accept an invitation with the mailed token',
        description:
          'For the account of the address that was invited, and for nobody else; it proves that address. Whoever is a member already keeps their role.',
        body: TokenInput,
        responses: { 200: Member },
        errors: ['invitation_not_found', 'member_limit_reached'],
      }),
    },
  )
  .get(
    '/users/me/invitations',
    ({ request, caller, query }) => listed(request, query, (slice) => listMyInvitations(sql, caller.id, slice)),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'listMyInvitations',
        summary: 'The invitations that wait for you',
        description: 'Those to your address, once it is proven.',
        query: Shape(LIST),
        responses: { 200: Type.Array(Invitation) },
      }),
    },
  )
  .post(
    '/users/me/invitations/:invitation_id/accept',
    ({ caller, params, change }) =>
      change(200, (tx) => acceptInvitation(tx, caller, { invitation_id: params.invitation_id }), pathOf),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'acceptInvitation',
        summary: 'Accept an invitation',
        body: Nothing,
        responses: { 200: Member },
        errors: ['invitation_not_found', 'member_limit_reached'],
      }),
    },
  )
  .post(
    '/users/me/invitations/:invitation_id/decline',
    ({ caller, params, change }) => change(200, (tx) => declineInvitation(tx, caller, { invitation_id: params.invitation_id })),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'declineInvitation',
        summary: 'Decline an invitation',
        body: Nothing,
        responses: { 200: Invitation },
        errors: ['invitation_not_found'],
      }),
    },
  )
