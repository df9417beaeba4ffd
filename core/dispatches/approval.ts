/** Which dispatches the policy of an environment allows (`gate_required`). */
import type { Fragment, Queryable } from '../../sql/index.ts'
import { type HookEvent, TRIGGERS } from '../events/catalogue.ts'
import { approved } from '../gates/gates.ts'
import { sql } from '../platform/database.ts'
import { isRunning, type Promoted, promotedBy } from '../promotions/promotion.ts'
import { APPROVAL_REVOKED, NOT_APPROVED, NOT_PROMOTED } from './errors.ts'

interface DispatchOrigin {
  id: string
  organization_id: string
  project_id: string
  /** Of the hook, as it is now. */
  environment: string
  event: string
  event_id: string
  gate_id: string | null
  graph_id: string | null
  /** Where what comes to its environment must run first, and for how long; null: nowhere. */
  promotes_from: string | null
  soak_seconds: number | null
}

interface Approval {
  /** Whether it allows the dispatch where a gate is required. */
  is_given: boolean
  /** Why it passes freezes; null if it does not. */
  override_reason: string | null
  /** Where its environment requires the subject to run, and since when it does; null if nowhere. */
  promoted: Promoted | null
}

const isApproved = approved()

/**
 * SQL: whether an approval of another gate of the same execution and environment was revoked after `gate` was opened or, if it was
 * overridden, after that: who overrides a gate knows what was revoked before. The gate that is approved last fires for all of them.
 */
export const siblingRevoked = sql`
  exists (
    select from gates as other
    where other.execution_id = gate.execution_id
      and other.organization_id = gate.organization_id
      and other.environment = gate.environment
      and other.revoked_at >= case when gate.decided_via = 'override' then gate.decided_at else gate.created_at end
  )
`

/**
 * SQL: the reason of the override of another gate of the same execution, environment and subject, while `gate` was open: the one that is
 * approved last fires for both.
 */
export const siblingOverride = sql`
  (
    select other.comment
    from gates as other
    where other.execution_id = gate.execution_id
      and other.organization_id = gate.organization_id
      and other.environment = gate.environment
      and other.subject is not distinct from gate.subject
      and other.decided_via = 'override'
      and other.decided_at >= gate.created_at
      and (gate.decided_at is null or other.decided_at <= gate.decided_at)
      and other.revoked_at is null
    order by other.decided_at desc
    limit 1
  )
`

/** SQL: why what an approved `gate` fires passes freezes; null if it does not. */
const overrideReason = sql`case when gate.decided_via = 'override' then gate.comment else ${siblingOverride} end`

/** SQL: whether `gate` allows what its approval fires for the environment of `hook`. */
const allowsDispatch = sql`(gate.environment = hook.environment and ${isApproved} and not ${siblingRevoked})`

/** SQL: whether the policy of the environment of `hook` requires an approved gate. */
export const requiresGate = sql`
  exists (
    select from environment_policies as policy
    where policy.project_id = hook.project_id
      and policy.environment = hook.environment
      and policy.organization_id = hook.organization_id
      and policy.gate_required
  )
`

/**
 * SQL: whether a gate says something about a completion of the workflow of its execution. Cancelled gates do not: they were replaced, or
 * their execution ended. Nor do approvals of executions that failed or were cancelled later: what replaced them was not approved.
 */
const speaksForWorkflow = sql`
  gate.status <> 'cancelled'
  and (execution.status = 'completed' or not ${isApproved})
`

/**
 * SQL: a value of the gate that decides for the workflow of `dispatch` and the environment of `hook`: of those of the executions that ended
 * since the workflow was completed before, the one that was opened last. So an approval is good for one completion: executions that
 * are added to the graph later need their own.
 */
const decidingGate = (value: Fragment) => sql`
  (
    select ${value}
    from executions as execution
    join gates as gate on gate.execution_id = execution.id and gate.organization_id = execution.organization_id
    where execution.project_id = dispatch.project_id
      and execution.graph_id = dispatch.graph_id
      and execution.completion_id = dispatch.event_id
      and execution.organization_id = dispatch.organization_id
      and gate.environment = hook.environment
      and ${speaksForWorkflow}
    order by gate.created_at desc, gate.id desc
    limit 1
  )
`

/** SQL: for each event, whether a `dispatch` of it lacks the approval that its environment requires. */
const lacking = (mayOverride: boolean): Record<HookEvent, Fragment> => ({
  [TRIGGERS.gate_approved]: sql`
    not exists (
      select from gates as gate
      where gate.id = dispatch.gate_id
        and gate.organization_id = dispatch.organization_id
        and ${allowsDispatch}
    )
  `,
  [TRIGGERS.workflow_done]: sql`not coalesce(${decidingGate(isApproved)}, false)`,
  'manual.trigger': sql`dispatch.override_reason is null or not ${mayOverride}::boolean`,
  'test.ping': sql`false`,
  'deployment.rollback': sql`false`,
})

/**
 * SQL: whether `dispatch` lacks the approval that the environment of its `hook` requires. Automatic ones need an approved gate for the
 * environment, manual ones an override. Tests and rollbacks need nothing. What an event of a newer version needs is not known here, so
 * it counts as lacking.
 *
 * @param mayOverride whether overrides count
 */
export const lacksApproval = (mayOverride = true): Fragment => sql`
  case
    ${Object.entries(lacking(mayOverride)).map(([event, isLacking]) => sql`when dispatch.event = ${event} then ${isLacking}`)}
    else true
  end
`

/** SQL: whether the approval that `dispatch` comes from was revoked, of its gate or, for one of a workflow, of the gate that decides. */
export const isRevoked = sql`
  case
    when dispatch.event = ${TRIGGERS.workflow_done} then ${decidingGate(sql`gate.revoked_at`)} is not null
    else exists (
      select from gates
      where id = dispatch.gate_id
        and organization_id = dispatch.organization_id
        and revoked_at is not null
    )
  end
`

/**
 * SQL: the code of the error with which `dispatch` may not be sent to its `hook` again; null if it may. The approval that it comes from was
 * revoked, its environment requires one by now, or its subject does not run any more in the environment before.
 *
 * @param mayOverride whether overrides count: a redelivery overrides again
 */
export const redeliveryRefusal = (mayOverride: boolean): Fragment => sql`
  case
    when exists (
      select from gates as gate
      where gate.id = dispatch.gate_id
        and gate.organization_id = dispatch.organization_id
        and gate.revoked_at is not null
    ) then ${APPROVAL_REVOKED.code}::text
    when ${requiresGate} and ${lacksApproval(mayOverride)} then ${NOT_APPROVED.code}::text
    when ${isUnpromoted} then ${NOT_PROMOTED.code}::text
  end
`

/**
 * SQL: whether the subject of `dispatch` does not run any more where it must. Nor does one that began to run there again: it has not been
 * there long enough.
 */
export const isUnpromoted = sql`
  (
    dispatch.promoted_from is not null
    and not exists (
      select from environment_runs as run
      where run.project_id = dispatch.project_id
        and run.environment = dispatch.promoted_from
        and run.digest = dispatch.promoted_digest
        and run.organization_id = dispatch.organization_id
        and ${isRunning}
        and run.since <= dispatch.created_at
    )
  )
`

/** SQL: why an automatic `dispatch` passes the freezes of the environment of its `hook`; null if no override does. */
export const passesFreezes = sql`
  case
    when dispatch.event = ${TRIGGERS.workflow_done} then ${decidingGate(sql`case when ${isApproved} then ${overrideReason} end`)}
    else (
      select ${overrideReason}
      from gates as gate
      where gate.id = dispatch.gate_id and gate.organization_id = dispatch.organization_id
    )
  end
`

/** SQL: what was approved for `dispatch`, by digest; null if nothing was, or its gate has no subject. */
export const approvedDigest = sql`
  case
    when dispatch.event = ${TRIGGERS.workflow_done} then ${decidingGate(sql`
      case when ${isApproved} then gate.subject -> 'digest' end
    `)}
    else (
      select subject -> 'digest'
      from gates
      where id = dispatch.gate_id and organization_id = dispatch.organization_id
    )
  end
`

/**
 * What the gates say that automatic dispatches come from, before these are written. None for those that come from no gate.
 *
 * The caller holds the lanes of their hooks (`lockLanes`): what takes an approval back locks them too, so that each dispatch is either
 * not allowed here, or cancelled there. The same holds for what ends the run of a subject (`lockPromotedLanes`).
 *
 * @returns by id
 */
export async function readApprovals(db: Queryable, origins: DispatchOrigin[]): Promise<Map<string, Approval>> {
  if (origins.length === 0) return new Map()
  const promotes = origins.some(({ promotes_from }) => promotes_from !== null)
  const promoted = promotes ? promotedBy(sql`gate`) : sql`null`
  // Arrays: there may be hundreds, and PostgreSQL reads these faster than JSON.
  const found = await db<{ id: string; approval: Approval | null }[]>`
    select
      dispatch.id,
      case
        when dispatch.event = ${TRIGGERS.gate_approved} then (
          select jsonb_build_object(
            'is_given', coalesce(${allowsDispatch}, false), 'override_reason', ${overrideReason}, 'promoted', ${promoted}
          )
          from gates as gate
          where gate.id = dispatch.gate_id and gate.organization_id = dispatch.organization_id
        )
        else ${decidingGate(sql`
          jsonb_build_object(
            'is_given', ${isApproved}, 'override_reason', case when ${isApproved} then ${overrideReason} end,
            'promoted', ${promoted}
          )
        `)}
      end as approval
    from unnest(
      ${origins.map(({ id }) => id)}::uuid[],
      ${origins.map(({ organization_id }) => organization_id)}::uuid[],
      ${origins.map(({ project_id }) => project_id)}::uuid[],
      ${origins.map(({ environment }) => environment)}::text[],
      ${origins.map(({ event }) => event)}::text[],
      ${origins.map(({ event_id }) => event_id)}::uuid[],
      ${origins.map(({ gate_id }) => gate_id)}::uuid[],
      ${origins.map(({ graph_id }) => graph_id)}::uuid[],
      ${origins.map(({ promotes_from }) => promotes_from)}::text[],
      ${origins.map(({ soak_seconds }) => soak_seconds)}::integer[]
    ) as dispatch (
      id, organization_id, project_id, environment, event, event_id, gate_id, graph_id, promotes_from, soak_seconds
    )
    cross join lateral (select dispatch.environment) as hook
    cross join lateral (
      select
        dispatch.organization_id, dispatch.project_id, dispatch.environment, dispatch.promotes_from, dispatch.soak_seconds
    ) as policy
  `
  return new Map(found.flatMap(({ id, approval }) => (approval ? [[id, approval] as const] : [])))
}
