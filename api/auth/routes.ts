import { Elysia } from 'elysia'
import { sql } from '../../core/database.ts'
import { commit } from '../../core/outbox.ts'
import { Problem } from '../../core/problems.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { countFailure, refuseGuessedAccount } from '../plugins/rate-limit.ts'
import { User } from '../users/schema.ts'
import { register, resendVerification, verifyEmail, whoseCredentials } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { Credentials, Nothing, RefreshInput, Registration, Session, VerificationInput } from './schema.ts'
import { endSession, openSession, refreshRefused, refreshSession } from './sessions.ts'

const tag = 'Sign-in'

const deviceOf = (request: Request): string => request.headers.get('user-agent') ?? 'unknown'

export const auth = new Elysia({ name: 'auth', prefix: '/api/v1/auth' })
  .use(access)
  .post(
    '/register',
    async ({ request, exchange, body, set }) => {
      const hash = await hashPassword(body.password)
      set.status = 201
      set.headers.location = '/api/v1/users/me'
      return commit(async (tx) => openSession(tx, await register(tx, body, hash), deviceOf(request), exchange))
    },
    {
      open: 'registrations',
      ...operation({
        tag,
        summary: 'Make an account and sign in',
        description:
          'A link that proves the address is mailed to it, unless the operator switched that off. Registering again replaces an account whose address was never proven.',
        body: Registration,
        answers: { 201: Session },
        errors: ['registration_closed', 'email_taken'],
      }),
    },
  )
  .post(
    '/login',
    async ({ request, exchange, body }) => {
      const account = body.email.toLowerCase()
      refuseGuessedAccount(account)
      try {
        const user_id = await whoseCredentials(sql, body)
        return await commit((tx) => openSession(tx, user_id, deviceOf(request), exchange))
      } catch (error) {
        if (error instanceof Problem && error.code === 'invalid_credentials') countFailure(account)
        throw error
      }
    },
    {
      open: 'signIns',
      ...operation({
        tag,
        summary: 'Sign in',
        description: 'An unknown address and a wrong password get the same answer, after the same time.',
        body: Credentials,
        answers: { 200: Session },
        errors: ['invalid_credentials'],
      }),
    },
  )
  .post(
    '/refresh',
    async ({ body }) => {
      const session = await commit((tx) => refreshSession(tx, body.refresh_token))
      if (!session) throw refreshRefused()
      return session
    },
    {
      open: 'requests',
      ...operation({
        tag,
        summary: 'Exchange a refresh token',
        description:
          'A refresh token lives 30 days and dies when it is used. Using a dead one ends the whole session, save within 10 seconds of its exchange.',
        body: RefreshInput,
        answers: { 200: Session },
        errors: ['invalid_refresh_token'],
      }),
    },
  )
  .post(
    '/logout',
    ({ caller, change }) =>
      change(204, async (tx) => {
        await endSession(tx, caller.session_id)
        return null
      }),
    {
      signedIn: true,
      ...operation({
        tag,
        summary: 'Sign out',
        description: "The session's tokens stop working at once.",
        body: Nothing,
        answers: { 204: null },
      }),
    },
  )
  .post('/verify-email', ({ body }) => commit((tx) => verifyEmail(tx, body.token)), {
    open: 'requests',
    ...operation({
      tag,
      summary: 'Prove an e-mail address with the mailed token',
      body: VerificationInput,
      answers: { 200: User },
    }),
  })
  .post(
    '/verify-email/resend',
    ({ caller, change }) =>
      change(202, async (tx) => {
        await resendVerification(tx, caller.id)
        return null
      }),
    {
      signedIn: true,
      ...operation({
        tag,
        summary: 'Mail the link that proves the address again',
        description: 'The new link takes the place of the old one. Does nothing where the address is proven.',
        body: Nothing,
        answers: { 202: null },
      }),
    },
  )
