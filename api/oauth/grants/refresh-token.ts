/** `refresh_token` (RFC 6749, section 6): a client gets its next tokens. */
import { transaction } from '../../../core/platform/database.ts'
import { limitAddress } from '../../plugins/rate-limit.ts'
import { refreshGrant } from '../client-grants.ts'
import { OAuthError } from '../errors.ts'
import { isForToolsOnly } from '../resources.ts'
import { type Grant, requirePublicClient } from './grant.ts'

export const refreshToken: Grant = async (request) => {
  const { parameters, context } = request
  Object.assign(context.headers, limitAddress(context.address))
  const resource = parameters.optional('resource')
  const given = {
    refresh_token: parameters.required('refresh_token'),
    client_id: requirePublicClient(request),
    scopes: parameters.words('scope'),
    tools_only: resource === undefined ? null : isForToolsOnly(resource),
  }
  const answer = await transaction((tx) => refreshGrant(tx, given, context))
  if (answer instanceof OAuthError) throw answer
  return answer
}
