/** The fields of a hook that say how its dispatches are signed. */
import { SIGNATURES } from '../../core/security/signing.ts'
import { Nullable, OneOf, Type } from '../../core/values/schema.ts'

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
