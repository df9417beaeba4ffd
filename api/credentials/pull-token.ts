/** The token with which the dispatches of one pull hook are claimed and acknowledged. Only its hash is stored. */

export const PULL_PREFIX = 'sbx_pull_'

/** A new token, shown once. */
export const newPullToken = (): string =>
  PULL_PREFIX + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')

/** What is stored of a token. */
export const pullTokenHash = (token: string): Uint8Array => new Bun.CryptoHasher('sha256').update(token).digest()
