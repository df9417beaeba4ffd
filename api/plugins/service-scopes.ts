/** What requests need of a service account: one of the scopes that their route declares. */
import type { Grant } from '../credentials/service-account-tokens.ts'
import type { ServiceScope } from '../credentials/service-scopes.ts'
import { Problem } from '../problems.ts'

/** Where a service account works, what it may do there, and what it signed in with. */
export interface ServiceAccess extends Grant {
  workspace_id: string | null
  project_id: string | null
  scopes: ServiceScope[]
}

/** The scopes of which a request needs one; `any`: it needs none in particular; null: no service account may send it. */
export type NeededScopes = readonly ServiceScope[] | 'any' | null

/** Those of the scopes of an account that admit a request. */
export const admittingScopes = ({ scopes }: ServiceAccess, needed: NeededScopes): ServiceScope[] =>
  needed === null || needed === 'any' ? [] : scopes.filter((scope) => needed.includes(scope))

/** @throws Problem `person_required`, `insufficient_scope` */
export function requireServiceScope(account: ServiceAccess, needed: NeededScopes): void {
  if (needed === 'any') return
  if (needed === null) {
    throw new Problem(
      'person_required',
      'No scope of a service account allows this. A person can do it, signed in or with a personal token.',
    )
  }
  if (admittingScopes(account, needed).length > 0) return
  const [scope] = needed
  throw new Problem(
    'insufficient_scope',
    `This requires the scope ${needed.join(' or ')}, which this service account or its token does not have.`,
    undefined,
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  )
}
