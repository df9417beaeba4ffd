import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { PROOF, PROOF_ERRORS, proveRecentSignIn, requireRecentSignIn } from '../auth/recent-sign-in.ts'
import { access } from '../plugins/access.ts'
import { skipIfReplayed } from '../plugins/change.ts'
import { BY_ID, LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { CreationOptions } from './fields.ts'
import { PasskeyInput } from './input.ts'
import { addPasskey, creationOptions, listPasskeys, registrationOf, removePasskey } from './passkeys.ts'
import { Passkey } from './schema.ts'
import { type VerifiedCredential, verifyCredential } from './verification.ts'

const RECENT =
  'Requires a sign-in within 10 minutes, or `current_password`, or an `assertion` to the options of `POST /api/v1/auth/passkey/options` in this session.'

export const passkeys = new Elysia({ name: 'passkeys', prefix: '/api/v1/auth', tags: ['Passkeys'] })
  .use(access)
  .get(
    '/passkeys',
    ({ request, caller, query }) => listed(request, query, BY_ID, (slice) => listPasskeys(sql, caller.id, slice)),
    operation('signedIn', true, {
      id: 'listPasskeys',
      summary: 'List your passkeys',
      description: 'Newest first.',
      query: Shape(LIST),
      responses: { 200: Type.Array(Passkey) },
    }),
  )
  .post(
    '/passkeys/options',
    async ({ request, caller, change, body }) => {
      await proveRecentSignIn(request, sql, caller, body)
      return change(200, (tx) => creationOptions(tx, caller))
    },
    operation('inSession', true, {
      id: 'getPasskeyCreationOptions',
      summary: 'Get what a browser needs to create a passkey',
      description: `The passkey must be discoverable and verify its user; an attestation is not asked for. The challenge belongs to this session, can be answered once and within 5 minutes. At most 10 are open: a newer one replaces the oldest. ${RECENT}`,
      body: Shape(PROOF),
      responses: { 200: CreationOptions },
      errors: [...PROOF_ERRORS],
    }),
  )
  .post(
    '/passkeys',
    async ({ request, caller, change, body }) => {
      const made = await skipIfReplayed(request, async () => {
        await requireRecentSignIn(sql, caller, body)
        return verifyCredential(sql, body.credential, registrationOf(caller))
      })
      return change(201, (tx) => addPasskey(tx, caller, body.name, made as VerifiedCredential), '/api/v1/auth/passkeys')
    },
    operation('inSession', true, {
      id: 'addPasskey',
      summary: 'Register a passkey',
      description: `With the credential that the browser created from the options. The account is mailed. A user has at most 10 passkeys. ${RECENT}`,
      body: PasskeyInput,
      responses: { 201: Passkey },
      errors: [...PROOF_ERRORS, 'passkey_limit_reached', 'already_exists'],
    }),
  )
  .delete(
    '/passkeys/:passkey_id',
    async ({ request, caller, params, change, body }) => {
      await requireRecentSignIn(sql, caller, body)
      return change(204, (tx) => removePasskey(tx, caller, params.passkey_id, request))
    },
    operation('inSession', true, {
      id: 'removePasskey',
      summary: 'Remove one of your passkeys',
      description: `It stops working at once. The account is mailed. The last second factor of the owner of an organization that requires one cannot be removed. ${RECENT}`,
      body: Shape(PROOF),
      responses: { 204: null },
      errors: [...PROOF_ERRORS, 'not_found', ['second_factor_required', 409]],
    }),
  )
