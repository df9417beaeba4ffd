/** The service accounts that sign in, and what is recorded of it. */

import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { locating } from '../../sql/reach.ts'
import type { ServiceScope } from '../credentials/scopes.ts'
import { issueServiceAccountToken } from '../credentials/service-account-tokens.ts'
import { recordAccountUse } from '../plugins/last-use.ts'
import { limitExchange, limitSignIn } from '../plugins/rate-limit.ts'
import type { RequestContext } from '../plugins/request-context.ts'
import { findByKey } from '../plugins/service-account-access.ts'
import type { TrustRule } from './assertions.ts'
import { OAuthError } from './errors.ts'
import { type Grant, invalidClient } from './parameters.ts'
import type { TokenResponse } from './schema.ts'

export interface Trust extends TrustRule {
  id: string
  max_ttl_seconds: number
}

export interface Account {
  id: string
  organization_id: string
  workspace_id: string | null
  project_id: string | null
  name: string
  scopes: ServiceScope[]
  enabled: boolean
  trusts: Trust[]
}

/** An account by its id, with its trusts. A trust that names no audience has the one of this service. */
export async function findAccount(db: Queryable, id: string): Promise<Account | undefined> {
  const [account] = await locating(
    db<Account[]>`
    select
      account.id, account.organization_id, account.workspace_id, account.project_id, account.name, account.scopes,
      account.enabled,
      coalesce(
        (
          select jsonb_agg(
            jsonb_build_object(
              'id', trust.id, 'issuer', trust.issuer, 'audience', coalesce(trust.audience, ${config.PUBLIC_URL}), 'claims',
              trust.claims,
              'max_ttl_seconds', trust.max_ttl_seconds
            )
            order by trust.id
          )
          from service_account_trusts as trust
          where trust.service_account_id = account.id and trust.organization_id = account.organization_id
        ),
        '[]'
      ) as trusts
    from service_accounts as account
    where account.id = ${id}
      and account.deleted_at is null
  `,
    id,
  )
  return account
}

/** The scopes that a token gets: those that the request names, or all of the account. @throws OAuthError `invalid_scope` */
export function scopesFor({ scopes }: Pick<Account, 'scopes'>, asked: string[] | undefined): ServiceScope[] {
  const given = asked === undefined ? scopes : scopes.filter((scope) => asked.includes(scope))
  if (given.length > 0 && (asked ?? []).every((word) => (scopes as string[]).includes(word))) return given
  throw new OAuthError('invalid_scope', `The scope must be some of: ${scopes.join(' ')}.`)
}

type Context = Pick<RequestContext, 'address' | 'request_id'>

export async function recordSignIn(tx: Tx, account: Account, { address, request_id }: Context, how: string): Promise<void> {
  const { id, organization_id, name } = account
  const by = { type: 'service_account', id, name, ip_address: address, request_id, traceparent: null } as const
  await record(tx, by, account, {
    action: 'service_account.signed_in',
    resource_type: 'service_account',
    resource_id: id,
    detail: `${name} signed in ${how}.`,
  })
  recordAccountUse({ id, bound_to: organization_id, ip_address: address }, { key_id: null })
}

/** Of an account and a kind of reason: a stranger must not be able to fill the audit log, or to hide why others are refused. */
const REFUSALS: Quota = { most: 10, seconds: 60 }

/** Records why a sign-in was refused, which the caller does not learn. @param kind of the reason */
export async function recordRefusal(
  db: Queryable,
  account: Account,
  { address, request_id }: Context,
  kind: string,
  reason: string,
): Promise<void> {
  const { id, name } = account
  if ((await useQuota(db, `refused sign-ins of service account ${id}: ${kind}`, REFUSALS)) !== null) return
  await transaction((tx) =>
    record(tx, { ...SYSTEM, ip_address: address, request_id }, account, {
      action: 'service_account.sign_in_refused',
      resource_type: 'service_account',
      resource_id: id,
      detail: `A sign-in as the service account ${name} was refused. ${reason}`,
    }),
  )
}

/** A token of an account. @param given the key or the trust that it ends with */
export async function tokenFor(
  { id, organization_id }: Account,
  scopes: ServiceScope[],
  given: { key_id: string; trust_id: null } | { key_id: null; trust_id: string },
  expires_in: number,
): Promise<TokenResponse> {
  const access_token = await issueServiceAccountToken({ account_id: id, organization_id, scopes, ...given }, expires_in)
  return { access_token, token_type: 'Bearer', expires_in, scope: scopes.join(' ') }
}

const TOKEN_SECONDS = 900

/** RFC 6749, section 4.4: a service account signs in with one of its keys. */
export const clientCredentials: Grant = async ({ parameters, context, credentials }) => {
  const { client_id = '', client_secret = '' } = credentials ?? {}
  const refused = invalidClient(
    'The client_id must be the id of a service account, and the client_secret one of its keys.',
    credentials,
  )
  const isId = isUuid(client_id)
  limitExchange(context, isId ? client_id : null)
  if (!isId) throw refused
  const [found, account] = await Promise.all([findByKey(client_secret, null, null), findAccount(sql, client_id)])
  if (!account) throw refused
  const { id } = account
  const key_id = found?.user_id === id ? found.service_account?.key_id : undefined
  if (!key_id) {
    await recordRefusal(sql, account, context, 'key', 'The key is unknown, revoked or expired, or the account is disabled.')
    throw refused
  }
  limitSignIn(id)
  const scopes = scopesFor(account, parameters.words('scope'))
  await transaction((tx) => recordSignIn(tx, account, context, 'with a key'))
  return tokenFor(account, scopes, { key_id, trust_id: null }, TOKEN_SECONDS)
}
