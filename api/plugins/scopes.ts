/** What requests need of who sends them: a scope of a personal token, or one of those of a service account that their route declares. */
import { type ServiceScope, TOKEN_SCOPES, type TokenScope } from '../credentials/scopes.ts'
import type { Grant } from '../credentials/service-account-tokens.ts'
import { Problem } from '../problems.ts'
import type { Kind } from './resources.ts'

/** Where a service account works, what it may do there, and what it signed in with. */
export interface ServiceAccess extends Grant {
  workspace_id: string | null
  project_id: string | null
  scopes: ServiceScope[]
}

/** The scopes of which a request needs one; `any`: it needs none in particular; null: no service account may send it. */
export type NeededScopes = readonly ServiceScope[] | 'any' | null

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

const PERSON_REQUIRED =
  'People decide gates. Decide it signed in: in the app, in Slack, by the mailed link, or with the access token of a session. A script that decides as you needs a personal token with the scope decide.'

/** @param scope of the caller's personal token; null without one @throws Problem `read_only_token`, `person_required` */
export function requireScope(scope: TokenScope | null, isReading: boolean, kind: Kind | null): void {
  // Every change of a gate is a decision, so that a new one needs no rule of its own.
  const needed = isReading ? 'read' : kind === 'gate' ? 'decide' : 'write'
  if (scope === null || TOKEN_SCOPES.indexOf(scope) >= TOKEN_SCOPES.indexOf(needed)) return
  if (scope === 'read') {
    const detail = `This token has the scope read, which allows only reading. Use a token with the scope ${needed}.`
    throw new Problem('read_only_token', detail)
  }
  throw new Problem('person_required', `This token has the scope ${scope}. ${PERSON_REQUIRED}`)
}
