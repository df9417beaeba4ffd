/** Trusts: whose tokens a service account may sign in with. */
import { config } from '../../core/platform/config.ts'
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields } from '../audit-logs/changes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, invalidFields, notFound, Problem } from '../problems.ts'
import { getServiceAccount, lockServiceAccount, scopeOf } from '../service-accounts/service-accounts.ts'
import { claimErrors, issuerUrlError } from './issuers.ts'
import type { Trust, TrustInput, TrustUpdate } from './schema.ts'

/** Trusts that an account can have. */
export const MAX_TRUSTS = 20

type Account = ResourceKey<'service_account'>

const columns = (db: Queryable) => db`
  trust.id, trust.service_account_id, trust.issuer, coalesce(trust.audience, ${config.PUBLIC_URL}) as audience, trust.claims,
  trust.max_ttl_seconds, trust.created_by, actor_of(trust.created_by, trust.organization_id) as actor, trust.created_at,
  trust.updated_at
`

/** The trusts of an account, newest first. @throws Problem `not_found` */
export async function listTrusts(db: Queryable, account: Account, { limit, after }: Slice): Promise<Trust[]> {
  await getServiceAccount(db, account)
  return db<Trust[]>`
    select ${columns(db)}
    from service_account_trusts as trust
    where trust.service_account_id = ${account.id}
      and trust.organization_id = ${account.organization_id}
      and (${after}::uuid is null or trust.id < ${after})
    order by trust.id desc
    limit ${limit}
  `
}

/** @throws Problem 422 */
function check({ issuer, claims }: Pick<TrustInput, 'issuer' | 'claims'>): void {
  const flaw = issuerUrlError(issuer)
  if (flaw !== null) throw invalidField('/issuer', 'malformed', flaw)
  const { search, hash } = new URL(issuer)
  if (search !== '' || hash !== '') throw invalidField('/issuer', 'malformed', 'must have neither a query nor a fragment')
  const errors = claimErrors(issuer, claims)
  if (errors.length > 0) throw invalidFields(errors)
}

/** The claims of a trust, for the audit log. */
const inWords = (claims: Trust['claims']): string =>
  Object.entries(claims)
    .map(([name, values]) => `${name}: ${values.join(' or ')}`)
    .join('; ')

/** Creates a trust. @throws Problem `not_found`, `trust_limit_reached`; 422 for its issuer and claims */
export async function createTrust(tx: Tx, by: Caller, account: Account, input: TrustInput): Promise<Trust> {
  const { id, organization_id } = account
  // Locked, so that two requests at once cannot both create the last trust.
  const of = await lockServiceAccount(tx, account)
  check(input)
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) from service_account_trusts where service_account_id = ${id} and organization_id = ${organization_id}
  `
  if (count >= MAX_TRUSTS) {
    throw new Problem('trust_limit_reached', `A service account can have at most ${MAX_TRUSTS} trusts. Delete one first.`)
  }
  const { issuer, audience = null, claims, max_ttl_seconds = 900 } = input
  const [created] = await tx<[Trust]>`
    insert into service_account_trusts as trust (
      organization_id, service_account_id, issuer, audience, claims, max_ttl_seconds, created_by
    )
    values (${organization_id}, ${id}, ${issuer}, ${audience}, ${tx.json(claims)}, ${max_ttl_seconds}, ${by.id})
    returning ${columns(tx)}
  `
  await record(tx, by, scopeOf(of), {
    action: 'service_account_trust.created',
    resource_type: 'service_account_trust',
    resource_id: created.id,
    detail: `${by.name} let the service account ${of.name} sign in with tokens of ${issuer} (${inWords(claims)}).`,
  })
  return created
}

/** @throws Problem `not_found` */
async function lockTrust(tx: Tx, { id, organization_id }: Account, trust_id: string): Promise<Trust> {
  const [trust] = await tx<Trust[]>`
    select ${columns(tx)}
    from service_account_trusts as trust
    where trust.id = ${trust_id}
      and trust.service_account_id = ${id}
      and trust.organization_id = ${organization_id}
    for no key update
  `
  if (!trust) throw notFound('trust')
  return trust
}

/** Updates the fields that differ. Tokens that were given for it stay valid. @throws Problem `not_found`; 422 */
export async function updateTrust(
  tx: Tx,
  by: Caller,
  account: Account,
  trust_id: string,
  input: TrustUpdate,
  request: Request,
): Promise<Trust> {
  const of = await lockServiceAccount(tx, account)
  const before = await lockTrust(tx, account, trust_id)
  requireMatch(request, before.updated_at)
  const { claims, audience, ...rest } = input
  check({ ...before, ...input })
  const changed = changedFields(before, {
    ...rest,
    ...(audience === undefined ? {} : { audience: audience ?? config.PUBLIC_URL }),
    ...(claims === undefined ? {} : { claims }),
  })
  if (!changed) return before
  const { issuer, audience: named, claims: listed, max_ttl_seconds } = { ...before, ...changed }
  await tx`
    update service_account_trusts
    set
      issuer = ${issuer}, audience = nullif(${named}, ${config.PUBLIC_URL}), claims = ${tx.json(listed)},
      max_ttl_seconds = ${max_ttl_seconds}
    where id = ${before.id}
      and organization_id = ${account.organization_id}
  `
  await record(tx, by, scopeOf(of), {
    action: 'service_account_trust.updated',
    resource_type: 'service_account_trust',
    resource_id: before.id,
    detail: `${by.name} changed ${Object.keys(changed).join(', ')} of a trust: the service account ${of.name} signs in with tokens of ${issuer} (${inWords(listed)}).`,
  })
  return lockTrust(tx, account, trust_id)
}

/** Deletes a trust. Tokens that were given for it stop working at once. @throws Problem `not_found` */
export async function deleteTrust(tx: Tx, by: Caller, account: Account, trust_id: string, request: Request): Promise<null> {
  const of = await lockServiceAccount(tx, account)
  const { id, issuer, updated_at } = await lockTrust(tx, account, trust_id)
  requireMatch(request, updated_at)
  await tx`delete from service_account_trusts where id = ${id} and organization_id = ${account.organization_id}`
  await record(tx, by, scopeOf(of), {
    action: 'service_account_trust.deleted',
    resource_type: 'service_account_trust',
    resource_id: id,
    detail: `${by.name} deleted the trust of the service account ${of.name} in ${issuer}.`,
  })
  return null
}
