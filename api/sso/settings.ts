/** The OpenID connection of an organization: what its owner sets. */
import { Deadline } from '../../core/outbound/deadline.ts'
import { record } from '../../core/security/audit.ts'
import { encrypt, MASK } from '../../core/security/secrets.ts'
import { INSTANCE, isForAnyone, missingClaim, scopesIn } from '../../core/values/openid-issuers.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields } from '../audit-logs/changes.ts'
import { requireSecondFactorOf } from '../auth/second-factors.ts'
import { lockOrganization, lockUser, organizationScope, requireRole } from '../members/membership.ts'
import { IssuerProblem, TIMEOUT_MS } from '../oauth/issuer-documents.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import { issuerUrlError } from '../trusts/trusts.ts'
import { callbackUrl, instance } from './connections.ts'
import { canonical, removeUnknown, requireKnown } from './mapped.ts'
import { fetchProvider } from './provider.ts'
import type { ConnectionInput, SsoConnection } from './schema.ts'
import { unlinkAll } from './unlinking.ts'

type Organization = ResourceKey<'organization'>
type Stored = Omit<SsoConnection, 'callback_url' | 'client_secret'> & { client_secret: Uint8Array | null }

const columns = (db: Queryable) => db`
  id, organization_id, use_instance, issuer, client_id, client_secret, scopes, claims, groups_claim, mappings, provision,
  trust_email, session_hours, required, created_at, updated_at
`

/** Null: the organization has none. */
async function findSettings(db: Queryable, { organization_id }: Organization): Promise<Stored | null> {
  const [found] = await db<Stored[]>`
    select ${columns(db)} from sso_connections where organization_id = ${organization_id}
  `
  return found ?? null
}

const shown = (stored: Stored): SsoConnection => ({
  ...stored,
  client_secret: stored.client_secret && MASK,
  callback_url: stored.use_instance ? null : callbackUrl(stored),
})

/** @throws Problem `not_found` before there is one */
export async function getSettings(db: Queryable, organization: Organization): Promise<SsoConnection> {
  const found = await findSettings(db, organization)
  if (!found) throw notFound('connection')
  return shown(found)
}

/** The connection whose sign-ons count. */
const countedId = ({ id, use_instance }: Pick<Stored, 'id' | 'use_instance'>): string => (use_instance ? INSTANCE : id)

function requireProvider({ issuer, client_id, client_secret, use_instance = false }: ConnectionInput): void {
  if (use_instance) {
    if (!instance) throw invalidField('/use_instance', 'not_allowed', 'needs a provider of the instance, which the operator sets')
    const [name] = Object.entries({ issuer, client_id, client_secret }).find(([, given]) => given !== undefined) ?? []
    if (name !== undefined) throw invalidField(`/${name}`, 'not_allowed', 'cannot be set with use_instance')
    return
  }
  const [missing] = Object.entries({ issuer, client_id, client_secret }).find(([, given]) => given === undefined) ?? []
  if (missing !== undefined) throw invalidField(`/${missing}`, 'required', 'is required')
}

function requireIssuer(issuer: string): void {
  const flaw = issuerUrlError(issuer)
  if (flaw !== null) throw invalidField('/issuer', 'malformed', flaw)
  const { search, hash } = new URL(issuer)
  if (search !== '' || hash !== '') throw invalidField('/issuer', 'malformed', 'must have neither a query nor a fragment')
  if (isForAnyone(issuer))
    throw invalidField('/issuer', 'too_broad', 'is for personal Microsoft accounts; use that of your tenant')
}

function requireNarrow(issuer: string | null, claims: SsoConnection['claims']): void {
  const claim = issuer === null ? null : missingClaim(issuer, claims)
  if (claim !== null)
    throw invalidField('/claims', 'too_broad', `must name ${claim}: anyone can have an account there, and could sign in`)
}

/**
 * Checks that the provider of a new connection can be reached. Not in a transaction.
 *
 * @throws Problem 422, `issuer_unreachable` at `/issuer` with the reason
 */
export async function checkProvider(db: Queryable, organization: Organization, input: ConnectionInput): Promise<void> {
  if (await findSettings(db, organization)) return
  requireProvider(input)
  const { issuer } = input
  if (issuer === undefined) return
  requireIssuer(issuer)
  requireNarrow(issuer, input.claims ?? {})
  const deadline = new Deadline(TIMEOUT_MS)
  try {
    await fetchProvider(issuer, deadline)
  } catch (error) {
    if (!(error instanceof IssuerProblem)) throw error
    throw invalidField('/issuer', 'issuer_unreachable', `cannot be used. ${error.message}`)
  } finally {
    deadline.end()
  }
}

const DEFAULTS = {
  use_instance: false,
  scopes: 'openid email profile',
  claims: {},
  groups_claim: 'groups',
  mappings: [],
  provision: false,
  trust_email: false,
  session_hours: 12,
  required: 'none',
} as const

async function insert(tx: Tx, { organization_id }: Organization, input: ConnectionInput): Promise<Stored> {
  requireProvider(input)
  const { issuer = null, client_id = null, client_secret } = input
  const secret = client_secret === undefined ? null : await encrypt(client_secret)
  const { use_instance } = { ...DEFAULTS, ...input }
  const [created] = await tx<Stored[]>`
    insert into sso_connections (
      organization_id, use_instance, issuer, client_id, client_secret, scopes, claims, groups_claim, mappings, provision,
      trust_email, session_hours, required
    )
    values (
      ${organization_id}, ${use_instance}, ${issuer}, ${client_id}, ${secret}, ${DEFAULTS.scopes}, '{}', ${DEFAULTS.groups_claim},
      '[]', false, false, ${DEFAULTS.session_hours}, 'none'
    )
    returning ${columns(tx)}
  `
  if (!created) throw new Error('No connection was created')
  return created
}

/** @throws Problem 422 at what cannot be changed */
function requireSameProvider(before: Stored, { issuer, use_instance }: ConnectionInput): void {
  const detail = 'cannot be changed: people are known by it; delete the connection, and make another one'
  if (issuer !== undefined && issuer !== before.issuer) throw invalidField('/issuer', 'immutable', detail)
  if (use_instance !== undefined && use_instance !== before.use_instance) throw invalidField('/use_instance', 'immutable', detail)
}

const STRICTNESS: SsoConnection['required'][] = ['none', 'domains', 'everyone']

/** @throws Problem `sso_not_tested`, `second_factor_required` (409) */
async function requireTested(tx: Tx, by: SignedIn, before: Stored): Promise<void> {
  const tested = await tx`
    select from sso_identities where user_id = ${by.id} and connection_id = ${countedId(before)} and proven_until > now()
  `
  if (tested.length === 0)
    throw new Problem(
      'sso_not_tested',
      'Sign in with this provider yourself before you require it of others: if it does not work, no member gets in.',
    )
  const detail = 'You have no second factor. Set one up first: with it, you get in when the provider is lost.'
  await requireSecondFactorOf(tx, by.id, detail)
}

/** Fields as they are stored. @throws Problem 422 */
function canonicalFields({ mappings, scopes: typed }: ConnectionInput): Partial<Stored> {
  const scopes = typed === undefined ? undefined : scopesIn(typed)
  if (scopes === null) throw invalidField('/scopes', 'malformed', 'must be scopes, separated by spaces, openid among them')
  return { ...(mappings ? { mappings: canonical(mappings) } : {}), ...(scopes === undefined ? {} : { scopes }) }
}

const withoutSecret = ({ client_secret: _, ...rest }: Partial<Stored>) => rest

/**
 * Makes the connection of an organization, or changes the fields that differ.
 *
 * @throws Problem `forbidden` if the caller is not the owner; `sso_not_tested`, `second_factor_required` (409); 422
 */
export async function putSettings(tx: Tx, by: SignedIn, organization: Organization, input: ConnectionInput, request: Request) {
  const { organization_id } = organization
  await lockUser(tx, { user_id: by.id })
  const { name } = await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'owner')
  const existing = await findSettings(tx, organization)
  requireMatch(request, existing?.updated_at ?? null)
  const before = existing ?? (await insert(tx, organization, input))
  requireSameProvider(before, input)
  const { client_secret, current_password: _, assertion: __, ...rest } = input
  const given = { ...rest, ...canonicalFields(input) }
  const changed = changedFields<Partial<Stored>>(withoutSecret(before), given as Partial<Stored>)
  const isNewSecret = existing !== null && client_secret !== undefined && client_secret !== MASK
  if (client_secret === MASK && !existing?.client_secret)
    throw invalidField('/client_secret', 'nothing_to_keep', 'is the placeholder for the stored secret, but no secret is stored')
  const after = { ...before, ...changed }
  requireNarrow(after.issuer, after.claims)
  if (changed?.mappings) await requireKnown(tx, organization_id, changed.mappings)
  if (STRICTNESS.indexOf(after.required) > STRICTNESS.indexOf(before.required)) await requireTested(tx, by, before)
  if (changed || isNewSecret) {
    const { claims, mappings } = after
    await tx`
      update sso_connections
      set
        client_id = ${after.client_id}, scopes = ${after.scopes}, claims = ${tx.json(claims)},
        groups_claim = ${after.groups_claim}, mappings = ${tx.json(mappings as never)}, provision = ${after.provision},
        trust_email = ${after.trust_email}, session_hours = ${after.session_hours}, required = ${after.required},
        client_secret = ${isNewSecret ? await encrypt(client_secret) : before.client_secret}
      where organization_id = ${organization_id}
    `
  }
  await requireOfMembers(tx, after, after.required !== before.required)
  if (changed?.mappings) await removeUnknown(tx, { organization_id, connection_id: countedId(after), mappings: after.mappings })
  const fields = [...Object.keys(changed ?? {}), ...(isNewSecret ? ['client_secret'] : [])]
  if (!existing || fields.length > 0) {
    await record(tx, by, organizationScope(organization_id), {
      action: existing ? 'sso_connection.updated' : 'sso_connection.created',
      resource_type: 'sso_connection',
      resource_id: before.id,
      detail: existing
        ? `${by.name} changed ${fields.join(', ')} of the single sign-on of ${name}.`
        : `${by.name} connected ${name} with ${after.issuer ?? 'the provider of the instance'} for single sign-on.`,
    })
  }
  return getSettings(tx, organization)
}

/**
 * Sets what is required in the memberships, each of which has a copy.
 *
 * @param isChanged else only those that have none, as a crash of a cluster may have parted them. Members who stay bound have another one
 */
function requireOfMembers(tx: Tx, { organization_id, required, ...connection }: Stored, isChanged: boolean) {
  const [connection_id, mode] = required === 'none' ? [null, null] : [countedId(connection), required]
  return tx`
    update organization_members
    set sso_connection_id = ${connection_id}, sso_required = ${mode}
    where organization_id = ${organization_id}
      and (${isChanged} or sso_connection_id is distinct from ${connection_id})
  `
}

/** Deletes the connection, and unlinks all people. @throws Problem `sso_required` (409) while it is required; `not_found`, `forbidden` */
export async function deleteSettings(tx: Tx, by: SignedIn, organization: Organization, request: Request): Promise<null> {
  const { organization_id } = organization
  const { name } = await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'owner')
  const before = await findSettings(tx, organization)
  if (!before) throw notFound('connection')
  requireMatch(request, before.updated_at)
  if (before.required !== 'none')
    throw new Problem(['sso_required', 409], 'Members must sign on with it. Set `required` to `none` first.')
  if (!before.use_instance) await unlinkAll(tx, before.id, `${by.name} ended the single sign-on of ${name}.`)
  await tx`delete from sso_connections where organization_id = ${organization_id}`
  await record(tx, by, organizationScope(organization_id), {
    action: 'sso_connection.deleted',
    resource_type: 'sso_connection',
    resource_id: before.id,
    detail: `${by.name} deleted the single sign-on of ${name}.`,
  })
  return null
}
