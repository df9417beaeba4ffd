import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { listSigningKeys, rotateSigningKey, SigningKey } from './signing-keys.ts'

export const signingKeys = new Elysia({ name: 'signing-keys', prefix: '/api/v1/organizations', tags: ['Attestations'] })
  .use(access)
  .get(
    '/:org_id/signing-keys',
    ({ organization }) => listSigningKeys(sql, organization.id),
    operation('organization', 'member', {
      scopes: ['gates:read'],
      // Public keys, with which the attestations of all workspaces are signed.
      narrowed: true,
      id: 'listSigningKeys',
      summary: 'List the signing keys of an organization',
      description:
        'Newest first, with retired ones: what they have signed stays valid. An organization gets its first key with its first attestation, or by the first rotation. Keep the keys where you verify, so that you need not ask this service for them.',
      responses: { 200: Type.Array(SigningKey) },
    }),
  )
  .post(
    '/:org_id/signing-keys/rotate',
    ({ caller, organization, change }) => change(200, (tx) => rotateSigningKey(tx, caller, organization)),
    operation('organization', 'owner', {
      id: 'rotateSigningKey',
      summary: 'Rotate the signing key',
      description:
        'A new key signs from now on, and attestations that are missing are signed with it. The private half of the old key is deleted; its public half stays in the list. An organization without a key gets its first one.',
      responses: { 200: SigningKey },
      errors: ['person_required'],
    }),
  )
