/** Signs the requests of deployment hooks, with a shared secret or a key pair. */
import { privateKeyOf, publicKeyHeaders } from './key-pairs.ts'
import { type Signed, signatureHeaders, signingKeys } from './signing.ts'

/** How the requests of a hook are signed: with a shared secret, or with a private key that only the service has. */
export const SIGNATURES = ['hmac', 'ed25519'] as const
export type SignatureKind = (typeof SIGNATURES)[number]

/** The headers with the id, the timestamp and, if the hook signs, the signatures of a request. */
export type Signer = (signed: Signed) => Record<string, string>

/**
 * The signer of a hook.
 *
 * @param secrets decrypted, as they are stored: the current secret or private key, then the previous one while both sign
 * @throws Error if one of them is malformed
 */
export function signerOf(kind: SignatureKind, secrets: string[]): Signer {
  if (kind === 'ed25519') {
    const keys = secrets.map(privateKeyOf)
    return (signed) => publicKeyHeaders(keys, signed)
  }
  const keys = signingKeys(secrets)
  return (signed) => signatureHeaders(keys, signed)
}
