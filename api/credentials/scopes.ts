/** What personal tokens and service accounts can be allowed. */

/** Each scope includes those before it. */
export const TOKEN_SCOPES = ['read', 'write', 'decide'] as const

export type TokenScope = (typeof TOKEN_SCOPES)[number]

export const SERVICE_SCOPES = {
  'work:read': 'Read projects, requirements, executions, environments, comparisons and deliverables.',
  'executions:write': 'Create, start, complete, fail and cancel executions.',
  'gates:open': 'Open gates, and read them.',
  'gates:read': 'Read gates and attestations, and verify what was approved.',
  'usage:write': 'Report what executions cost.',
  'rollouts:report': 'Report what became of dispatches, and read dispatches and rollouts.',
  'dispatches:claim': 'Claim and acknowledge the dispatches of pull hooks.',
  'hooks:trigger': 'Trigger hooks, and read their dispatches.',
  'deliverables:write': 'Generate deliverables, and read them.',
  'audit:read': 'Read the audit log. An account of one workspace reads the entries about it, and one of a project none.',
} as const

export type ServiceScope = keyof typeof SERVICE_SCOPES

export const serviceScopes = Object.keys(SERVICE_SCOPES) as ServiceScope[]

export const isServiceScope = (word: string): word is ServiceScope => Object.hasOwn(SERVICE_SCOPES, word)
