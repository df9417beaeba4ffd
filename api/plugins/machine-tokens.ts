/** Tokens of machines, in place of a user's: the report token of a dispatch, and the pull token of a hook. */
import type { Actor } from '../../core/actors.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { REPORT_PREFIX } from '../../core/security/report-token.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { PULL_PREFIX } from '../credentials/pull-token.ts'
import { findPulled } from './pull-token-access.ts'
import { limitAddress, limitCaller } from './rate-limit.ts'
import { findReported } from './report-tokens.ts'
import type { RequestContext } from './request-context.ts'

const NO_REPORT = 'The report token is invalid or expired, or belongs to another dispatch.'
export const NO_PULL = 'The pull token is invalid or was replaced, or belongs to another hook.'

/** The credentials of machines: each is valid only for requests about one resource. */
export const MACHINE_TOKENS = {
  report: { prefix: REPORT_PREFIX, problem: NO_REPORT, name: 'The report token', find: findReported },
  pullHook: {
    prefix: PULL_PREFIX,
    problem: NO_PULL,
    name: 'The pull token',
    find: (token: string, id: string) => findPulled(token, 'hook', id),
  },
  pullDispatch: {
    prefix: PULL_PREFIX,
    problem: NO_PULL,
    name: 'The pull token',
    find: (token: string, id: string) => findPulled(token, 'dispatch', id),
  },
}

export type MachineToken = (typeof MACHINE_TOKENS)[keyof typeof MACHINE_TOKENS]

/**
 * Requires a token that is valid for the resource that the path names.
 *
 * @param id of the resource; null if it is malformed
 * @throws Problem `unauthenticated`, `rate_limited`
 */
export async function authenticateMachine(
  context: RequestContext,
  { find, problem }: MachineToken,
  token: string,
  id: string | null,
): Promise<void> {
  const found = id === null ? undefined : await find(token, id)
  if (!found) {
    Object.assign(context.headers, limitAddress(context.address))
    throw unauthenticated(problem)
  }
  Object.assign(context.headers, limitCaller(found.id))
  context.resource = found
}

/** The holder of a machine token, as an actor. */
export const holderOf = ({ name }: MachineToken, { address, request_id, span }: RequestContext): Actor => ({
  type: 'token',
  id: null,
  name,
  ip_address: address,
  request_id,
  traceparent: traceparentOf(span),
})
