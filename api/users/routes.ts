import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { checkPasswords, provePassword, updateUser } from './account.ts'
import { answerAvatar, deleteAvatar, getAvatar, putAvatar } from './avatars.ts'
import { deleteUser } from './deletion.ts'
import { IMAGE_TYPES } from './images.ts'
import { Deletion, SecurityLog, SecurityLogQuery, User, UserUpdate } from './schema.ts'
import { listSecurityLog } from './security-log.ts'
import { getUser } from './users.ts'

const tag = 'Users'

export const users = new Elysia({ name: 'users', prefix: '/api/v1' })
  .use(access)
  .get('/users/me', ({ caller }) => getUser(sql, caller.id), {
    signedIn: 'within',
    ...operation({ tag, id: 'getMe', summary: 'The signed-in user', responses: { 200: User } }),
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
        summary: 'Change your account',
        description:
          'A new `password` needs `current_password`, and ends your other sessions. A new `email` needs it too, unless you signed in within the last hour. The new address waits in `pending_email`, in the place of one that waited before, until the link that is mailed to it is opened; the old one stays until then, and is told. To give the address that you have forgets the one that waits. Where the operator switched `EMAIL_VERIFICATION` off, the address changes at once.',
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
      summary: 'What was done to your account, or tried',
      description: 'Newest first: sign-ins, failed ones too, sessions ended, personal tokens, password and address.',
      query: SecurityLogQuery,
      responses: { 200: SecurityLog },
    }),
  })
  .get('/users/:user_id/avatar', async ({ request, params }) => answerAvatar(request, await getAvatar(sql, params.user_id)), {
    open: 'requests',
    ...operation({
      tag,
      id: 'getAvatar',
      summary: 'The picture of a user',
      description: 'The uploaded one, or a pattern (SVG) made from the id. Any UUID has one, so the answer tells nothing.',
      responses: { 200: null },
      produces: [...IMAGE_TYPES, 'image/svg+xml'],
    }),
  })
  .put('/users/me/avatar', ({ request, caller, change }) => change(200, (tx) => putAvatar(tx, caller, request)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'uploadAvatar',
      summary: 'Upload your picture',
      description:
        'The bytes of an image of at most 1 MiB and 4096 × 4096 pixels, as the body. `If-Match` takes the ETag of the picture. It is shown to anybody as it is, with whatever the camera wrote into it.',
      consumes: IMAGE_TYPES,
      responses: { 200: User },
    }),
  })
  .delete('/users/me/avatar', ({ request, caller, change }) => change(204, (tx) => deleteAvatar(tx, caller, request)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'deleteAvatar',
      summary: 'Remove your picture',
      description: 'The pattern takes its place. Does nothing where there is none.',
      responses: { 204: null },
    }),
  })
  .delete(
    '/users/me',
    async ({ caller, change, body }) => {
      const password_hash = await provePassword(sql, caller, body.current_password)
      return change(204, (tx) => deleteUser(tx, caller, password_hash))
    },
    {
      inSession: true,
      ...operation({
        tag,
        id: 'deleteMe',
        summary: 'Delete your account',
        description:
          'It cannot be undone. You leave every organization and are signed out everywhere, and your address is free; your name stays in what you did. Organizations that you own must be transferred or deleted first.',
        body: Deletion,
        responses: { 204: null },
        errors: ['owns_organizations', 'too_busy'],
      }),
    },
  )
