/** Finds the dispatch that a report token belongs to. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import type { ProjectScope } from '../../core/scopes.ts'
import { isReportToken } from '../../core/security/report-token.ts'
import type { Resource } from './resources.ts'

interface ReportedDispatch extends ProjectScope {
  id: string
  /** Whether its body contains its report URL or token. */
  has_report: boolean
  /** Whether the token is still valid for it. */
  is_open: boolean
  /** Whether it waits for an outcome. */
  waits: boolean
}

/**
 * The dispatch on which a report with a token is made: that of the path, if the token is valid for it. A redelivery sends the body of
 * the first dispatch, which may contain the first one's report URL or token. Then a report with it is about the oldest of them that
 * waits for an outcome, because a late report of the first must not decide what became of the redelivery; if none waits, about the
 * newest. What was never delivered waits for nothing.
 *
 * The token is valid until 7 days after the deadline of the rollout or, while there is none, after the dispatch was made.
 */
export async function findReported(token: string, dispatch_id: string): Promise<Resource<'dispatch'> | undefined> {
  if (!isReportToken(token, dispatch_id)) return undefined
  const [named] = await findDispatches(sql`dispatch.id = ${dispatch_id}`)
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

/** Dispatches of active organizations that fulfil a condition. */
const findDispatches = (condition: ReturnType<typeof sql>) => sql<ReportedDispatch[]>`
  select
    dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id,
    coalesce(body.has_report, false) as has_report,
    rollout.id is not null and coalesce(rollout.deadline_at, dispatch.created_at) > now() - interval '7 days' as is_open,
    coalesce(rollout.state in ('awaiting', 'in_progress'), false) as waits
  from dispatches as dispatch
  left join dispatch_bodies as body
    on body.dispatch_id = dispatch.id
    and body.organization_id = dispatch.organization_id
  left join rollouts as rollout
    on rollout.id = dispatch.id
    and rollout.organization_id = dispatch.organization_id
  where ${condition}
    and ${isActiveOrganization(sql`dispatch.organization_id`)}
`
