/** Second factors, and signing in with a passkey. */
import { Elysia } from 'elysia'
import { sql, transaction } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import { Assertion, RequestOptions } from '../passkeys/fields.ts'
import { confirmationOptions, signInOptions, signInWithPasskey, verifyForSignIn } from '../passkeys/sign-in.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { PROOF, PROOF_ERRORS, proveRecentSignIn, requireRecentSignIn } from './recent-sign-in.ts'
import { Confirmation, FactorReset, RecoveryCodes, SecondFactors, SecondStep, Session, Ticket, TotpSetup } from './schema.ts'
import { resetSecondFactors, verifyFactorReset } from './second-factor-resets.ts'
import { getSecondFactors, replaceRecoveryCodes } from './second-factors.ts'
import { completeSignIn, secondStepOptions } from './second-step.ts'
import { openSession } from './sessions.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp.ts'

const RECENT =
  'Requires a sign-in within 10 minutes (refreshing a token does not count as a sign-in), or `current_password`, or an `assertion` of a passkey.'

export const secondFactors = new Elysia({ name: 'second-factors', prefix: '/api/v1/auth', tags: ['Second factors'] })
  .use(access)
  .post(
    '/login/second-factor',
    ({ visitor, body }) => completeSignIn(sql, body, visitor, openSession),
    operation('open', 'signIns', {
      tag: 'Sign-in',
      id: 'completeLogin',
      summary: 'Complete a sign-in with a second factor',
      description:
        'Takes the `ticket` that `POST /api/v1/auth/login` returned, and one of `code`, `recovery_code` and `assertion`. The ticket is valid for 5 minutes and opens one session; after a wrong second factor it can be used again. Wrong ones count as wrong passwords do. A code is accepted one step (30 seconds) early or late, and once.',
      body: SecondStep,
      responses: { 200: Session },
      errors: ['invalid_ticket', 'invalid_second_factor', ['passkey_invalid', 401]],
    }),
  )
  .get(
    '/second-factors',
    ({ caller }) => getSecondFactors(sql, caller.id),
    operation('signedIn', true, {
      id: 'getSecondFactors',
      summary: 'Get your second factors',
      description: 'Passkeys are listed at `GET /api/v1/auth/passkeys`.',
      responses: { 200: SecondFactors },
    }),
  )
  .post(
    '/totp',
    async ({ request, caller, change, body }) => {
      await proveRecentSignIn(request, sql, caller, body)
      return change(200, (tx) => beginTotp(tx, caller))
    },
    operation('inSession', true, {
      id: 'beginTotp',
      summary: 'Set up an authenticator app',
      description: `Returns a secret for the app (TOTP: SHA-1, 6 digits, 30 seconds), which is shown only now. Confirm it in the same session within 10 minutes. An app that you have stays in use until then. ${RECENT}`,
      body: Shape(PROOF),
      responses: { 200: TotpSetup },
      errors: [...PROOF_ERRORS],
    }),
  )
  .post(
    '/totp/confirm',
    ({ caller, change, body }) => change(200, (tx) => confirmTotp(tx, caller, body.code)),
    operation('inSession', true, {
      id: 'confirmTotp',
      summary: 'Confirm an authenticator app with a code',
      description:
        'From now on a sign-in with the password requires a second factor. The code counts as used. Returns 10 recovery codes, which replace earlier ones.',
      body: Confirmation,
      responses: { 200: RecoveryCodes },
      errors: ['not_found'],
    }),
  )
  .delete(
    '/totp',
    async ({ request, caller, change, body }) => {
      await requireRecentSignIn(sql, caller, body)
      return change(204, (tx) => removeTotp(tx, caller, request))
    },
    operation('inSession', true, {
      id: 'removeTotp',
      summary: 'Remove your authenticator app',
      description: `The recovery codes go with your last second factor. ${RECENT}`,
      body: Shape(PROOF),
      responses: { 204: null },
      errors: [...PROOF_ERRORS, 'not_found', ['second_factor_required', 409]],
    }),
  )
  .post(
    '/second-factors/reset',
    async ({ visitor, body, set }) => {
      const reset = await verifyFactorReset(sql, body, visitor)
      await transaction((tx) => resetSecondFactors(tx, reset, visitor))
      set.status = 204
      return null
    },
    operation('open', 'signIns', {
      id: 'resetSecondFactors',
      summary: 'Remove your second factors with a mailed token and the password',
      description:
        'For a lost phone: the owner of an organization has a link mailed to a member. The token is valid for 24 hours and works once. A wrong password counts as at sign-in, and leaves it valid. For 7 days after the password was reset by mail the answer is 409 `password_recently_reset`: a recovery code, another second factor or the operator of the service helps.',
      body: FactorReset,
      responses: { 204: null },
      errors: ['password_recently_reset', 'too_busy', ['second_factor_required', 409], 'sso_required'],
    }),
  )
  .post(
    '/recovery-codes',
    async ({ request, caller, change, body }) => {
      await proveRecentSignIn(request, sql, caller, body)
      return change(200, (tx) => replaceRecoveryCodes(tx, caller))
    },
    operation('inSession', true, {
      id: 'createRecoveryCodes',
      summary: 'Make new recovery codes',
      description: `They replace earlier ones. Requires a second factor. ${RECENT}`,
      body: Shape(PROOF),
      responses: { 200: RecoveryCodes },
      errors: [...PROOF_ERRORS, ['second_factor_required', 409]],
    }),
  )
  .post(
    '/passkey/options',
    async ({ visitor, caller }) => (caller ? confirmationOptions(sql, caller) : signInOptions(sql, visitor)),
    operation('openOrInSession', 'requests', {
      tag: 'Sign-in',
      id: 'getPasskeyRequestOptions',
      summary: 'Get what a browser needs to sign in with a passkey',
      description:
        'Without a token: for signing in; any discoverable passkey will do. With the access token of a session: for the `assertion` with which sensitive changes in this session are confirmed; it must be a passkey of the user. A challenge can be answered once, also if the answer is refused, and within 5 minutes.',
      body: Nothing,
      responses: { 200: RequestOptions },
      errors: ['unauthenticated', 'sso_required'],
    }),
  )
  .post(
    '/login/second-factor/options',
    async ({ visitor, body }) => secondStepOptions(sql, body.ticket, visitor),
    operation('open', 'requests', {
      tag: 'Sign-in',
      id: 'getSecondFactorOptions',
      summary: 'Get what a browser needs to complete a sign-in with a passkey',
      description:
        'For the `assertion` of `POST /api/v1/auth/login/second-factor` with the same ticket. The challenge can be answered once, also if the answer is refused, and within 5 minutes.',
      body: Shape({ ticket: Ticket }),
      responses: { 200: RequestOptions },
      errors: ['invalid_ticket'],
    }),
  )
  .post(
    '/passkey',
    async ({ visitor, body }) => {
      const used = await verifyForSignIn(sql, body.assertion, visitor)
      return transaction((tx) => signInWithPasskey(tx, used, visitor, openSession))
    },
    operation('open', 'signIns', {
      tag: 'Sign-in',
      id: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description: 'Without an address or a password. A passkey whose signature counter falls back is refused.',
      body: Shape({ assertion: Assertion }),
      responses: { 200: Session },
      errors: [['passkey_invalid', 401], 'sso_required'],
    }),
  )
