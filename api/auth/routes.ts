import { Elysia } from 'elysia'
import { sql, transaction } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { User } from '../users/schema.ts'
import { register, resendVerification, signIn, verifyCredentials, verifyEmail } from './accounts.ts'
import { requestPasswordReset, requireValidResetLink, resetPassword } from './password-resets.ts'
import { hashPassword } from './passwords.ts'
import {
  Credentials,
  LiveSession,
  Nothing,
  RefreshInput,
  Registration,
  Reset,
  ResetRequest,
  Session,
  VerificationInput,
} from './schema.ts'
import { endSession, listSessions, openSession, refreshRefused, refreshSession, signOut } from './sessions.ts'

const tag = 'Sign-in'

export const auth = new Elysia({ name: 'auth', prefix: '/api/v1/auth' })
  .use(access)
  .post(
    '/register',
    async ({ visitor, body, set }) => {
      const hash = await hashPassword(body.password)
      set.status = 201
      set.headers.location = '/api/v1/users/me'
      return transaction(async (tx) => openSession(tx, await register(tx, body, hash, visitor), visitor))
    },
    {
      open: 'registrations',
      ...operation({
        tag,
        id: 'register',
        summary: 'Make an account and sign in',
        description:
          'A link that proves the address is mailed to it, unless the operator switched that off. Registering again replaces an account whose address was never proven, and ends its sessions and tokens.',
        body: Registration,
        responses: { 201: Session },
        errors: ['registration_closed', 'email_taken', 'too_busy'],
      }),
    },
  )
  .post(
    '/login',
    async ({ visitor, body }) => {
      const opened = await verifyCredentials(sql, body, visitor)
      return transaction((tx) => signIn(tx, opened, visitor))
    },
    {
      open: 'signIns',
      ...operation({
        tag,
        id: 'login',
        summary: 'Sign in',
        description: 'An unknown address and a wrong password get the same answer, after the same time.',
        body: Credentials,
        responses: { 200: Session },
        errors: ['invalid_credentials', 'too_busy'],
      }),
    },
  )
  .post(
    '/refresh',
    async ({ visitor, body }) => {
      const session = await transaction((tx) => refreshSession(tx, body.refresh_token, visitor))
      if (!session) throw refreshRefused()
      return session
    },
    {
      open: 'requests',
      ...operation({
        tag,
        id: 'refreshSession',
        summary: 'RequestContext a refresh token',
        description:
          'A refresh token lives 30 days and dies when it is used. Using a dead one ends the whole session, save within 10 seconds of its context.',
        body: RefreshInput,
        responses: { 200: Session },
        errors: ['invalid_refresh_token'],
      }),
    },
  )
  .post(
    '/logout',
    ({ caller, change }) =>
      change(204, async (tx) => {
        await signOut(tx, caller)
        return null
      }),
    {
      inSession: true,
      ...operation({
        tag,
        id: 'logout',
        summary: 'Sign out',
        description: "The session's tokens stop working at once.",
        body: Nothing,
        responses: { 204: null },
      }),
    },
  )
  .get('/sessions', ({ request, caller, query }) => listed(request, query, (slice) => listSessions(sql, caller, slice)), {
    signedIn: true,
    ...operation({
      tag,
      id: 'listSessions',
      summary: 'Where you are signed in',
      description: 'Your live sessions, newest first. Personal tokens are no sessions: see `GET /api/v1/auth/tokens`.',
      query: Shape(LIST),
      responses: { 200: Type.Array(LiveSession) },
    }),
  })
  .delete(
    '/sessions/:session_id',
    ({ request, caller, params, change }) =>
      change(204, async (tx) => {
        await endSession(tx, caller, params.session_id, request)
        return null
      }),
    {
      inSession: true,
      ...operation({
        tag,
        id: 'endSession',
        summary: 'End one of your sessions',
        description: 'Its tokens stop working at once. It may be the one that you ask in.',
        responses: { 204: null },
        errors: ['not_found'],
      }),
    },
  )
  .post(
    '/password-reset',
    async ({ visitor, body, set }) => {
      await requestPasswordReset(body.email, visitor)
      set.status = 202
      return null
    },
    {
      open: 'resets',
      ...operation({
        tag,
        id: 'requestPasswordReset',
        summary: 'Ask for a new password',
        description:
          'Mails a link that works for an hour, once, and only as long as no newer one was asked for. The answer is the same whether or not anybody has the address.',
        body: ResetRequest,
        responses: { 202: null },
      }),
    },
  )
  .post(
    '/password-reset/confirm',
    async ({ visitor, body, set }) => {
      await requireValidResetLink(sql, body.token)
      const hash = await hashPassword(body.password)
      await transaction((tx) => resetPassword(tx, body.token, hash, visitor))
      set.status = 204
      return null
    },
    {
      open: 'resets',
      ...operation({
        tag,
        id: 'confirmPasswordReset',
        summary: 'Set a new password with the mailed token',
        description:
          'Every session of the user ends, personal tokens are revoked, an address that waits for its proof is forgotten, and the address of the account counts as proven: the link came to it.',
        body: Reset,
        responses: { 204: null },
        errors: ['too_busy'],
      }),
    },
  )
  .post('/verify-email', ({ visitor, body }) => transaction((tx) => verifyEmail(tx, body.token, visitor)), {
    open: 'requests',
    ...operation({
      tag,
      id: 'verifyEmail',
      summary: 'Prove an e-mail address with the mailed token',
      description: 'An address that waited in `pending_email` becomes the address of the account.',
      body: VerificationInput,
      responses: { 200: User },
      errors: ['email_taken'],
    }),
  })
  .post(
    '/verify-email/resend',
    ({ caller, change }) =>
      change(202, async (tx) => {
        await resendVerification(tx, caller)
        return null
      }),
    {
      signedIn: true,
      ...operation({
        tag,
        id: 'resendVerificationEmail',
        summary: 'Mail the link that proves the address again',
        description:
          'The new link takes the place of the old one. It goes to `pending_email` where one waits. Does nothing where the address is proven.',
        body: Nothing,
        responses: { 202: null },
      }),
    },
  )
