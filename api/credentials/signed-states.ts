/**
 * States of authorizations elsewhere (OAuth's `state`): signed, good for a time, and once. None is stored before it is used: showing a link
 * changes nothing.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { transaction } from '../../core/platform/database.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'

const signed = (purpose: string, text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update(`signalbox ${purpose}`).digest())
    .update(text)
    .digest()

/** @param ids what it is bound to; none contains a dot */
export function makeState(purpose: string, ids: string[], seconds: number): string {
  const text = [...ids, epochSeconds() + seconds, randomBytes(16).toString('base64url')].join('.')
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(purpose, text, secret).toString('base64url')}`
}

/** What a state says. */
interface ReadState {
  ids: string[]
  /** In seconds since 1970. */
  expires: number
  /** A text that fits the state, of which nothing has to be stored: as `derivedFrom` made it. */
  derived: (purpose: string) => string
}

/** @returns null if it is not valid, or has expired */
export function readState(purpose: string, state: string): ReadState | null {
  const at = state.lastIndexOf('.')
  const [text, given] = [state.slice(0, Math.max(at, 0)), Buffer.from(state.slice(at + 1), 'base64url')]
  const secret = config.JWT_SECRET.find((each) => equalInConstantTime(given, signed(purpose, text, each)))
  const parts = text.split('.')
  const expires = Number(parts.at(-2))
  if (secret === undefined || expires <= epochSeconds()) return null
  return { ids: parts.slice(0, -2), expires, derived: (of) => signed(of, state, secret).toString('base64url') }
}

/** A text that fits a state which was made just now. */
export function derivedFrom(purpose: string, state: string): string {
  const [secret = ''] = config.JWT_SECRET
  return signed(purpose, state, secret).toString('base64url')
}

/** Uses a state up. @returns false if it was used before */
export async function useUp(state: string, expires: number): Promise<boolean> {
  const hash = createHash('sha256').update(state).digest()
  const used = await transaction(
    // The name of the table is from when only Slack had states; a process of an earlier version still uses it.
    (tx) => tx`
      insert into slack_used_states (hash, expires_at)
      values (${hash}, to_timestamp(${expires}))
      on conflict (hash) do nothing
    `,
  )
  return used.count > 0
}
