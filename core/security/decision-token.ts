/** The token of a mailed link that decides a gate. It names the gate, so that a link that no longer works still leads there. */
import { newToken, tokenHash } from './tokens.ts'

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/

/** A new token. Only its hash is stored. */
export function newDecisionToken(gate_id: string): { token: string; hash: Buffer } {
  const token = `${gate_id}.${newToken()}`
  return { token, hash: tokenHash(token) }
}

/** The id of the gate that a token names, whether or not it exists; null if the token is malformed. */
export const gateInToken = (token: string): string | null => TOKEN.exec(token)?.[1] ?? null
