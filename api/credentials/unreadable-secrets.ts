/**
 * Stored secrets that no key decrypts, because SECRETS_KEY was lost. They can be set anew: comparing them with what is given needs
 * no old value.
 */
import { decrypt, UnreadableSecret } from '../../core/security/secrets.ts'
import { Problem } from '../problems.ts'

/** Stands for a value that no key decrypts. It differs from every value that can be given. */
export const UNREADABLE = '\0'

/** A stored value; `unreadable` if no key decrypts it. */
export async function readOr<Value>(unreadable: Value, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadableSecret) return unreadable
    throw error
  }
}

/** Stored values by name, `UNREADABLE` where no key decrypts them. */
export const readNamed = async (encrypted: Uint8Array | null, names: string[]): Promise<Record<string, string>> =>
  encrypted === null
    ? {}
    : readOr(Object.fromEntries(names.map((name) => [name, UNREADABLE])), async () => JSON.parse(await decrypt(encrypted)))

/**
 * @param kept pointers to stored secrets that a change would keep
 * @param why they cannot be kept
 * @param addition to the detail of each
 * @throws Problem `secrets_must_be_resent`
 */
export function requireResent(kept: string[], why: string, addition = ''): void {
  if (kept.length === 0) return
  const code = 'secrets_must_be_resent'
  const detail = `must be sent again, or cleared with null${addition}`
  const errors = kept.map((pointer) => ({ pointer, code, detail }))
  throw new Problem(code, `${why}: send ${kept.join(', ')} again, or clear with null.`, errors)
}

/** Values that are kept are encrypted again with those that are given: none of them may be unreadable. */
export const requireReadable = (kept: string[]): void =>
  requireResent(kept, 'What is stored cannot be decrypted any more', ': the stored value cannot be decrypted any more')
