/** What the effects of a gate depend on in addition to the gate: for pages, mails and Slack. */
import type { Fragment, Queryable } from '../../sql/index.ts'
import type { FreezesRow } from '../freezes/held-until.ts'
import { approved } from '../gates/gates.ts'
import { instant, sql } from '../platform/database.ts'
import { type Promotion, promotionBy } from '../promotions/promotion.ts'
import { type ShortExecution, shortExecutionColumns } from '../records/executions.ts'
import type { NamedProjectScope } from '../tenants/scopes.ts'
import type { Digest } from '../values/digest.ts'
import { siblingOverride, siblingRevoked } from './approval.ts'
import type { NamedHook } from './create.ts'
import type { Filter } from './filters.ts'

export type ListeningHook = NamedHook & { trigger_on: 'gate_approved' | 'workflow_done'; filter: Filter | null }

/** What decides about the effects of a gate, in addition to the gate; and what a reviewer compares it with. */
export interface Circumstances {
  now: string
  scope: NamedProjectScope
  /** The enabled hooks that listen to approvals or, in the environment of a gate of an execution, to completed workflows. */
  hooks: ListeningHook[]
  /** Of the environments of these hooks. */
  policies: ({
    environment: string
    gate_required: boolean
    /** What it requires of the subject; null if nothing. */
    promotion: Promotion | null
  } & Omit<FreezesRow, 'now'>)[]
  /** Whether an approval of another gate of its execution and environment was revoked since it was opened. */
  sibling_revoked: boolean
  /** Whether another gate of its execution, environment and subject was overridden meanwhile. */
  sibling_overridden: boolean
  /** Whether a gate that was opened later decides against the completion of the workflow, for the environment. */
  is_overruled: boolean
  execution: ShortExecution | null
  requirement: { id: string; number: number; title: string } | null
  others: string[]
  /** In the environment of the gate. */
  running: { version: string | null; digest: Digest | null; since: string } | null
  /** The last rollout of the environment, if it failed. */
  failing: { version: string | null; at: string } | null
  /** Another gate of the environment, with an override that is not reviewed yet. */
  unreviewed: { id: string; name: string } | null
  /** Of the environment, in the last 30 days; null if nothing was reported. */
  change_failure_rate: number | null
  /** Of the execution of the requirement before this one that reported any. */
  previous_metrics: Record<string, number> | null
}

/** SQL: the metrics of the execution of the same requirement before an execution, of those that reported any. */
export const previousMetrics = (organization_id: string, execution_id: Fragment) => sql`
  (
    select earlier.metrics
    from executions as earlier
    where earlier.requirement_id = (
        select requirement_id from executions where id = ${execution_id} and organization_id = ${organization_id}
      )
      and earlier.organization_id = ${organization_id}
      and earlier.id < ${execution_id}
      and earlier.metrics <> '{}'
    order by earlier.created_at desc, earlier.id desc
    limit 1
  )
`

export async function readCircumstances(db: Queryable, organization_id: string, gate_ids: string[]) {
  if (gate_ids.length === 0) return new Map<string, Circumstances>()
  const found = await db<(Circumstances & { id: string })[]>`
    select
      gate.id,
      now()::timestamptz(3) as now,
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
              'report_within_seconds', hook.report_within_seconds, 'trigger_on', hook.trigger_on
            )
            order by hook.name, hook.id
          ),
          '[]'
        )
        from deployment_hooks as hook
        where hook.project_id = gate.project_id
          and hook.organization_id = ${organization_id}
          and (
            hook.trigger_on = 'gate_approved'
            or hook.trigger_on = 'workflow_done' and hook.environment = gate.environment and gate.execution_id is not null
          )
          and hook.enabled
      ) as hooks,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'environment', policy.environment, 'gate_required', policy.gate_required, 'policy_id', policy.id,
              'policy_version', ${instant(sql`policy.updated_at`)}, 'freezes', policy.freezes,
              'promotion', ${promotionBy(sql`gate`)}
            )
          ),
          '[]'
        )
        from environment_policies as policy
        where policy.project_id = gate.project_id
          and policy.organization_id = ${organization_id}
          and policy.environment = coalesce(gate.environment, policy.environment)
      ) as policies,
      ${siblingRevoked} as sibling_revoked,
      ${siblingOverride} is not null as sibling_overridden,
      exists (
        select 1 from executions as execution
        join gates as other on other.execution_id = execution.id and other.organization_id = ${organization_id}
        where execution.project_id = gate.project_id
          and execution.graph_id = (
            select graph_id from executions where id = gate.execution_id and organization_id = ${organization_id}
          )
          and execution.completion_id is null
          and execution.organization_id = ${organization_id}
          and other.environment = gate.environment
          and (other.created_at, other.id) > (gate.created_at, gate.id)
          and other.status <> 'cancelled'
          and not ${approved(sql`other`)}
      ) as is_overruled,
      (
        select to_jsonb(found)
        from (
          select ${shortExecutionColumns}
          from executions
          where id = gate.execution_id and organization_id = ${organization_id}
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
        select jsonb_build_object('version', rollout.version, 'digest', rollout.digest, 'since', ${instant(sql`rollout.at`)})
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
        select jsonb_build_object('version', rollout.version, 'at', ${instant(sql`rollout.at`)})
        from rollouts as rollout
        where rollout.id = (
            select latest_id
            from environments
            where project_id = gate.project_id
              and environment = gate.environment
              and organization_id = ${organization_id}
          )
          and rollout.organization_id = ${organization_id}
          and rollout.state = 'failed'
      ) as failing,
      (
        select jsonb_build_object('id', other.id, 'name', other.name)
        from gates as other
        where other.organization_id = ${organization_id}
          and other.project_id = gate.project_id
          and other.environment = gate.environment
          and other.id <> gate.id
          and other.decided_via = 'override'
          and other.reviewed_at is null
        order by other.decided_at, other.id
        limit 1
      ) as unreviewed,
      (
        select known.change_failure_rate_30d
        from environments as known
        where known.project_id = gate.project_id
          and known.environment = gate.environment
          and known.organization_id = ${organization_id}
      ) as change_failure_rate,
      ${previousMetrics(organization_id, sql`gate.execution_id`)} as previous_metrics
    from gates as gate
    join organizations as organization on organization.id = ${organization_id}
    join workspaces as workspace on workspace.id = gate.workspace_id and workspace.organization_id = ${organization_id}
    join projects as project on project.id = gate.project_id and project.organization_id = ${organization_id}
    where gate.id = any(${gate_ids}::uuid[])
      and gate.organization_id = ${organization_id}
  `
  return new Map(found.map(({ id, ...circumstances }) => [id, circumstances]))
}
