/** `authorization_code` (RFC 6749, section 4.1.3, with PKCE): a client that a person has allowed gets its tokens. */
import { transaction } from '../../../core/platform/database.ts'
import { limitAddress } from '../../plugins/rate-limit.ts'
import { exchangeCode } from '../authorization-codes.ts'
import { OAuthError } from '../errors.ts'
import { isForToolsOnly } from '../resources.ts'
import { type Grant, requirePublicClient } from './grant.ts'

export const authorizationCode: Grant = async (request) => {
  const { parameters, context } = request
  Object.assign(context.headers, limitAddress(context.address))
  const given = {
    code: parameters.required('code'),
    client_id: requirePublicClient(request),
    redirect_uri: parameters.required('redirect_uri'),
    code_verifier: parameters.required('code_verifier'),
    tools_only: isForToolsOnly(parameters.optional('resource')),
  }
  const answer = await transaction((tx) => exchangeCode(tx, given, context))
  if (answer instanceof OAuthError) throw answer
  return answer
}
