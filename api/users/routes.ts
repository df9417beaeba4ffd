import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { checkPasswords, updateUser, verifyCurrentPassword } from './account.ts'
import { deleteAvatar, getAvatar, putAvatar, respondWithAvatar } from './avatars.ts'
import { deleteUser } from './deletion.ts'
import { IMAGE_TYPES } from './images.ts'
import { Deletion, SecurityLog, SecurityLogQuery, ServiceIdentity, User, UserUpdate } from './schema.ts'
import { listSecurityLog } from './security-log.ts'
import { whoAmI } from './who-am-i.ts'

const tag = 'Users'

export const users = new Elysia({ name: 'users', prefix: '/api/v1' })
  .use(access)
  .get('/users/me', ({ caller }) => whoAmI(sql, caller), {
    scopes: 'any',
    signedIn: 'withRestrictedTokens',
    ...operation({
      tag,
      id: 'getMe',
      summary: 'Get your account',
      description: 'A service account gets what it is, with the scopes of its token.',
      responses: { 200: Type.Union([User, ServiceIdentity]) },
    }),
  })
  .put(
    '/users/me',
    async ({ request, caller, change, body }) => {
      const passwords = await checkPasswords(sql, caller, body)
      return change(200, (tx) => updateUser(tx, caller, body, passwords, request))
    },
    {
      inSession: true,
      ...operation({
        tag,
        id: 'updateMe',
        summary: 'Update your account',
        description:
          'A new `password` requires `current_password` and ends your other sessions. A new `email` requires it too. The new address is stored as `pending_email`, replacing an earlier one, until the link mailed to it is opened. Until then the old address remains in use. It receives a notice, with a link that takes the change back within 72 hours and ends all sessions. Sending your current address cancels a pending change. An account gets 10 new addresses a day. If the operator turned `EMAIL_VERIFICATION` off, the address changes at once.',
        body: UserUpdate,
        responses: { 200: User },
        errors: ['email_taken', 'too_busy'],
      }),
    },
  )
  .get('/users/me/security-log', ({ caller, query }) => listSecurityLog(sql, caller.id, query), {
    signedIn: true,
    ...operation({
      tag,
      id: 'listSecurityLog',
      summary: 'List your security log',
      description:
        'Newest first: successful and failed sign-ins, ended sessions, and changes of personal tokens, password and address.',
      query: SecurityLogQuery,
      responses: { 200: SecurityLog },
    }),
  })
  .get(
    '/users/:user_id/avatar',
    async ({ request, params }) => respondWithAvatar(request, await getAvatar(sql, params.user_id)),
    {
      open: 'requests',
      ...operation({
        tag,
        id: 'getAvatar',
        summary: 'Get the avatar of a user',
        description:
          'The uploaded image, or an SVG pattern generated from the id. Every UUID has one, so the response does not reveal whether the user exists.',
        responses: { 200: null },
        produces: [...IMAGE_TYPES, 'image/svg+xml'],
      }),
    },
  )
  .put('/users/me/avatar', ({ request, caller, change }) => change(200, (tx) => putAvatar(tx, caller, request)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'uploadAvatar',
      summary: 'Upload your avatar',
      description:
        'The body is the image itself, at most 1 MiB and 4096 × 4096 pixels. `If-Match` takes the ETag of the current avatar. The image is public. Its metadata, such as the place of a photo, is removed; its orientation is kept.',
      consumes: IMAGE_TYPES,
      responses: { 200: User },
    }),
  })
  .delete('/users/me/avatar', ({ request, caller, change }) => change(204, (tx) => deleteAvatar(tx, caller, request)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'deleteAvatar',
      summary: 'Delete your avatar',
      description: 'The generated pattern is shown instead. Does nothing if there is no uploaded image.',
      responses: { 204: null },
    }),
  })
  .delete(
    '/users/me',
    async ({ caller, change, body }) => {
      const password_hash = await verifyCurrentPassword(sql, caller, body.current_password)
      return change(204, (tx) => deleteUser(tx, caller, password_hash))
    },
    {
      inSession: true,
      ...operation({
        tag,
        id: 'deleteMe',
        summary: 'Delete your account',
        description:
          'Cannot be undone. You leave all organizations, all sessions and tokens end, and your address can be registered again. Your name remains in records of what you did. Transfer or delete the organizations that you own first.',
        body: Deletion,
        responses: { 204: null },
        errors: ['owns_organizations', 'too_busy'],
      }),
    },
  )
