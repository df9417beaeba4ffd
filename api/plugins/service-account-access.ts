/** Finds the service account of a credential, and the resource that the path names, if the account works there. */
import { sql } from '../../core/platform/database.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import { RESOURCE_TABLES } from '../../sql/resource-tables.ts'
import type { ServiceScope } from '../credentials/scopes.ts'
import type { Grant, ServiceClaims } from '../credentials/service-account-tokens.ts'
import { KEY_PREFIX, organizationOfKey } from '../credentials/token-formats.ts'
import type { FoundCaller } from './callers.ts'
import { type FoundResource, type Kind, resourceOf } from './resources.ts'

interface FoundAccount extends FoundResource, Grant {
  account_id: string
  name: string
  scopes: ServiceScope[]
  account_workspace_id: string | null
  account_project_id: string | null
}

type Fragment = ReturnType<typeof sql>

const accountColumns = sql`
  account.id as account_id, account.organization_id, account.name, account.scopes, account.workspace_id, account.project_id
`

const isActive = sql`account.enabled and account.deleted_at is null`

const byKey = (key: string, organization_id: string): Fragment => sql`
  select ${accountColumns}, held.id as key_id, null::uuid as trust_id
  from service_account_keys as held
  join service_accounts as account
    on account.id = held.service_account_id
    and account.organization_id = held.organization_id
  where held.hash = ${tokenHash(key)}
    and held.organization_id = ${organization_id}
    and held.expires_at > now()
    and ${isActive}
`

/** The row of an account, while it has the key or the trust for which its access token was given. */
const byGrant = ({ account_id, organization_id, key_id, trust_id }: Omit<ServiceClaims, 'scopes'>): Fragment => sql`
  select ${accountColumns}, ${key_id}::uuid as key_id, ${trust_id}::uuid as trust_id
  from service_accounts as account
  where account.id = ${account_id}
    and account.organization_id = ${organization_id}
    and ${isActive}
    and exists (
      select
      from ${key_id === null ? sql`service_account_trusts` : sql`service_account_keys`} as held
      where held.id = ${key_id ?? trust_id}
        and held.organization_id = ${organization_id}
        and held.service_account_id = account.id
        ${key_id === null ? sql`` : sql`and held.expires_at > now()`}
    )
`

/** SQL: a resource in the organization of `account`, by its id, if the account works there. */
function lookUp(kind: Kind, id: string | null, organization: string): Fragment {
  const { table, organization_id, workspace_id, project_id } = RESOURCE_TABLES[kind]
  const column = (name: string | null) => (name === null ? sql`null::uuid` : sql`named.${sql(name)}`)
  // Of its organization, an account sees what its scopes show: routes narrow that to its workspace, or `visibleResource` refuses.
  const isPlace =
    kind === 'organization'
      ? sql``
      : sql`
          and coalesce(account.workspace_id = ${column(workspace_id)}, account.workspace_id is null)
          and coalesce(account.project_id = ${column(project_id)}, account.project_id is null)
        `
  return sql`
    select
      named.id, ${column(organization_id)} as organization_id, ${column(workspace_id)} as workspace_id,
      ${column(project_id)} as project_id
    from ${sql(table)} as named
    where named.id = ${id}
      and ${column(organization_id)} = ${organization}
      ${isPlace}
  `
}

/** In place of the roles of people: the scope of a request decides what an account may do. */
const ROLES = { organization_role: 'member', workspace_role: 'member' } as const

async function findAccount<K extends Kind>(
  credential: Fragment,
  organization_id: string,
  given: readonly ServiceScope[] | null,
  kind: K | null,
  id: string | null,
): Promise<FoundCaller<K> | undefined> {
  const [found] = await sql<FoundAccount[]>`
    select
      account.account_id, account.name, account.scopes, account.key_id, account.trust_id,
      account.workspace_id as account_workspace_id, account.project_id as account_project_id
      ${kind === null ? sql`` : sql`, resource.id, resource.organization_id, resource.workspace_id, resource.project_id`}
    from (${credential}) as account
    ${kind === null ? sql`` : sql`left join lateral (${lookUp(kind, id, organization_id)}) as resource on true`}
  `
  if (!found) return undefined
  const { account_id, name, scopes, key_id, trust_id, account_workspace_id: workspace_id, account_project_id: project_id } = found
  return {
    user_id: account_id,
    user_name: name,
    email: '',
    session_id: null,
    token_id: null,
    scope: null,
    bound_to: organization_id,
    has_second_factor: false,
    has_password: false,
    opened_by: null,
    service_account: {
      workspace_id,
      project_id,
      scopes: given ? scopes.filter((scope) => given.includes(scope)) : scopes,
      key_id,
      trust_id,
    },
    resource: kind && resourceOf(kind, { ...found, ...ROLES }),
    lacks_second_factor: false,
    lacked_sign_on: null,
    hidden: null,
    unproven: [],
    organization_role: null,
    is_own: false,
    is_in_group: null,
  }
}

export async function findByKey<K extends Kind>(
  key: string,
  kind: K | null,
  id: string | null,
): Promise<FoundCaller<K> | undefined> {
  const organization_id = organizationOfKey(key)
  return organization_id === undefined ? undefined : findAccount(byKey(key, organization_id), organization_id, null, kind, id)
}

export const findByClaims = <K extends Kind>(
  claims: ServiceClaims,
  kind: K | null,
  id: string | null,
): Promise<FoundCaller<K> | undefined> => findAccount(byGrant(claims), claims.organization_id, claims.scopes, kind, id)

export const isServiceAccountKey = (token: string): boolean => token.startsWith(KEY_PREFIX)
