/** Organizations that count the sign-ons with the provider of the instance, for their groups. */
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { savepoint } from '../../sql/transaction.ts'
import { Problem } from '../problems.ts'
import { rootOf } from './claims.ts'
import { type Connection, instance } from './connections.ts'
import { groupsIn } from './group-claims.ts'
import type { Mapping } from './mapped.ts'
import { admitMember } from './organization-sign-on.ts'
import type { Person } from './people.ts'
import { recordRefusal } from './refusals.ts'

/**
 * Those whose owner the provider knows: strangers who have registered here must not find out about its people by mappings.
 */
const counting = (db: Queryable) => db`
  sso_connections as connection
  join member_organizations as owner on owner.organization_id = connection.organization_id and owner.role = 'owner'
  join sso_identities as identity
    on identity.user_id = owner.user_id
    and identity.connection_id = ${INSTANCE}
    and identity.issuer = ${instance?.issuer ?? ''}
`

/** The claims with groups that they name. */
export async function countedClaims(db: Queryable): Promise<string[]> {
  const rows = await db<{ groups_claim: string }[]>`
    select distinct connection.groups_claim
    from ${counting(db)}
    where connection.use_instance and connection.mappings <> '[]'
  `
  return rows.map(({ groups_claim }) => groups_claim)
}

/** The groups that a claim names, or why that is not known. */
function valuesOf({ claims, unknown }: Person, groups_claim: string): string[] | Problem {
  if (unknown.includes(rootOf(groups_claim)))
    return new Problem('sso_unavailable', 'The userinfo endpoint of the provider did not answer, so the groups are not known.')
  try {
    return groupsIn(claims, groups_claim)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** Of one owner, at one sign-on: what they set up must not make the sign-ons of everybody slow. More follow at the next. */
const MAX_JOINED = 10

interface Counting {
  organization_id: string
  groups_claim: string
  mappings: Mapping[]
  owner_id: string
  is_member: boolean
}

/** Those of which the person is a member, and the first of each owner that they join. */
function atOnce(concerned: Counting[]): Counting[] {
  const joined = new Map<string, number>()
  return concerned.filter(({ is_member, owner_id }) => {
    if (is_member) return true
    const before = joined.get(owner_id) ?? 0
    joined.set(owner_id, before + 1)
    return before < MAX_JOINED
  })
}

/** Sets what they give to the groups of a person: those of which the person is a member, or becomes one. */
export async function countAll(tx: Tx, connection: Connection, user_id: string, person: Person): Promise<void> {
  const claims = await countedClaims(tx)
  if (claims.length === 0) return
  const values = new Map(claims.map((claim) => [claim, valuesOf(person, claim)]))
  const given = Object.fromEntries([...values].filter(([, each]) => Array.isArray(each)))
  const concerned = await tx<Counting[]>`
    select
      connection.organization_id, connection.groups_claim, connection.mappings, owner.user_id as owner_id,
      member.user_id is not null as is_member
    from ${counting(tx)}
    left join member_organizations as member
      on member.organization_id = connection.organization_id
      and member.user_id = ${user_id}
    where connection.use_instance
      and connection.mappings <> '[]'
      and (
        member.user_id is not null
        or connection.provision
        and exists (
          select
          from jsonb_array_elements(connection.mappings) as mapping
          where jsonb_exists(${tx.json(given as never)}::jsonb -> connection.groups_claim, mapping ->> 'value')
        )
      )
    order by connection.organization_id
  `
  for (const { organization_id, groups_claim, mappings, is_member } of atOnce(concerned)) {
    try {
      const groups = values.get(groups_claim)
      if (!Array.isArray(groups)) throw groups
      await savepoint(tx, (inner) => admitMember(inner, { organization_id, name: '', mappings }, user_id, groups, !is_member))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // What one organization has set, or a limit of it, must not keep people out of the service.
      await recordRefusal({ ...connection, organization_id }, error.detail, tx)
    }
  }
}
