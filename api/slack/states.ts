/**
 * The states of authorizations by Slack (OAuth's `state`): signed, and good for ten minutes. None is stored before it is used, so that
 * showing a link to Slack changes nothing.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'

const STATE_SECONDS = 600

/** What an authorization is for. */
type Purpose = 'install' | 'sign in'

const signed = (purpose: string, text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update(`signalbox slack ${purpose}`).digest())
    .update(text)
    .digest()

/** Makes a state with two ids in it. */
export function makeState(purpose: Purpose, ids: [string, string]): string {
  const text = [...ids, epochSeconds() + STATE_SECONDS, randomBytes(16).toString('base64url')].join('.')
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(purpose, text, secret).toString('base64url')}`
}

/** The ids in a state, and when it expires, in seconds since 1970; null if it is not valid or has expired. */
export function readState(purpose: Purpose, state: string): { ids: [string, string]; expires: number } | null {
  const at = state.lastIndexOf('.')
  const [text, given] = [state.slice(0, Math.max(at, 0)), Buffer.from(state.slice(at + 1), 'base64url')]
  const isValid = config.JWT_SECRET.some((secret) => equalInConstantTime(given, signed(purpose, text, secret)))
  const [first = '', second = '', expires = ''] = text.split('.')
  return isValid && Number(expires) > epochSeconds() ? { ids: [first, second], expires: Number(expires) } : null
}

/** The nonces that fit a state: the first is sent to Slack, which repeats it in the id token. */
export const noncesOf = (state: string): string[] =>
  config.JWT_SECRET.map((secret) => signed('nonce', state, secret).toString('base64url'))
