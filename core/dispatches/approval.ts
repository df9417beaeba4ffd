/** Which dispatches the policy of an environment allows (`gate_required`). */
import type { Queryable } from '../../sql/index.ts'
import { TRIGGERS } from '../events/catalogue.ts'
import { sql } from '../platform/database.ts'

/** What a dispatch comes from. */
export interface DispatchOrigin {
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
