/** What the approval of a gate will do, and what is missing until then. */
import type { Filter } from '../../core/deployment-hooks/filters.ts'
import { isTriggered } from '../../core/deployment-hooks/triggering.ts'
import type { NamedHook } from '../../core/dispatches/bodies.ts'
import { type Execution, executionColumns, withoutArtifacts } from '../../core/executions/records.ts'
import { type FreezesRow, freezeColumns, joinFreezes } from '../../core/freezes/windows.ts'
import { type ApprovalState, filled, readApprovalState } from '../../core/gate-rules.ts'
import { type Gate, shortGate } from '../../core/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { instant } from '../../core/rollouts.ts'
import type { NamedProjectScope } from '../../core/scopes.ts'
import type { Queryable } from '../../sql/index.ts'
import { heldUntilOf } from '../freezes/current.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { getGate } from './gates.ts'
import type { GateEffects } from './schema.ts'

type ListeningHook = NamedHook & { filter: Filter | null }

/** What decides about the effects of a gate, beside the gate; and what a reviewer compares it with. */
export interface Circumstances extends FreezesRow {
  scope: NamedProjectScope
  /** The enabled hooks that listen to approvals. */
  hooks: ListeningHook[]
  execution: Execution | null
  requirement: { id: string; number: number; title: string } | null
  /** The names of other pending gates of its execution and environment. */
  others: string[]
  running: GateEffects['running']
  /** Which approvals count, and for what. */
  approval: ApprovalState
  /** Of the environment, in the last 30 days; null if nothing was reported. */
  change_failure_rate: number | null
  /** Of the execution of the requirement before this one that reported any. */
  previous_metrics: Record<string, number> | null
}

/** @throws Problem `not_found` */
export async function readCircumstances(db: Queryable, gate: ResourceKey<'gate'>): Promise<Circumstances> {
  const [found, approval] = await Promise.all([readSurroundings(db, gate), readApprovalState(db, gate)])
  if (!found || !approval) throw notFound('gate')
  return { ...found, approval }
}

async function readSurroundings(
  db: Queryable,
  { id, organization_id }: ResourceKey<'gate'>,
): Promise<Omit<Circumstances, 'approval'> | undefined> {
  const [found] = await db<Omit<Circumstances, 'approval'>[]>`
    select
      ${freezeColumns},
      jsonb_build_object(
        'organization', jsonb_build_object('id', organization.id, 'name', organization.name),
        'workspace', jsonb_build_object('id', workspace.id, 'name', workspace.name),
        'project', jsonb_build_object('id', project.id, 'name', project.name)
      ) as scope,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'id', hook.id, 'name', hook.name, 'environment', hook.environment, 'filter', hook.filter,
              'report_within_seconds', hook.report_within_seconds
            )
            order by hook.name, hook.id
          ),
          '[]'
        )
        from deployment_hooks as hook
        where hook.project_id = gate.project_id
          and hook.organization_id = ${organization_id}
          and hook.trigger_on = 'gate_approved'
          and hook.enabled
      ) as hooks,
      (
        select to_jsonb(found) - 'artifacts'
        from (
          select ${executionColumns}
          from executions
          where id = gate.execution_id
            and organization_id = ${organization_id}
        ) as found
      ) as execution,
      (
        -- Subqueries: a join may be planned as a loop over all rows.
        select jsonb_build_object('id', requirement.id, 'number', requirement.number, 'title', requirement.title)
        from requirements as requirement
        where requirement.id = (
            select requirement_id from executions where id = gate.execution_id and organization_id = ${organization_id}
          )
          and requirement.organization_id = ${organization_id}
      ) as requirement,
      array(
        select other.name
        from gates as other
        where other.execution_id = gate.execution_id
          and other.organization_id = ${organization_id}
          and other.environment = gate.environment
          and other.id <> gate.id
          and other.status = 'pending'
        order by other.name
      ) as others,
      (
        select jsonb_build_object('version', rollout.version, 'digest', null, 'since', ${instant(sql`rollout.at`)})
        from rollouts as rollout
        where rollout.id = (
            select current_id
            from environments
            where project_id = gate.project_id
              and environment = gate.environment
              and organization_id = ${organization_id}
          )
          and rollout.organization_id = ${organization_id}
      ) as running,
      (
        select known.change_failure_rate_30d
        from environments as known
        where known.project_id = gate.project_id
          and known.environment = gate.environment
          and known.organization_id = ${organization_id}
      ) as change_failure_rate,
      (
        select earlier.metrics
        from executions as earlier
        where earlier.requirement_id = (
            select requirement_id from executions where id = gate.execution_id and organization_id = ${organization_id}
          )
          and earlier.organization_id = ${organization_id}
          and earlier.id < gate.execution_id
          and earlier.metrics <> '{}'
        order by earlier.created_at desc, earlier.id desc
        limit 1
      ) as previous_metrics
    from gates as gate
    join organizations as organization on organization.id = ${organization_id}
    join workspaces as workspace on workspace.id = gate.workspace_id and workspace.organization_id = ${organization_id}
    join projects as project on project.id = gate.project_id and project.organization_id = ${organization_id}
    ${joinFreezes(sql`gate`)}
    where gate.id = ${id}
      and gate.organization_id = ${organization_id}
  `
  return found
}

/** The event that the approval would emit, as far as it is known now. */
const approvalOf = (gate: Gate, { now, execution, requirement }: Circumstances) => ({
  id: gate.id,
  name: 'gate.approved',
  created_at: now,
  data: {
    gate: { ...shortGate(gate), status: 'approved', triggers_hooks: true },
    execution: execution && { ...withoutArtifacts(execution), status: 'running' },
    requirement,
  },
})

const quoted = (names: string[]): string => names.map((name) => `“${name}”`).join(', ')

/** What approval of an open gate still lacks, as sentences. */
function missingOf({ prevent_self_approval, fields, environment }: Gate, { approval, others }: Circumstances): string[] {
  const by = prevent_self_approval ? ', by someone who neither opened the gate nor started its execution' : ''
  const questions = fields.flatMap(({ label, required }) => (required ? label : []))
  return [
    ...filled(approval).missing.map((text) => `${text}${by}.`),
    ...(questions.length > 0 ? [`Answers of each approver: ${quoted(questions)}.`] : []),
    ...(others.length > 0
      ? [`Hooks of ${environment} are triggered by the gate that is approved last; also pending: ${quoted(others)}.`]
      : []),
  ]
}

/** What the approval of a gate will do. */
export function effectsOf(gate: Gate, circumstances: Circumstances): GateEffects {
  const { hooks, others, running, scope } = circumstances
  if (gate.status !== 'pending') return { hooks: [], held_until: null, running, missing: [] }
  const event = approvalOf(gate, circumstances)
  const triggered = others.length > 0 ? [] : hooks.filter((hook) => isTriggered(event, scope, hook))
  return {
    hooks: triggered.map(({ id, name, environment }) => ({ id, name, environment })),
    held_until: heldUntilOf(circumstances),
    running,
    missing: missingOf(gate, circumstances),
  }
}

/** What the approval of a gate will do. @throws Problem `not_found` */
export async function getGateEffects(db: Queryable, gate: ResourceKey<'gate'>): Promise<GateEffects> {
  const [shown, circumstances] = await Promise.all([getGate(db, gate), readCircumstances(db, gate)])
  return effectsOf(shown, circumstances)
}
