/** `client_credentials` (RFC 6749, section 4.4): a service account signs in with one of its keys. */
import { sql, transaction } from '../../../core/platform/database.ts'
import { isUuid } from '../../../core/values/uuids.ts'
import { issueServiceAccountToken } from '../../credentials/service-account-tokens.ts'
import { limitExchange, limitSignIn } from '../../plugins/rate-limit.ts'
import { findByKey } from '../../plugins/service-account-access.ts'
import { findAccount, recordRefusal, recordSignIn, scopesFor } from '../accounts.ts'
import { OAuthError } from '../errors.ts'
import type { Grant } from './grant.ts'

const TOKEN_SECONDS = 900

const refused = (isInHeader: boolean): OAuthError =>
  new OAuthError(
    'invalid_client',
    'The client_id must be the id of a service account, and the client_secret one of its keys.',
    401,
    isInHeader ? { 'WWW-Authenticate': 'Basic realm="signalbox"' } : {},
  )

export const clientCredentials: Grant = async ({ parameters, context, credentials }) => {
  const { client_id = '', client_secret = '', isInHeader = false } = credentials ?? {}
  const isId = isUuid(client_id)
  limitExchange(context, isId ? client_id : null)
  if (!isId) throw refused(isInHeader)
  const [found, account] = await Promise.all([findByKey(client_secret, null, null), findAccount(sql, client_id)])
  if (!account) throw refused(isInHeader)
  const { id, organization_id } = account
  const key_id = found?.user_id === id ? found.service_account?.key_id : undefined
  if (!key_id) {
    await recordRefusal(sql, account, context, 'key', 'The key is unknown, revoked or expired, or the account is disabled.')
    throw refused(isInHeader)
  }
  limitSignIn(id)
  const scopes = scopesFor(account, parameters.words('scope'))
  await transaction((tx) => recordSignIn(tx, account, context, 'with a key'))
  return {
    access_token: await issueServiceAccountToken(
      { account_id: id, organization_id, scopes, key_id, trust_id: null },
      TOKEN_SECONDS,
    ),
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    scope: scopes.join(' '),
  }
}
