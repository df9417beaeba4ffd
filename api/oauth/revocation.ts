/** The revocation endpoint (RFC 7009): a client gives back what a person has allowed it. */
import { transaction } from '../../core/platform/database.ts'
import { isClientSecret } from '../credentials/client-tokens.ts'
import type { RequestContext } from '../plugins/request-context.ts'
import { endGrant, lockGrant } from './client-grants.ts'
import { OAuthError } from './errors.ts'
import { Parameters } from './parameters.ts'

/** How the other tokens of this service begin. */
const OTHERS = /^(sbx_|eyJ)/

/** @throws OAuthError `invalid_request`, `unsupported_token_type` */
export async function revokeClientToken(context: RequestContext): Promise<object> {
  const parameters = new Parameters(context.bytes)
  const [token, client_id] = [parameters.required('token'), parameters.required('client_id')]
  const kind = (['access', 'refresh'] as const).find((each) => isClientSecret(each, token))
  if (!kind && OTHERS.test(token)) {
    throw new OAuthError('unsupported_token_type', 'Only tokens of clients that a person has allowed are revoked here.')
  }
  if (kind) {
    await transaction(async (tx) => {
      const grant = await lockGrant(tx, kind, token)
      if (grant?.client_id === client_id) await endGrant(tx, grant, context, 'The client signed out.')
    })
  }
  return {}
}
