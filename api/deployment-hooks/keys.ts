/** Makes what new and rotated hooks sign with. */
import { newKeyPair, newSecret, type SignatureKind } from '../../core/security/signing.ts'

/** What a hook signs with. */
interface NewKeys {
  /** The secret or the private key, to be encrypted and stored. */
  secret: string
  public_key: string | null
  /** What the response shows once: never a private key. */
  shown: { secret?: string }
}

/** Makes a secret, or a key pair for the signature `ed25519`. */
export function newKeys(signature: SignatureKind): NewKeys {
  if (signature === 'ed25519') {
    const { private_key, public_key } = newKeyPair()
    return { secret: private_key, public_key, shown: {} }
  }
  const secret = newSecret()
  return { secret, public_key: null, shown: { secret } }
}
