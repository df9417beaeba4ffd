import { Elysia } from 'elysia'
import { sql, transaction } from '../../core/platform/database.ts'
import { Nothing, Shape, Type } from '../../core/values/schema.ts'
import { unauthorized } from '../credentials/access-tokens.ts'
import { access } from '../plugins/access.ts'
import { BY_ID, LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { User } from '../users/schema.ts'
import { register, resendVerification, signIn, verifyCredentials, verifyEmail } from './accounts.ts'
import { requestPasswordReset, requireValidResetLink, resetPassword, takeBackAddress } from './mailed-links.ts'
import { hashPassword } from './passwords.ts'
import {
  Credentials,
  LiveSession,
  RefreshInput,
  Registration,
  Reset,
  ResetRequest,
  Session,
  VerificationInput,
} from './schema.ts'
import { secondFactorRequired } from './second-step.ts'
import { endSession, listSessions, openSession, refreshSession, signOut } from './sessions.ts'

export const auth = new Elysia({ name: 'auth', prefix: '/api/v1/auth', tags: ['Sign-in'] })
  .use(access)
  .post(
    '/register',
    async ({ visitor, body, set }) => {
      const hash = await hashPassword(body.password, visitor)
      set.status = 201
      set.headers.location = '/api/v1/users/me'
      return transaction(async (tx) => openSession(tx, await register(tx, body, hash, visitor), visitor))
    },
    operation('open', 'registrations', {
      id: 'register',
      summary: 'Register and sign in',
      description:
        'A verification link is mailed to the address, unless the operator turned verification off. Registering again replaces an account whose address was never verified, and ends its sessions and tokens.',
      body: Registration,
      responses: { 201: Session },
      errors: ['registration_closed', 'email_taken', 'too_busy', 'sso_required'],
    }),
  )
  .post(
    '/login',
    async ({ visitor, body }) => {
      const account = await verifyCredentials(sql, body, visitor)
      const { session, waiting } = await transaction((tx) => signIn(tx, account, visitor, openSession))
      if (waiting) throw secondFactorRequired(waiting)
      return session
    },
    operation('open', 'signIns', {
      id: 'login',
      summary: 'Sign in',
      description:
        'An unknown address and a wrong password produce the same response after the same time. An account with a second factor gets 401 `second_factor_required` with `methods` (`totp`, `passkey`, `recovery_code`) and a `ticket` for `POST /api/v1/auth/login/second-factor`.',
      body: Credentials,
      responses: { 200: Session },
      errors: ['invalid_credentials', ['second_factor_required', 401], 'too_busy', 'sso_required'],
    }),
  )
  .post(
    '/refresh',
    async ({ visitor, body }) => {
      const session = await transaction((tx) => refreshSession(tx, body.refresh_token, visitor))
      if (session) return session
      const detail = 'The refresh token is invalid, used or expired, or its session has ended. Sign in again.'
      throw unauthorized('invalid_refresh_token', detail)
    },
    operation('open', 'requests', {
      id: 'refreshSession',
      summary: 'Exchange a refresh token',
      description:
        'A refresh token is valid for 30 days and can be used once. Using it a second time ends the session, except within 10 seconds of the first use.',
      body: RefreshInput,
      responses: { 200: Session },
      errors: ['invalid_refresh_token'],
    }),
  )
  .post(
    '/logout',
    ({ caller, change }) => change(204, (tx) => signOut(tx, caller)),
    operation('inSession', true, {
      id: 'logout',
      summary: 'Sign out',
      description: "The session's tokens stop working at once.",
      body: Nothing,
      responses: { 204: null },
    }),
  )
  .get(
    '/sessions',
    ({ request, caller, query }) => listed(request, query, BY_ID, (slice) => listSessions(sql, caller, slice)),
    operation('signedIn', true, {
      id: 'listSessions',
      summary: 'List your sessions',
      description: 'Active sessions, newest first. Personal tokens are listed at `GET /api/v1/auth/tokens`.',
      query: Shape(LIST),
      responses: { 200: Type.Array(LiveSession) },
    }),
  )
  .delete(
    '/sessions/:session_id',
    ({ request, caller, params, change }) => change(204, (tx) => endSession(tx, caller, params.session_id, request)),
    operation('inSession', true, {
      id: 'endSession',
      summary: 'End one of your sessions',
      description: 'Its tokens stop working at once. It may be the session of this request.',
      responses: { 204: null },
      errors: ['not_found'],
    }),
  )
  .post(
    '/password-reset',
    async ({ visitor, body, set }) => {
      await requestPasswordReset(body.email, visitor)
      set.status = 202
      return null
    },
    operation('open', 'resets', {
      id: 'requestPasswordReset',
      summary: 'Request a password reset',
      description:
        'Mails a link that works for an hour, until one of the mailed links is used. An account gets at most 5 mails an hour. The response is the same whether or not the address is registered, and a mail is sent.',
      body: ResetRequest,
      responses: { 202: null },
      errors: ['sso_required'],
    }),
  )
  .post(
    '/password-reset/confirm',
    async ({ visitor, body, set }) => {
      await requireValidResetLink(sql, body.token)
      const hash = await hashPassword(body.password, visitor)
      await transaction((tx) => resetPassword(tx, body.token, hash, visitor))
      set.status = 204
      return null
    },
    operation('open', 'resets', {
      id: 'confirmPasswordReset',
      summary: 'Set a new password with a mailed token',
      description:
        "Ends everything that the account can be used by: sessions, personal tokens, linked Slack accounts, mailed links that decide gates, and a pending address. The account's address counts as verified, since the link was mailed to it.",
      body: Reset,
      responses: { 204: null },
      errors: ['too_busy', 'sso_required'],
    }),
  )
  .post(
    '/restore-email',
    async ({ visitor, body, set }) => {
      await transaction((tx) => takeBackAddress(tx, body.token, visitor))
      set.status = 204
      return null
    },
    operation('open', 'requests', {
      id: 'restoreEmail',
      summary: 'Take back a change of address with a mailed token',
      description:
        'The former address receives the token when a change is requested, and again when it is done. The token is valid for 72 hours. The account has its former address again, everything that it can be used by ends, as with a new password, second factors and recovery codes that were added since the change began are removed, and a link to set a new password is mailed.',
      body: VerificationInput,
      responses: { 204: null },
      errors: ['email_taken'],
    }),
  )
  .post(
    '/verify-email',
    ({ visitor, body }) => transaction((tx) => verifyEmail(tx, body.token, visitor)),
    operation('open', 'requests', {
      id: 'verifyEmail',
      summary: 'Verify an e-mail address with a mailed token',
      description: 'A `pending_email` becomes the address of the account.',
      body: VerificationInput,
      responses: { 200: User },
      errors: ['email_taken'],
    }),
  )
  .post(
    '/verify-email/resend',
    ({ caller, change }) => change(202, (tx) => resendVerification(tx, caller)),
    operation('signedIn', true, {
      id: 'resendVerificationEmail',
      summary: 'Resend the verification link',
      description:
        'The new link replaces the old one. It is mailed to `pending_email`, if set. Does nothing if the address is already verified.',
      body: Nothing,
      responses: { 202: null },
    }),
  )
