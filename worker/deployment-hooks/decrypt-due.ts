/** Decrypts the bodies of dispatches that contain secrets. */
import { decryptBody } from '../../core/dispatches/bodies.ts'
import { maskOf, secretsOfHeader } from '../../core/security/masking.ts'
import type { DueDispatch } from './due-dispatch.ts'

/** A due dispatch as it is stored: `body` or `encrypted_body` is null. */
export interface EncryptedDispatch extends Omit<DueDispatch, 'body' | 'mask' | 'origin'> {
  body: string | null
  encrypted_body: Uint8Array | null
}

/**
 * Decrypts due dispatches.
 *
 * @param ofHook the secrets of their hook. A mask of its own is only made for a body that contains others: it takes longer than sending.
 * @throws UnreadableSecret if no key decrypts a body
 */
export const decryptDue = (due: EncryptedDispatch[], ofHook: string[]): Promise<DueDispatch[]> =>
  Promise.all(
    due.map(async ({ body: plain, encrypted_body, ...dispatch }) => {
      if (encrypted_body === null) return { ...dispatch, body: plain ?? '', mask: null, origin: null }
      const { body, secrets, origin } = await decryptBody(encrypted_body)
      const others = secrets.flatMap(secretsOfHeader).filter((secret) => !ofHook.includes(secret))
      return { ...dispatch, body, origin, mask: others.length === 0 ? null : maskOf([...ofHook, ...others]) }
    }),
  )
