/** How dispatches are signed, and what `verify` finds out about a rejected request. */
import { SIGNATURES } from '../../core/security/signing.ts'
import { Nullable, OneOf, Shape, type Static, Text, Type } from '../../core/values/schema.ts'

const KINDS =
  '`hmac`: with a secret that the receiver has too. `ed25519`: with a private key that only the service has; receivers verify with `public_key`.'

export const Signature = OneOf(SIGNATURES, {
  description: `${KINDS} It cannot be changed later. Default: \`hmac\`.`,
  examples: ['hmac'],
})

export const FixedSignature = OneOf(SIGNATURES, { description: 'May be sent, but cannot be changed.', examples: ['hmac'] })

export const shownSignatureFields = {
  signature: OneOf(SIGNATURES, { description: KINDS }),
  public_key: Nullable(
    Type.String({
      description:
        'The public key of the signature `ed25519`: `whpk_` and its 32 bytes in base64. It is not secret. Null for `hmac`.',
      examples: ['whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g='],
    }),
  ),
  has_secret: Type.Boolean({ description: 'Whether the hook has a secret to sign with. False for the signature `ed25519`.' }),
}

export const Verification = Shape({
  headers: Type.Record(Type.String(), Text(16_384), {
    maxProperties: 200,
    description: 'All headers as received. Names are case-insensitive; the CGI form `HTTP_X_…` is accepted.',
    examples: [
      {
        'X-Signalbox-Delivery': '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
        'X-Signalbox-Signature': 'sha256=9f2c…',
        'webhook-id': '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
        'webhook-timestamp': '1795253400',
        'webhook-signature': 'v1,K5oZ…',
      },
    ],
  }),
  body: Text(1_048_576, {
    description: 'The raw body as received, before parsing.',
    examples: ['{"id":"019a2f6e-…","event":"gate.approved",…}'],
  }),
})
export type Verification = Static<typeof Verification>

export const CHECKS = {
  signature_form: 'The signature headers are present and well-formed.',
  key: "The signatures were made with this hook's secret or private key.",
  body: 'The body is identical to the one that was sent.',
  id_and_time: '`webhook-id` and `webhook-timestamp` are the signed values.',
  clock: 'The request was signed within the last 300 seconds.',
  old_secret: 'The secret or private key is the current one, or the previous one during a rotation.',
} as const

export const Verdict = Shape('Verdict', {
  valid: Type.Boolean({ description: 'Whether all checks in the list passed.' }),
  checks: Type.Array(
    Shape({
      name: OneOf(Object.keys(CHECKS) as (keyof typeof CHECKS)[]),
      ok: Type.Boolean(),
      detail: Type.String({ description: 'What was found and, if the check failed, what to look for.' }),
    }),
    { description: 'In this order. Checks that cannot be decided because an earlier one failed are left out.' },
  ),
})
export type Verdict = Static<typeof Verdict>
