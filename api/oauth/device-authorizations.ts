/** Devices that ask to be signed in (RFC 8628): a person with a browser types in the code that the device shows, and allows it. */
import { randomInt } from 'node:crypto'
import { transaction } from '../../core/platform/database.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import { isPlainLine } from '../../core/values/plain-text.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { deviceName } from '../auth/device-name.ts'
import { limitPasswordAttempts } from '../auth/passwords.ts'
import { typedCode } from '../auth/typed-codes.ts'
import { limitAddress } from '../plugins/rate-limit.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { invalidField } from '../problems.ts'
import { createDeviceToken, requireCapacity } from '../tokens/tokens.ts'
import { OAuthError } from './errors.ts'
import type { Grant } from './parameters.ts'

/** Letters that are not mistaken for others; without vowels, so that they spell nothing (RFC 8628, section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8

/** A new code: 25,600,000,000 are possible. */
const newUserCode = (): string => Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')

export const shownUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`

export const typedUserCode = (text: string): string =>
  typedCode(text)
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')

/** How long a code can be typed in. */
export const CODE_SECONDS = 600
/** How much longer a device must wait each time it asks too soon. */
const SLOWER_SECONDS = 5
const MAX_INTERVAL_SECONDS = 60
/** How much sooner a device may ask: what the network saves on the way. */
const EARLY_SECONDS = 1

const MAX_NAME_LENGTH = 120

interface DeviceRequest {
  client_id: string
  device_name: string | undefined
  scope: 'read' | 'write'
}

/** @throws OAuthError `invalid_request` */
function requireLine(name: string, text: string, longest: number): string {
  if (text.length <= longest && isPlainLine(text)) return text
  throw new OAuthError('invalid_request', `The parameter ${name} must be one line of at most ${longest} characters.`)
}

/** The name of a device, from its `User-Agent`, which may have any characters. */
function nameFrom(agent: string): string {
  const name = deviceName(agent).slice(0, 60).trim()
  return name !== '' && isPlainLine(name) ? name : 'unknown'
}

/** Starts a sign-in. @throws OAuthError `invalid_request` */
export async function startDevice(db: Queryable, { client_id, device_name, scope }: DeviceRequest, visitor: Visitor) {
  const client = requireLine('client_id', client_id, 120)
  const device = device_name === undefined ? nameFrom(visitor.device) : requireLine('device_name', device_name, 60)
  const device_code = `sbx_dc_${newToken()}`
  const user_code = newUserCode()
  const [{ interval_seconds }] = await db<[{ interval_seconds: number }]>`
    insert into device_authorizations (device_hash, user_code, client_id, device, ip_address, scope, expires_at)
    values (
      ${tokenHash(device_code)}, ${user_code}, ${client}, ${device}, ${visitor.ip_address}, ${scope},
      now() + ${CODE_SECONDS} * interval '1 second'
    )
    returning interval_seconds
  `
  return { device_code, user_code, interval_seconds }
}

export interface WaitingDevice {
  user_code: string
  client_id: string
  device: string
  ip_address: string
  scope: 'read' | 'write'
  created_at: string
}

/** Wrong codes count for the person who types them in: 10 in 15 minutes. @throws Problem `rate_limited`; 422 at `/user_code` */
export async function findDevice(db: Queryable, by: SignedIn, typed: string): Promise<WaitingDevice> {
  const find = async () => {
    const [found] = await db<WaitingDevice[]>`
      select user_code, client_id, device, ip_address, scope, created_at
      from device_authorizations
      where user_code = ${typedUserCode(typed)}
        and state = 'pending'
        and expires_at > now()
    `
    return found ?? null
  }
  const device = await limitPasswordAttempts(db, `wrong device codes of ${by.id}`, find, 'Too many wrong codes')
  if (device) return device
  throw invalidField('/user_code', 'unknown', 'is wrong, was used, or is older than 10 minutes')
}

/** @throws Problem `token_limit_reached`; 422 at `/user_code` if the device does not wait any more */
export async function decideDevice(tx: Tx, by: SignedIn, user_code: string, state: 'allowed' | 'denied'): Promise<void> {
  // The device would get no token, and no one would see why. Locks the user: a new password ends what was allowed before it.
  if (state === 'allowed') await requireCapacity(tx, by.id, null)
  const decided = await tx`
    update device_authorizations
    set
      state = ${state}, user_id = ${state === 'allowed' ? by.id : null},
      session_id = ${state === 'allowed' ? by.session_id : null}
    where user_code = ${user_code}
      and state = 'pending'
      and expires_at > now()
  `
  if (decided.count === 0) throw invalidField('/user_code', 'unknown', 'was used meanwhile, or is older than 10 minutes')
}

type DeviceToken = Awaited<ReturnType<typeof createDeviceToken>>

interface Polled extends Pick<WaitingDevice, 'client_id' | 'device' | 'scope'> {
  state: 'pending' | 'allowed' | 'denied'
  user_id: string | null
  session_id: string | null
  is_expired: boolean
  is_early: boolean
}

const refused = (): OAuthError => new OAuthError('invalid_grant', 'The device code is unknown or was used.')

const PENDING = new OAuthError('authorization_pending', 'The device has not been allowed yet. Ask again after the interval.')
const TOO_SOON = new OAuthError('slow_down', `The device asks too often. The interval is ${SLOWER_SECONDS} seconds longer now.`)

/**
 * @returns an error that is thrown after the commit, since a question that came too soon counts
 * @throws OAuthError `invalid_grant`, `access_denied`, `expired_token`; Problem `token_limit_reached`
 */
async function pollDevice(tx: Tx, device_code: string, client_id: string, visitor: Visitor): Promise<DeviceToken | OAuthError> {
  const device_hash = tokenHash(device_code)
  const [polled] = await tx<Polled[]>`
    select
      state, user_id, session_id, client_id, device, scope, expires_at <= now() as is_expired,
      coalesce(polled_at > now() - (interval_seconds - ${EARLY_SECONDS}) * interval '1 second', false) as is_early
    from device_authorizations
    where device_hash = ${device_hash}
  `
  if (!polled || polled.client_id !== client_id) throw refused()
  const { state, user_id, session_id, device, scope, is_expired, is_early } = polled
  if (state === 'denied') throw new OAuthError('access_denied', 'The device was denied.')
  if (is_expired) throw new OAuthError('expired_token', 'The device code has expired. Start again.')
  if (user_id === null) {
    await tx`
      update device_authorizations
      set
        polled_at = now(),
        interval_seconds = least(${MAX_INTERVAL_SECONDS}, interval_seconds + ${is_early ? SLOWER_SECONDS : 0})
      where device_hash = ${device_hash}
    `
    return is_early ? TOO_SOON : PENDING
  }
  // The user is locked first, as by what ends all access of an account, which then deletes the row.
  const name = `${device} (${client_id})`
  const named = { name: name.length > MAX_NAME_LENGTH ? device : name, scope }
  const token = await createDeviceToken(tx, user_id, visitor, named, session_id)
  const given = await tx`delete from device_authorizations where device_hash = ${device_hash} and state = 'allowed'`
  if (given.count === 0) throw refused()
  return token
}

const secondsUntil = (time: string | null): number => Math.max(0, Math.round((Date.parse(time ?? '') - Date.now()) / 1000))

/** RFC 8628: a device asks whether a person has allowed it. */
export const deviceCode: Grant = async ({ parameters, context: { address, device, headers } }) => {
  Object.assign(headers, limitAddress(address))
  const [code, client_id] = [parameters.required('device_code'), parameters.required('client_id')]
  const answer = await transaction((tx) => pollDevice(tx, code, client_id, { ip_address: address, device }))
  if (answer instanceof OAuthError) throw answer
  const { token, scope, expires_at } = answer
  return { access_token: token, token_type: 'Bearer', expires_in: secondsUntil(expires_at), scope }
}
