/** Tokens of mailed links. */
import { createHmac } from 'node:crypto'
import { type NotificationType, notificationTypes } from '../notifications/types.ts'
import { config } from '../platform/config.ts'
import { equalInConstantTime, newToken, tokenHash } from './tokens.ts'

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/

/** Decides a gate, and names it, so that a link that no longer works still leads there. Only its hash is stored. */
export function newDecisionToken(gate_id: string): { token: string; hash: Buffer } {
  const token = `${gate_id}.${newToken()}`
  return { token, hash: tokenHash(token) }
}

/** The id of the gate that a token names, whether or not it exists; null if the token is malformed. */
export const gateInToken = (token: string): string | null => TOKEN.exec(token)?.[1] ?? null

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update('signalbox unsubscribe').digest()).update(text).digest()

/** For one user and one type of mail. Signed, so that it need not be stored. */
export function unsubscribeToken(user_id: string, type: NotificationType): string {
  const text = `${user_id}.${type}`
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(text, secret).toString('base64url')}`
}

/** Verifies and parses a token; null if it is not valid. */
export function readUnsubscribeToken(token: string): { user_id: string; type: NotificationType } | null {
  const [user_id = '', word = '', signature = ''] = token.split('.')
  const type = notificationTypes.find((each) => each === word)
  const given = Buffer.from(signature, 'base64url')
  const isValid = config.JWT_SECRET.some((secret) => equalInConstantTime(given, signed(`${user_id}.${word}`, secret)))
  return type && isValid ? { user_id, type } : null
}
