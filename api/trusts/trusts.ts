/** Trusts: whose tokens a service account may sign in with. */
import { isAllowedAddress, urlError } from '../../core/outbound/requests.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { ActorShape, Instant, Maybe, Nullable, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { bareName, bareUrl } from '../../core/values/web-addresses.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields } from '../audit-logs/changes.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { type FieldError, invalidField, invalidFields, notFound, Problem } from '../problems.ts'
import { getServiceAccount, lockServiceAccount, recordChange } from '../service-accounts/service-accounts.ts'

const CLAIM = Type.String({ minLength: 1, maxLength: 100 })
const VALUE = Type.String({ minLength: 1, maxLength: 1000 })

const issuer = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The `iss` of the tokens, character by character. Its discovery document must be public.',
  examples: ['https://token.actions.githubusercontent.com'],
})
const audience = Maybe(
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The `aud` that the tokens must have. Null: the public URL of this service.',
      examples: ['https://signalbox.example.com'],
    }),
  ),
)
const claims = Type.Record(CLAIM, Type.Array(VALUE, { minItems: 1, maxItems: 20 }), {
  minProperties: 1,
  maxProperties: 10,
  description:
    'Claims that the tokens must have, each with the values of which it must be one. They are compared as text, exactly: numbers, lists and objects never match.',
  examples: [{ repository_id: ['74'], ref: ['refs/heads/main'] }],
})
const max_ttl_seconds = Type.Integer({
  minimum: 60,
  maximum: 3600,
  description: 'How long the access tokens work that are given for it.',
  examples: [900],
})

export const TrustInput = Shape({ issuer, audience, claims, max_ttl_seconds: Maybe(max_ttl_seconds) })
export type TrustInput = Static<typeof TrustInput>

export const TrustUpdate = Shape({
  issuer: Maybe(issuer),
  audience,
  claims: Maybe(claims),
  max_ttl_seconds: Maybe(max_ttl_seconds),
})
export type TrustUpdate = Static<typeof TrustUpdate>

export const Trust = Shape('Trust', {
  id: Uuid,
  service_account_id: Uuid,
  issuer: Type.String(),
  audience: Type.String(),
  claims,
  max_ttl_seconds: Type.Integer(),
  created_by: Uuid,
  actor: ActorShape,
  created_at: Instant,
  updated_at: Instant,
})
export type Trust = Static<typeof Trust>

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
    where trust.service_account_id = ${account.id} and trust.organization_id = ${account.organization_id}
      ${following(sql`trust.id`, after)}
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
  if (count >= MAX_TRUSTS)
    throw new Problem('trust_limit_reached', `A service account can have at most ${MAX_TRUSTS} trusts. Delete one first.`)
  const { issuer, audience = null, claims, max_ttl_seconds = 900 } = input
  const [created] = await tx<[Trust]>`
    insert into service_account_trusts as trust (
      organization_id, service_account_id, issuer, audience, claims, max_ttl_seconds, created_by
    )
    values (${organization_id}, ${id}, ${issuer}, ${audience}, ${tx.json(claims)}, ${max_ttl_seconds}, ${by.id})
    returning ${columns(tx)}
  `
  const what = `let the service account ${of.name} sign in with tokens of ${issuer} (${inWords(claims)}).`
  await recordChange(tx, by, of, 'service_account_trust.created', created.id, what)
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
export async function updateTrust(tx: Tx, by: Caller, account: Account, trust_id: string, input: TrustUpdate, request: Request) {
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
    where id = ${before.id} and organization_id = ${account.organization_id}
  `
  const what = `changed ${Object.keys(changed).join(', ')} of a trust: the service account ${of.name} signs in with tokens of ${issuer} (${inWords(listed)}).`
  await recordChange(tx, by, of, 'service_account_trust.updated', before.id, what)
  return lockTrust(tx, account, trust_id)
}

/** Deletes a trust. Tokens that were given for it stop working at once. @throws Problem `not_found` */
export async function deleteTrust(tx: Tx, by: Caller, account: Account, trust_id: string, request: Request): Promise<null> {
  const of = await lockServiceAccount(tx, account)
  const { id, issuer, updated_at } = await lockTrust(tx, account, trust_id)
  requireMatch(request, updated_at)
  await tx`delete from service_account_trusts where id = ${id} and organization_id = ${account.organization_id}`
  const what = `deleted the trust of the service account ${of.name} in ${issuer}.`
  await recordChange(tx, by, of, 'service_account_trust.deleted', id, what)
  return null
}

/**
 * What is wrong with the URL of an issuer or of its keys: it must be https, or http at an address that the operator allowed.
 * @returns the end of a sentence; null if nothing is
 */
export function issuerUrlError(text: string): string | null {
  const flaw = urlError(text)
  if (flaw) return flaw[1]
  const { protocol, hostname, href } = new URL(text)
  // People take letters of other alphabets for those of an issuer that they know.
  if (!/^[!-~]+$/.test(text)) return `must be written as ${href}`
  // A name with a dot at its end is the same, but issuers and clients are compared as text.
  if (bareName(hostname) !== hostname) return `must be written as ${bareUrl(text)}`
  return protocol === 'https:' || isAllowedAddress(hostname, config.OUTBOUND_ALLOW) ? null : 'must be an https URL'
}

/** Claims that every token has, or that have a field of their own: they say nothing about who may have it. */
const RESERVED = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti']

type Names = (name: string) => boolean

/** Issuers of CI systems, with what they require and what is missing. */
type KnownIssuer = { hosts: RegExp; all: string[]; oneOf: string[] }

const GITHUB: KnownIssuer = {
  hosts: /^token\.actions\.(githubusercontent|[^.]+\.ghe)\.com$/,
  all: ['repository_id'],
  oneOf: ['ref', 'environment', 'job_workflow_ref'],
}

const GITLAB: KnownIssuer = { hosts: /^gitlab\.com$/, all: ['project_id'], oneOf: ['ref', 'ref_protected', 'environment'] }

const WHY: Record<string, string> = {
  repository_id: 'the name of a repository can be taken over, its id cannot',
  project_id: 'the path of a project can be taken over, its id cannot',
}

function missingOf({ all, oneOf }: KnownIssuer, names: Names): string | null {
  const missing = all.find((name) => !names(name))
  if (missing !== undefined) return `must name ${missing}: ${WHY[missing]}`
  return oneOf.some(names) ? null : `must name one of ${oneOf.join(', ')}`
}

function claimErrors(issuer: string, claims: Record<string, string[]>): FieldError[] {
  const reserved = RESERVED.filter((name) => Object.hasOwn(claims, name))
  if (reserved.length > 0) {
    return reserved.map((name) => ({
      pointer: `/claims/${name}`,
      code: 'reserved',
      detail: 'does not say who has the token; name another claim',
    }))
  }
  const names: Names = (name) => Object.hasOwn(claims, name)
  const host = bareName(new URL(issuer).hostname)
  const known = [GITHUB, GITLAB].find(({ hosts }) => hosts.test(host))
  const enough = names('sub') || Object.keys(claims).length >= 2
  const detail = known ? missingOf(known, names) : enough ? null : 'must name sub, or at least two other claims'
  return detail === null ? [] : [{ pointer: '/claims', code: 'too_broad', detail }]
}
