import { createHash } from 'node:crypto'

/** The hash of a token. Tokens themselves are never stored. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
