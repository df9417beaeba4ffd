/** People who decide a gate without a session or a token: a Slack account or a mailed link identifies them. */
import type { Visitor } from '../../core/actors.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import type { Caller } from '../plugins/request-context.ts'
import { roleProblem, roleToKeep, withGroups } from '../plugins/required-roles.ts'
import type { Resource } from '../plugins/resources.ts'
import { notFound, secondFactorMissing } from '../problems.ts'

/** The request that decides a gate. */
export interface DecisionRequest {
  visitor: Visitor
  request_id: string
  traceparent: string | null
}

/** The person as the caller of an operation. */
export const deciderOf = (found: FoundCaller, { visitor, request_id, traceparent }: DecisionRequest): Caller => ({
  type: 'human',
  id: found.user_id,
  name: found.user_name,
  email: found.email,
  ...visitor,
  request_id,
  traceparent,
  session_id: null,
  token_id: null,
  bound_to: found.bound_to,
  has_second_factor: found.has_second_factor,
  service_account: null,
})

/** The gate, if the person may see it. @throws Problem `not_found`, `second_factor_required` */
export function visibleGate({ resource: gate, lacks_second_factor }: FoundCaller<'gate'>): Resource<'gate'> {
  if (lacks_second_factor) throw secondFactorMissing()
  if (!gate) throw notFound('gate')
  return gate
}

/** A gate that a person may decide, and the role that they must still have when they have decided. */
export interface DecidableGate {
  gate: Resource<'gate'>
  required_role: Resource['role']
}

/** The gate, if the person may decide it. @throws Problem `not_found`, `forbidden` */
export async function decidableGate(caller: FoundCaller<'gate'>): Promise<DecidableGate> {
  const gate = visibleGate(caller)
  const found = await withGroups(caller, 'decider')
  const problem = roleProblem('gate', found, gate, 'decider')
  if (problem) throw problem
  return { gate, required_role: roleToKeep(found, 'decider', null) }
}
