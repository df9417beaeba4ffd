/** Domains of an organization: whose addresses they have is proven by a TXT record of each. */
import { addJob } from '../../core/jobs/tasks.ts'
import { domainRecord, textRecords, Unanswered } from '../../core/outbound/text-records.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { newToken } from '../../core/security/tokens.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { canonicalDomain } from '../../core/values/email-addresses.ts'
import { type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { lockOrganization, organizationScope, requireRole } from '../members/membership.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import type { SsoDomain } from './schema.ts'

type Organization = ResourceKey<'organization'>

export const MAX_DOMAINS = 10

interface Claim {
  id: string
  domain: string
  status: SsoDomain['status']
  token: string
  checked_at: string | null
}

const columns = sql`id, domain, status, token, checked_at`

const shown = ({ id, domain, status, token, checked_at }: Claim): SsoDomain => ({
  ...{ id, domain, status },
  record: domainRecord(domain, token),
  checked_at,
})

export async function listDomains(db: Queryable, { organization_id }: Organization, { limit, after }: Slice) {
  const claims = await db<Claim[]>`
    select ${columns}
    from sso_domains
    where organization_id = ${organization_id}
      ${following(sql`id`, after)}
    order by id desc
    limit ${limit}
  `
  return claims.map(shown)
}

async function findClaim(db: Queryable, { organization_id }: Organization, domain_id: string): Promise<Claim> {
  const [claim] = await db<Claim[]>`
    select ${columns} from sso_domains where organization_id = ${organization_id} and id = ${domain_id}
  `
  if (!claim) throw notFound('domain')
  return claim
}

const recordDomain = (
  tx: Tx,
  by: Caller,
  { organization_id }: Organization,
  { id, domain }: Claim,
  participle: string,
  detail: string,
) =>
  record(tx, by, organizationScope(organization_id), {
    action: `sso_domain.${participle}`,
    resource_type: 'sso_domain',
    resource_id: id,
    detail: `${by.name} ${detail} the domain ${domain}.`,
  })

/** Claims a domain, which counts once it is verified. @throws Problem `already_exists`, `domain_limit_reached`, `not_found`; 422 */
export async function addDomain(tx: Tx, by: Caller, organization: Organization, typed: string): Promise<SsoDomain> {
  const { organization_id } = organization
  await lockOrganization(tx, organization_id)
  await requireRole(tx, by, organization_id, 'owner')
  const domain = canonicalDomain(typed.trim())
  if (domain === null || !domain.includes('.'))
    throw invalidField('/domain', 'malformed', 'must be a domain, such as example.com')
  const [connection] = await tx<{ use_instance: boolean }[]>`
    select use_instance from sso_connections where organization_id = ${organization_id}
  `
  if (!connection) throw notFound('connection')
  if (connection.use_instance)
    throw new Problem('invalid_transition', 'The provider is that of the instance, which needs no domains.')
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) from sso_domains where organization_id = ${organization_id}
  `
  if (count >= MAX_DOMAINS)
    throw new Problem('domain_limit_reached', `An organization can have at most ${MAX_DOMAINS} domains. Remove one first.`)
  const [claim] = await tx<Claim[]>`
    insert into sso_domains (organization_id, domain, token)
    values (${organization_id}, ${domain}, ${newToken()})
    on conflict (organization_id, domain) do nothing
    returning ${columns}
  `
  if (!claim) throw new Problem('already_exists', `The domain ${domain} is in the list already.`)
  await recordDomain(tx, by, organization, claim, 'added', 'claimed')
  return shown(claim)
}

/** @throws Problem `not_found` */
export async function removeDomain(tx: Tx, by: Caller, organization: Organization, domain_id: string, request: Request) {
  await lockOrganization(tx, organization.organization_id)
  await requireRole(tx, by, organization.organization_id, 'owner')
  const claim = await findClaim(tx, organization, domain_id)
  requireMatch(request, null)
  await tx`delete from sso_domains where organization_id = ${organization.organization_id} and id = ${claim.id}`
  await recordDomain(tx, by, organization, claim, 'removed', 'removed')
  return null
}

const notProven = ({ domain, token }: Claim): Problem => {
  const { name, value } = domainRecord(domain, token)
  return new Problem(
    'domain_not_proven',
    `There is no TXT record at ${name} with the value ${value}. New records can take an hour.`,
  )
}

/** What the record of a domain has. Asked before the transaction. @throws Problem `domain_not_proven`, also if no name server answers */
export async function readDomainRecord(organization: Organization, domain_id: string): Promise<string[]> {
  const claim = await findClaim(sql, organization, domain_id)
  try {
    return await textRecords(domainRecord(claim.domain, claim.token).name)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    throw new Problem('domain_not_proven', `${error.message} Try again later.`)
  }
}

const taken = (domain: string): Problem =>
  new Problem(
    'domain_taken',
    `The domain ${domain} is verified for another organization, whose TXT record is still there. Remove that record first.`,
  )

/** The claim of another organization to the same domain lapses, unless its record is still there. @throws Problem `domain_taken` */
async function takeFrom(tx: Tx, { id, domain }: Claim, texts: string[]): Promise<void> {
  const [other] = await tx<{ id: string; token: string; organization_id: string }[]>`
    select id, token, organization_id
    from sso_domains
    where domain = ${domain}
      and status = 'verified'
      and id <> ${id}
    for update
  `
  if (!other) return
  if (texts.includes(domainRecord(domain, other.token).value)) throw taken(domain)
  const { organization_id } = other
  await tx`
    update sso_domains set status = 'lapsed', check_at = null where organization_id = ${organization_id} and id = ${other.id}
  `
  await record(tx, SYSTEM, organizationScope(organization_id), {
    action: 'sso_domain.lapsed',
    resource_type: 'sso_domain',
    resource_id: other.id,
    detail: `The domain ${domain} has lapsed: another organization has proven that it is theirs.`,
  })
  await addJob(tx, 'mail_sso_notice', { organization_id, about: 'lapsed', subject_id: other.id })
}

/** @param texts what the record has @throws Problem `domain_not_proven`, `domain_taken`, `not_found` */
export async function verifyDomain(tx: Tx, by: Caller, organization: Organization, domain_id: string, texts: string[]) {
  await lockOrganization(tx, organization.organization_id)
  await requireRole(tx, by, organization.organization_id, 'owner')
  const claim = await findClaim(tx, organization, domain_id)
  if (!texts.includes(domainRecord(claim.domain, claim.token).value)) throw notProven(claim)
  await takeFrom(tx, claim, texts)
  try {
    await tx`
      update sso_domains
      set
        status = 'verified', missed = 0, checked_at = now(),
        check_at = now() + ${config.SSO_DOMAIN_SECONDS} * interval '1 second'
      where organization_id = ${organization.organization_id} and id = ${claim.id}
    `
  } catch (error) {
    // Another organization has verified it at this moment.
    throw violatedConstraint(error) === 'sso_domains_verified' ? taken(claim.domain) : error
  }
  if (claim.status !== 'verified') await recordDomain(tx, by, organization, claim, 'verified', 'verified')
  return shown(await findClaim(tx, organization, domain_id))
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

/** The connection of the organization for which the domain of an address is verified. */
export async function connectionForAddress(db: Queryable, email: string): Promise<string | null> {
  const [found] = await db<{ id: string }[]>`
    select connection.id
    from sso_domains as claimed
    join sso_connections as connection on connection.organization_id = claimed.organization_id
    where claimed.domain = ${domainOf(email)} and claimed.status = 'verified'
  `
  return found?.id ?? null
}

/** Whether an address lies in a verified domain of an organization. Subdomains count apart. */
export async function isInDomain(db: Queryable, organization_id: string, email: string): Promise<boolean> {
  const verified = await db`
    select
    from sso_domains
    where organization_id = ${organization_id}
      and domain = ${domainOf(email)}
      and status = 'verified'
  `
  return verified.length > 0
}
