/** Tokens of machines, in place of a user's: the report token of a dispatch, and the pull token of a hook. */

import { sql } from '../../core/platform/database.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { isReportToken, REPORT_PREFIX } from '../../core/security/report-token.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import { isActiveOrganization, type ProjectScope } from '../../core/tenants/scopes.ts'
import type { Fragment } from '../../sql/index.ts'
import { locating } from '../../sql/reach.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { PULL_PREFIX, pullTokenHash } from '../credentials/token-formats.ts'
import { limitAddress, limitCaller } from './rate-limit.ts'
import type { RequestContext } from './request-context.ts'
import type { Kind, Resource } from './resources.ts'

interface ReportedDispatch extends ProjectScope {
  id: string
  has_report: boolean
  is_open: boolean
  waits: boolean
}

/**
 * The dispatch on which a report with a token is made: the one in the path, if the token is valid for it. A redelivery sends the body of
 * the first dispatch, which may contain the first one's report URL or token. Then a report with it is about the oldest of them that
 * waits for an outcome, because a late report of the first must not decide the outcome of the redelivery; if none waits, about the
 * newest. What was never delivered waits for nothing.
 *
 * The token is valid until 7 days after the deadline of the rollout or, while there is none, after the dispatch was made.
 */
async function findReported(token: string, dispatch_id: string): Promise<Resource<'dispatch'> | undefined> {
  if (!isReportToken(token, dispatch_id)) return undefined
  const [named] = await locating(findDispatches(sql`dispatch.id = ${dispatch_id}`), dispatch_id)
  if (!named) return undefined
  const redeliveries = named.has_report
    ? await findDispatches(sql`dispatch.redelivery_of = ${dispatch_id} and dispatch.organization_id = ${named.organization_id}`)
    : []
  const open = [named, ...redeliveries].filter(({ is_open }) => is_open).sort((one, other) => (one.id < other.id ? -1 : 1))
  const meant = open.find(({ waits }) => waits) ?? open.at(-1)
  if (!meant) return undefined
  const { has_report, is_open, waits, ...found } = meant
  return { ...found, kind: 'dispatch', role: 'member' }
}

const findDispatches = (condition: Fragment) => sql<ReportedDispatch[]>`
  select
    dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id,
    dispatch.has_report,
    rollout.id is not null and coalesce(rollout.deadline_at, dispatch.created_at) > now() - interval '7 days' as is_open,
    coalesce(rollout.state in ('awaiting', 'in_progress'), false) as waits
  from dispatches as dispatch
  left join rollouts as rollout on rollout.id = dispatch.id and rollout.organization_id = dispatch.organization_id
  where ${condition}
    and ${isActiveOrganization(sql`dispatch.organization_id`)}
`

async function findPulledHook(token: string, id: string): Promise<Resource<'hook'> | undefined> {
  const [hook] = await locating(
    sql<(ProjectScope & { id: string })[]>`
    select hook.id, hook.organization_id, hook.workspace_id, hook.project_id
    from deployment_hooks as hook
    where hook.id = ${id}
      and hook.pull_token_hash = ${pullTokenHash(token)}
      and ${isActiveOrganization(sql`hook.organization_id`)}
  `,
    id,
  )
  return hook && { ...hook, kind: 'hook', role: 'admin' }
}

async function findPulledDispatch(token: string, id: string): Promise<Resource<'dispatch'> | undefined> {
  // The hash is compared after the dispatch is found: hooks have no index of it.
  const [dispatch] = await locating(
    sql<(ProjectScope & { id: string })[]>`
    select named.id, named.organization_id, named.workspace_id, named.project_id
    from dispatches as named
    where named.id = ${id}
      and ${pullTokenHash(token)} = (
        select hook.pull_token_hash
        from deployment_hooks as hook
        where hook.id = named.hook_id and hook.organization_id = named.organization_id
      )
      and ${isActiveOrganization(sql`named.organization_id`)}
  `,
    id,
  )
  return dispatch && { ...dispatch, kind: 'dispatch', role: 'admin' }
}

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

/** Requires a token that is valid for the resource that the path names. @throws Problem `unauthenticated`, `rate_limited` */
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

export const holderOf = ({ name }: Pick<MachineToken<Kind>, 'name'>, { address, request_id, span }: RequestContext): Actor => ({
  type: 'token',
  id: null,
  name,
  ip_address: address,
  request_id,
  traceparent: traceparentOf(span),
})
