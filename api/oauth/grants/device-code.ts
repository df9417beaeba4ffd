/** `urn:ietf:params:oauth:grant-type:device_code` (RFC 8628): a device asks whether a person has allowed it. */
import { transaction } from '../../../core/platform/database.ts'
import { limitAddress } from '../../plugins/rate-limit.ts'
import { pollDevice } from '../device-authorizations.ts'
import { OAuthError } from '../errors.ts'
import type { Grant } from './grant.ts'

const secondsUntil = (time: string | null): number => Math.max(0, Math.round((Date.parse(time ?? '') - Date.now()) / 1000))

export const deviceCode: Grant = async ({ parameters, context: { address, device, headers } }) => {
  Object.assign(headers, limitAddress(address))
  const [code, client_id] = [parameters.required('device_code'), parameters.required('client_id')]
  const answer = await transaction((tx) => pollDevice(tx, code, client_id, { ip_address: address, device }))
  if (answer instanceof OAuthError) throw answer
  const { token, scope, expires_at } = answer
  return { access_token: token, token_type: 'Bearer', expires_in: secondsUntil(expires_at), scope }
}
