/** What only people do, beside deciding gates: change what protects an environment, or go past it. */
import type { Queryable } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { TokenScope } from './scopes.ts'

/** Why a personal token cannot do what only people can; null if the caller is in a session, or the token decides as its user. */
export async function personProblem(
  db: Queryable,
  { token_id, service_account }: Pick<Caller, 'token_id' | 'service_account'>,
  act: string,
): Promise<Problem | null> {
  if (service_account) return new Problem('person_required', `Only people can ${act}. Service accounts cannot.`)
  if (token_id === null) return null
  const [token] = await db<{ scope: TokenScope }[]>`select scope from personal_tokens where id = ${token_id}`
  if (token?.scope === 'decide') return null
  return new Problem('person_required', `Only people can ${act}: sign in, or use a personal token with the scope decide.`)
}

/** @throws Problem `person_required` */
export async function requirePerson(db: Queryable, by: Pick<Caller, 'token_id' | 'service_account'>, act: string): Promise<void> {
  const problem = await personProblem(db, by, act)
  if (problem) throw problem
}
