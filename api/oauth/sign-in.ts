/** Signs in service accounts by assertions: with `jwt-bearer` and with `token-exchange`, which differ only in their parameters. */
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Tx } from '../../sql/index.ts'
import { limitExchange, limitSignIn } from '../plugins/rate-limit.ts'
import { type Account, findAccount, recordRefusal, recordSignIn, scopesFor, type Trust, tokenFor } from './accounts.ts'
import { type Accepted, MAX_ASSERTION_BYTES, RefusedAssertion, verifyAssertion } from './assertions.ts'
import { OAuthError } from './errors.ts'
import { IssuerProblem } from './issuer-documents.ts'
import { type Grant, isForToolsOnly, type TokenRequest } from './parameters.ts'
import type { TokenResponse } from './schema.ts'

/** The same for every reason: a stranger learns neither which accounts exist nor what they trust. */
const refused = (): OAuthError =>
  new OAuthError('invalid_grant', 'The assertion was refused. Admins of the organization see why in its audit log.')

const RETRY_SECONDS = '60'

/**
 * Uses an assertion up. Used ones are forgotten when they have expired, by the clock of the database: if the clock of this process
 * were behind it, a forgotten one could be used again.
 *
 * @throws RefusedAssertion
 */
async function spend(tx: Tx, { digest, expires }: Accepted<Trust>): Promise<void> {
  const [[{ has_expired }], spent] = await Promise.all([
    tx<[{ has_expired: boolean }]>`select to_timestamp(${expires}) <= now() as has_expired`.execute(),
    tx`
      insert into used_assertions (digest, expires_at)
      values (${digest}, to_timestamp(${expires}))
      on conflict (digest) do nothing
    `.execute(),
  ])
  if (has_expired) throw new RefusedAssertion('The assertion has expired.', 'time')
  if (spent.count === 0) throw new RefusedAssertion('The assertion was used before: each is good for one sign-in.', 'used')
}

const howOf = ({ trust: { issuer, claims }, values }: Accepted<Trust>): string =>
  `with a token of ${issuer}, in which ${Object.keys(claims)
    .map((name) => `${name} is ${values[name]}`)
    .join(', ')}`

async function exchange(account: Account, { parameters, context }: TokenRequest, assertion: string): Promise<TokenResponse> {
  if (!account.enabled) throw new RefusedAssertion('The account is disabled.')
  const accepted = await verifyAssertion(assertion, account.organization_id, account.trusts)
  limitSignIn(account.id)
  const scopes = scopesFor(account, parameters.words('scope'))
  const { trust } = accepted
  await transaction(async (tx) => {
    await spend(tx, accepted)
    await recordSignIn(tx, account, context, howOf(accepted))
  })
  return tokenFor(account, scopes, { key_id: null, trust_id: trust.id }, trust.max_ttl_seconds)
}

/** @throws OAuthError `invalid_grant`, `invalid_scope`, `temporarily_unavailable`; Problem `rate_limited` */
async function signInByAssertion(request: TokenRequest, assertion: string): Promise<TokenResponse> {
  const { parameters, context } = request
  const id = parameters.required('service_account')
  const account_id = isUuid(id) ? id : null
  limitExchange(context, account_id)
  const account = account_id && (await findAccount(sql, account_id))
  if (!account) throw refused()
  try {
    if (assertion.length > MAX_ASSERTION_BYTES)
      throw new RefusedAssertion(`The assertion is longer than ${MAX_ASSERTION_BYTES} bytes.`)
    return await exchange(account, request, assertion)
  } catch (error) {
    if (error instanceof RefusedAssertion) {
      await recordRefusal(sql, account, context, error.kind, error.message)
      throw refused()
    }
    if (!(error instanceof IssuerProblem)) throw error
    await recordRefusal(sql, account, context, 'keys', `The keys of the issuer are not available. ${error.message}`)
    throw new OAuthError('temporarily_unavailable', 'The keys of the issuer are not available. Try again later.', 503, {
      'Retry-After': RETRY_SECONDS,
    })
  }
}

/** RFC 7523: an issuer vouches for a job, which signs in as a service account. */
export const jwtBearer: Grant = (request) => signInByAssertion(request, request.parameters.required('assertion'))

const TYPE = 'urn:ietf:params:oauth:token-type'
const ACCESS_TOKEN = `${TYPE}:access_token`
const SUBJECT_TYPES = [`${TYPE}:jwt`, `${TYPE}:id_token`]

/** RFC 8693: the same, for clients that exchange tokens. */
export const tokenExchange: Grant = async (request) => {
  const { parameters } = request
  const assertion = parameters.required('subject_token')
  if (!SUBJECT_TYPES.includes(parameters.required('subject_token_type')))
    throw new OAuthError('invalid_request', `The subject_token_type must be one of: ${SUBJECT_TYPES.join(', ')}.`)
  if (parameters.optional('actor_token') !== undefined) throw new OAuthError('invalid_request', 'There are no actor tokens.')
  if (![undefined, ACCESS_TOKEN].includes(parameters.optional('requested_token_type')))
    throw new OAuthError('invalid_request', `The requested_token_type must be ${ACCESS_TOKEN}.`)
  const audience = parameters.optional('audience') ?? config.PUBLIC_URL
  if (isForToolsOnly(parameters) || audience !== config.PUBLIC_URL)
    throw new OAuthError('invalid_target', `The resource and the audience must be ${config.PUBLIC_URL}.`)
  return { ...(await signInByAssertion(request, assertion)), issued_token_type: ACCESS_TOKEN }
}
