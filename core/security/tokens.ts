/** Random tokens. Only their hashes are stored. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

export const newToken = (): string => randomBytes(32).toString('base64url')

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Whether a text or signature is the expected one. In constant time, so that the duration does not reveal how much of a guess is right. */
export function equalInConstantTime(given: string | Buffer, expected: string | Buffer): boolean {
  const [a, b] = [bytesOf(given), bytesOf(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const bytesOf = (value: string | Buffer): Buffer => (typeof value === 'string' ? Buffer.from(value) : value)
