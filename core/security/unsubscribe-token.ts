/** The token of a mailed link that stops mails of one type to one user: signed, so that it needs no table, and good for nothing else. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type NotificationType, notificationTypes } from '../notifications/types.ts'
import { config } from '../platform/config.ts'

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update('signalbox unsubscribe').digest()).update(text).digest()

/** Makes the token. */
export function unsubscribeToken(user_id: string, type: NotificationType): string {
  const text = `${user_id}.${type}`
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(text, secret).toString('base64url')}`
}

/** Reads a token; null where it is not ours. */
export function readUnsubscribeToken(token: string): { user_id: string; type: NotificationType } | null {
  const [user_id = '', word = '', signature = ''] = token.split('.')
  const type = notificationTypes.find((each) => each === word)
  const given = Buffer.from(signature, 'base64url')
  const fits = config.JWT_SECRET.some((secret) => {
    const right = signed(`${user_id}.${word}`, secret)
    return right.length === given.length && timingSafeEqual(right, given)
  })
  return type && fits ? { user_id, type } : null
}
