/** People who decide a gate without a session or a token: a Slack account or a mailed link identifies them. */
import type { Visitor } from '../../core/actors.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { insufficientRole, notFound } from '../problems.ts'
import { hasAtLeast } from '../roles.ts'

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
})

/** The gate, if the person may see it. @throws Problem `not_found` */
export function visibleGate({ resource: gate }: FoundCaller<'gate'>): Resource<'gate'> {
  if (!gate) throw notFound('gate')
  return gate
}

/** The gate, if the person may decide it. @throws Problem `not_found`, `forbidden` */
export function decidableGate(found: FoundCaller<'gate'>): Resource<'gate'> {
  const gate = visibleGate(found)
  if (!hasAtLeast(gate.role, 'admin')) throw insufficientRole('admin', gate.role, 'workspace')
  return gate
}
