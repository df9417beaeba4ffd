/** Routes for signing in with a passkey alone. */
import { Elysia } from 'elysia'
import { sql, transaction } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import { Assertion, RequestOptions } from '../passkeys/fields.ts'
import { requestOptions } from '../passkeys/passkeys.ts'
import { signInOptions, signInWithPasskey, verifyForSignIn } from '../passkeys/sign-in.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { subjectOf } from './passkey-assertions.ts'
import { Session } from './schema.ts'
import { Ticket } from './second-factor-schema.ts'
import { secondStepOptions } from './second-step.ts'
import { openSession } from './sessions.ts'

const tag = 'Sign-in'

export const passkeySignIn = new Elysia({ name: 'passkey-sign-in', prefix: '/api/v1/auth' })
  .use(access)
  .post(
    '/passkey/options',
    async ({ visitor, caller }) =>
      caller
        ? requestOptions(
            sql,
            caller.id,
            subjectOf(caller.id, { purpose: 'recent_sign_in', session_id: caller.session_id }),
            caller.id,
          )
        : signInOptions(sql, visitor),
    {
      openOrInSession: 'requests',
      ...operation({
        tag,
        id: 'getPasskeyRequestOptions',
        summary: 'Get what a browser needs to sign in with a passkey',
        description:
          'Without a token: for signing in; any discoverable passkey will do. With the access token of a session: for the `assertion` with which sensitive changes in this session are confirmed; it must be a passkey of the user. A challenge can be answered once, also if the answer is refused, and within 5 minutes.',
        body: Nothing,
        responses: { 200: RequestOptions },
        errors: ['unauthenticated'],
      }),
    },
  )
  .post('/login/second-factor/options', async ({ visitor, body }) => secondStepOptions(sql, body.ticket, visitor), {
    open: 'requests',
    ...operation({
      tag,
      id: 'getSecondFactorOptions',
      summary: 'Get what a browser needs to complete a sign-in with a passkey',
      description:
        'For the `assertion` of `POST /api/v1/auth/login/second-factor` with the same ticket. The challenge can be answered once, also if the answer is refused, and within 5 minutes.',
      body: Shape({ ticket: Ticket }),
      responses: { 200: RequestOptions },
      errors: ['invalid_ticket'],
    }),
  })
  .post(
    '/passkey',
    async ({ visitor, body }) => {
      const used = await verifyForSignIn(sql, body.assertion, visitor)
      return transaction((tx) => signInWithPasskey(tx, used, visitor, openSession))
    },
    {
      open: 'signIns',
      ...operation({
        tag,
        id: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description: 'Without an address or a password. A passkey whose signature counter falls back is refused.',
        body: Shape({ assertion: Assertion }),
        responses: { 200: Session },
        errors: [['passkey_invalid', 401]],
      }),
    },
  )
