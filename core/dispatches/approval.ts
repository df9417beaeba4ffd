/** Which dispatches the policy of an environment allows (`gate_required`). */
import type { Fragment, Queryable } from '../../sql/index.ts'
import { TRIGGERS } from '../events/catalogue.ts'
import { sql } from '../platform/database.ts'

/** What a dispatch comes from. */
interface DispatchOrigin {
  organization_id: string
  project_id: string
  /** Of the hook, as it is now. */
  environment: string
  event: string
  gate_id: string | null
  graph_id: string | null
  /** Why somebody may send it without an approval; null if nobody said. */
  override_reason: string | null
}

/** SQL: whether a gate is approved, and its approval was not revoked. */
const isApproved = sql`(gate.status = 'approved' and gate.revoked_at is null)`

/**
 * SQL: whether an approval of another gate of the same execution and environment was revoked after `gate` was opened. The gate that is
 * approved last fires for all of them.
 */
const hasRevokedTwin = sql`
  exists (
    select from gates as other
    where other.execution_id = gate.execution_id
      and other.organization_id = gate.organization_id
      and other.environment = gate.environment
      and other.revoked_at >= gate.created_at
  )
`

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

/** SQL: a value of the gate that decides for the workflow of `dispatch` and the environment of `hook`, as `findApprovedWorkflows` says. */
const decidingGate = (value: Fragment) => sql`
  (
    select ${value}
    from executions as execution
    join gates as gate
      on gate.execution_id = execution.id
      and gate.organization_id = execution.organization_id
    where execution.project_id = dispatch.project_id
      and execution.graph_id = dispatch.graph_id
      and execution.organization_id = dispatch.organization_id
      and gate.environment = hook.environment
      and gate.status <> 'cancelled'
    order by gate.created_at desc, gate.id desc
    limit 1
  )
`

/** SQL: what `findUnapproved` finds, of `dispatch` and its `hook`. @param mayOverride whether overrides count */
export const lacksApproval = (mayOverride = true): Fragment => sql`
  case dispatch.event
    when ${TRIGGERS.gate_approved} then not exists (
      select from gates as gate
      where gate.id = dispatch.gate_id
        and gate.organization_id = dispatch.organization_id
        and gate.environment = hook.environment
        and ${isApproved}
        and not ${hasRevokedTwin}
    )
    when ${TRIGGERS.workflow_done} then not coalesce(${decidingGate(isApproved)}, false)
    when 'manual.trigger' then dispatch.override_reason is null or not ${mayOverride}::boolean
    else false
  end
`

/** SQL: whether the approval that `dispatch` comes from was revoked, of its gate or, for one of a workflow, of the gate that decides. */
export const isRevoked = sql`
  case dispatch.event
    when ${TRIGGERS.workflow_done} then ${decidingGate(sql`gate.revoked_at`)} is not null
    else exists (
      select from gates
      where id = dispatch.gate_id
        and organization_id = dispatch.organization_id
        and revoked_at is not null
    )
  end
`

const gateKey = (gate_id: string | null, environment: string | null) => `${gate_id} ${environment}`
const graphKey = (project_id: string, graph_id: string | null, environment: string | null) =>
  `${project_id} ${graph_id} ${environment}`

/** The approved ones of the gates, with their environments. */
async function findApprovedGates(db: Queryable, origins: DispatchOrigin[]): Promise<Set<string>> {
  const ids = origins.flatMap(({ event, gate_id }) => (event === TRIGGERS.gate_approved && gate_id ? gate_id : []))
  if (ids.length === 0) return new Set()
  const approved = await db<{ id: string; environment: string }[]>`
    select gate.id, gate.environment
    from gates as gate
    where gate.id = any(${ids}::uuid[])
      and gate.organization_id = any(${origins.map(({ organization_id }) => organization_id)}::uuid[])
      and gate.environment is not null
      and ${isApproved}
      and not ${hasRevokedTwin}
  `
  return new Set(approved.map(({ id, environment }) => gateKey(id, environment)))
}

/**
 * The approved workflows, with the environments that they are approved for: of the gates of their executions for an environment, the
 * one that was opened last decides. Cancelled gates do not count: they were replaced, or their execution ended.
 */
async function findApprovedWorkflows(db: Queryable, origins: DispatchOrigin[]): Promise<Set<string>> {
  const workflows = origins.filter(({ event, graph_id }) => event === TRIGGERS.workflow_done && graph_id !== null)
  if (workflows.length === 0) return new Set()
  const newest = await db<{ project_id: string; graph_id: string; environment: string; is_approved: boolean }[]>`
    select distinct on (execution.project_id, execution.graph_id, gate.environment)
      execution.project_id, execution.graph_id, gate.environment, ${isApproved} as is_approved
    from executions as execution
    join gates as gate
      on gate.execution_id = execution.id
      and gate.organization_id = execution.organization_id
    where execution.project_id = any(${workflows.map(({ project_id }) => project_id)}::uuid[])
      and execution.graph_id = any(${workflows.map(({ graph_id }) => graph_id)}::uuid[])
      and execution.organization_id = any(${workflows.map(({ organization_id }) => organization_id)}::uuid[])
      and gate.environment is not null
      and gate.status <> 'cancelled'
    order by execution.project_id, execution.graph_id, gate.environment, gate.created_at desc, gate.id desc
  `
  return new Set(
    newest.flatMap(({ project_id, graph_id, environment, is_approved }) =>
      is_approved ? graphKey(project_id, graph_id, environment) : [],
    ),
  )
}

/**
 * The dispatches that lack an approval, for environments that require one. Automatic ones need an approved gate for the environment,
 * manual ones an override. Tests and rollbacks need nothing.
 *
 * The caller holds the lanes of their hooks (`lockLanes`): whoever takes an approval back locks them too, so that each dispatch is either
 * not allowed here, or cancelled there.
 */
export async function findUnapproved<Origin extends DispatchOrigin>(db: Queryable, origins: Origin[]): Promise<Set<Origin>> {
  const [gates, workflows] = await Promise.all([findApprovedGates(db, origins), findApprovedWorkflows(db, origins)])
  const isAllowed: Record<string, (origin: Origin) => boolean> = {
    [TRIGGERS.gate_approved]: ({ gate_id, environment }) => gates.has(gateKey(gate_id, environment)),
    [TRIGGERS.workflow_done]: ({ project_id, graph_id, environment }) =>
      workflows.has(graphKey(project_id, graph_id, environment)),
    'manual.trigger': ({ override_reason }) => override_reason !== null,
  }
  return new Set(origins.filter((origin) => isAllowed[origin.event]?.(origin) === false))
}
