import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { BY_ID, LIST, listed, listedPage } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { checkPasswords, confirmPerson, updateUser } from './account.ts'
import { deleteAvatar, getAvatar, IMAGE_TYPES, putAvatar, receiveImage, respondWithAvatar } from './avatars.ts'
import { deleteUser } from './deletion.ts'
import { listIdentities, unlinkIdentity } from './identities.ts'
import { Deletion, Identity, SecurityLog, SecurityLogQuery, ServiceIdentity, User, UserUpdate } from './schema.ts'
import { listSecurityLog, whoAmI } from './users.ts'

export const users = new Elysia({ name: 'users', prefix: '/api/v1', tags: ['Users'] })
  .use(access)
  .get(
    '/users/me',
    ({ caller }) => whoAmI(sql, caller),
    operation('signedIn', 'withRestrictedTokens', {
      scopes: 'any',
      id: 'getMe',
      summary: 'Get your account',
      description: 'A service account gets what it is, with the scopes of its token.',
      responses: { 200: Type.Union([User, ServiceIdentity]) },
    }),
  )
  .put(
    '/users/me',
    async ({ request, caller, change, body }) => {
      const passwords = await checkPasswords(sql, caller, body)
      return change(200, (tx) => updateUser(tx, caller, body, passwords, request))
    },
    operation('inSession', true, {
      id: 'updateMe',
      summary: 'Update your account',
      description:
        'A new `password` requires `current_password` and ends your other sessions. A new `email` requires it too. The new address is stored as `pending_email`, replacing an earlier one, until the link mailed to it is opened. Until then the old address remains in use. It receives a notice, with a link that takes the change back within 72 hours and ends all sessions. Sending your current address cancels a pending change. An account gets 10 new addresses a day. If the operator turned `EMAIL_VERIFICATION` off, the address changes at once.',
      body: UserUpdate,
      responses: { 200: User },
      errors: ['email_taken', 'too_busy', 'recent_sign_in_required', 'sso_required'],
    }),
  )
  .get(
    '/users/me/security-log',
    ({ request, caller, query }) => listedPage(request, query, BY_ID, (page) => listSecurityLog(sql, caller.id, page)),
    operation('signedIn', true, {
      id: 'listSecurityLog',
      summary: 'List your security log',
      description:
        'Newest first: successful and failed sign-ins, ended sessions, and changes of personal tokens, password and address.',
      query: SecurityLogQuery,
      responses: { 200: SecurityLog },
    }),
  )
  .get(
    '/users/:user_id/avatar',
    async ({ request, params }) => respondWithAvatar(request, await getAvatar(sql, params.user_id)),
    operation('open', 'requests', {
      id: 'getAvatar',
      summary: 'Get the avatar of a user',
      description:
        'The uploaded image as WebP, or an SVG pattern generated from the id. Every UUID has one, so the response does not reveal whether the user exists.',
      responses: { 200: null },
      produces: [...IMAGE_TYPES, 'image/svg+xml'],
    }),
  )
  .put(
    '/users/me/avatar',
    async ({ request, caller, change }) => {
      const webp = await receiveImage(request)
      return change(200, (tx) => putAvatar(tx, caller, webp, request))
    },
    operation('signedIn', true, {
      id: 'uploadAvatar',
      summary: 'Upload your avatar',
      description:
        'The body is the image itself, at most 1 MiB and 4096 × 4096 pixels, not animated. It is stored as WebP of at most 256 × 256 pixels; its metadata, such as the place of a photo, is not. The image is public. `If-Match` takes the ETag of the current avatar.',
      consumes: IMAGE_TYPES,
      responses: { 200: User },
      errors: ['too_busy'],
    }),
  )
  .delete(
    '/users/me/avatar',
    ({ request, caller, change }) => change(204, (tx) => deleteAvatar(tx, caller, request)),
    operation('signedIn', true, {
      id: 'deleteAvatar',
      summary: 'Delete your avatar',
      description: 'The generated pattern is shown instead. Does nothing if there is no uploaded image.',
      responses: { 204: null },
    }),
  )
  .delete(
    '/users/me',
    async ({ request, caller, change, body }) => {
      const password_hash = await confirmPerson(sql, caller, body.current_password)
      return change(204, (tx) => deleteUser(tx, caller, password_hash, request))
    },
    operation('inSession', true, {
      id: 'deleteMe',
      summary: 'Delete your account',
      description:
        'Cannot be undone. You leave all organizations, all sessions and tokens end, and your address can be registered again. Your name remains in records of what you did. Transfer or delete the organizations that you own first.',
      body: Deletion,
      responses: { 204: null },
      errors: ['owns_organizations', 'too_busy', 'recent_sign_in_required', 'sso_required'],
    }),
  )
  .get(
    '/users/me/identities',
    ({ request, caller, query }) => listed(request, query, BY_ID, (slice) => listIdentities(sql, caller.id, slice)),
    operation('signedIn', true, {
      id: 'listIdentities',
      summary: 'List your linked identities',
      description:
        'Newest first: Slack accounts, whose clicks on buttons decide as you, and accounts at OpenID providers, which sign you in. Click once in Slack, or sign in with a provider, to link one.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Identity) },
    }),
  )
  .delete(
    '/users/me/identities/:identity_id',
    ({ request, caller, params, change }) => change(204, (tx) => unlinkIdentity(tx, caller, params.identity_id, request)),
    operation('inSession', true, {
      id: 'unlinkIdentity',
      summary: 'Unlink one of your identities',
      description:
        'From then on, clicks of that Slack account decide nothing, or that OpenID provider does not sign you in; other sessions that it opened end.',
      responses: { 204: null },
      errors: ['not_found', ['sso_required', 409]],
    }),
  )
