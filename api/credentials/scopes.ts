/** What personal tokens and service accounts can be allowed, and what only people do, in addition to deciding gates. */
import type { Queryable } from '../../sql/index.ts'
import { Problem } from '../problems.ts'

/** Each scope includes those before it. */
export const TOKEN_SCOPES = ['read', 'write', 'decide'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const SERVICE_SCOPES = {
  'work:read': 'Read projects, requirements, executions, environments, comparisons and deliverables.',
  'executions:write': 'Create, start, complete, fail and cancel executions.',
  'gates:open': 'Open gates, and read them.',
  'gates:read': 'Read gates and attestations, and verify what was approved.',
  'usage:write': 'Report what executions cost.',
  'rollouts:report': 'Report the outcomes of deployments, and read dispatches and rollouts.',
  'dispatches:claim': 'Claim and acknowledge the dispatches of pull hooks.',
  'hooks:trigger': 'Trigger hooks, and read their dispatches.',
  'deliverables:write': 'Generate deliverables, and read them.',
  'audit:read': 'Read the audit log. An account of one workspace reads the entries about it, and one of a project none.',
} as const

export type ServiceScope = keyof typeof SERVICE_SCOPES

export const serviceScopes = Object.keys(SERVICE_SCOPES) as ServiceScope[]

export const isServiceScope = (word: string): word is ServiceScope => Object.hasOwn(SERVICE_SCOPES, word)

interface By {
  token_id: string | null
  service_account: object | null
}

/** Why a personal token cannot do what only people can; null if the caller is in a session, or the token decides as its user. */
export async function personProblem(db: Queryable, { token_id, service_account }: By, act: string): Promise<Problem | null> {
  if (service_account) return new Problem('person_required', `Only people can ${act}. Service accounts cannot.`)
  if (token_id === null) return null
  const [token] = await db<{ scope: TokenScope }[]>`select scope from personal_tokens where id = ${token_id}`
  if (token?.scope === 'decide') return null
  return new Problem('person_required', `Only people can ${act}: sign in, or use a personal token with the scope decide.`)
}

/** @throws Problem `person_required` */
export async function requirePerson(db: Queryable, by: By, act: string): Promise<void> {
  const problem = await personProblem(db, by, act)
  if (problem) throw problem
}
