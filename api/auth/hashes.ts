import { createHash } from 'node:crypto'

/** Only this is kept of a token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
