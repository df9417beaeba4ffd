/** `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693): the same as `jwt-bearer`, for clients that exchange tokens. */
import { config } from '../../../core/platform/config.ts'
import { OAuthError } from '../errors.ts'
import { signInByAssertion } from '../sign-in.ts'
import type { Grant } from './grant.ts'

const TYPE = 'urn:ietf:params:oauth:token-type'
const ACCESS_TOKEN = `${TYPE}:access_token`
const SUBJECT_TYPES = [`${TYPE}:jwt`, `${TYPE}:id_token`]

export const tokenExchange: Grant = async (request) => {
  const { parameters } = request
  const assertion = parameters.required('subject_token')
  if (!SUBJECT_TYPES.includes(parameters.required('subject_token_type'))) {
    throw new OAuthError('invalid_request', `The subject_token_type must be one of: ${SUBJECT_TYPES.join(', ')}.`)
  }
  if (parameters.optional('actor_token') !== undefined) throw new OAuthError('invalid_request', 'There are no actor tokens.')
  if (![undefined, ACCESS_TOKEN].includes(parameters.optional('requested_token_type'))) {
    throw new OAuthError('invalid_request', `The requested_token_type must be ${ACCESS_TOKEN}.`)
  }
  for (const name of ['resource', 'audience']) {
    if (![undefined, config.PUBLIC_URL].includes(parameters.optional(name))) {
      throw new OAuthError('invalid_target', `The ${name} must be ${config.PUBLIC_URL}.`)
    }
  }
  return { ...(await signInByAssertion(request, assertion)), issued_token_type: ACCESS_TOKEN }
}
