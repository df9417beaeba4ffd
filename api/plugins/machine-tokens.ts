/** Tokens of machines, in place of a user's: the report token of a dispatch, and the pull token of a hook. */
import type { Actor } from '../../core/actors.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { REPORT_PREFIX } from '../../core/security/report-token.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { PULL_PREFIX } from '../credentials/pull-token.ts'
import { findPulledDispatch, findPulledHook } from './pull-token-access.ts'
import { limitAddress, limitCaller } from './rate-limit.ts'
import { findReported } from './report-tokens.ts'
import type { RequestContext } from './request-context.ts'
import type { Kind, Resource } from './resources.ts'

const NO_REPORT = 'The report token is invalid or expired, or belongs to another dispatch.'
export const NO_PULL = 'The pull token is invalid or was replaced, or belongs to another hook.'

/** A credential of machines, which is valid only for requests about one resource. */
export interface MachineToken<K extends Kind> {
  prefix: string
  problem: string
  name: string
  find: (token: string, id: string) => Promise<Resource<K> | undefined>
}

const PULL = { prefix: PULL_PREFIX, problem: NO_PULL, name: 'The pull token' }

export const MACHINE_TOKENS = {
  report: { prefix: REPORT_PREFIX, problem: NO_REPORT, name: 'The report token', find: findReported },
  pullHook: { ...PULL, find: findPulledHook },
  pullDispatch: { ...PULL, find: findPulledDispatch },
}

/**
 * Requires a token that is valid for the resource that the path names.
 *
 * @param id of the resource; null if it is malformed
 * @throws Problem `unauthenticated`, `rate_limited`
 */
export async function authenticateMachine<K extends Kind>(
  context: RequestContext,
  { find, problem }: MachineToken<K>,
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
export const holderOf = ({ name }: Pick<MachineToken<Kind>, 'name'>, { address, request_id, span }: RequestContext): Actor => ({
  type: 'token',
  id: null,
  name,
  ip_address: address,
  request_id,
  traceparent: traceparentOf(span),
})
