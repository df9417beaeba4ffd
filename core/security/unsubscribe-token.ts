/** The token of an unsubscribe link, for one user and one type of mail. Signed, so that it need not be stored. */
import { createHmac } from 'node:crypto'
import { type NotificationType, notificationTypes } from '../notifications/types.ts'
import { config } from '../platform/config.ts'
import { equalInConstantTime } from './tokens.ts'

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update('signalbox unsubscribe').digest()).update(text).digest()

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
