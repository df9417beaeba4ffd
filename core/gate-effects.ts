/** What the approval of a gate will do, and what is missing until then: for pages, mails and Slack. */
import type { Queryable } from '../sql/index.ts'
import type { Filter } from './deployment-hooks/filters.ts'
import { isTriggered } from './deployment-hooks/triggering.ts'
import type { NamedHook } from './dispatches/bodies.ts'
import { type Execution, executionColumns, withoutArtifacts } from './executions/records.ts'
import { type FreezesRow, freezeColumns, heldUntilOf, joinFreezes } from './freezes/windows.ts'
import { type Gate, shortDigest, shortGate } from './gates.ts'
import { sql } from './platform/database.ts'
import { instant } from './rollouts.ts'
import type { NamedProjectScope } from './scopes.ts'
import { minuteText } from './values/instants-text.ts'
import { line } from './values/plain-text.ts'

/** What the approval of a gate will do. */
interface GateEffects {
  hooks: { id: string; name: string; environment: string }[]
  held_until: string | null
  running: { version: string | null; digest: string | null; since: string } | null
  /** Sentences. */
  missing: string[]
}

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
  /** Of the environment, in the last 30 days; null if nothing was reported. */
  change_failure_rate: number | null
  /** Of the execution of the requirement before this one that reported any. */
  previous_metrics: Record<string, number> | null
}

/** Those of gates of one organization, by id. */
export async function readCircumstances(
  db: Queryable,
  organization_id: string,
  gate_ids: string[],
): Promise<Map<string, Circumstances>> {
  if (gate_ids.length === 0) return new Map()
  const found = await db<(Circumstances & { id: string })[]>`
    select
      gate.id,
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
    where gate.id = any(${gate_ids}::uuid[])
      and gate.organization_id = ${organization_id}
  `
  return new Map(found.map(({ id, ...circumstances }) => [id, circumstances]))
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

/** The hooks that the approval of a pending gate sends to. */
export function hooksOf(gate: Gate, circumstances: Circumstances): GateEffects['hooks'] {
  const { hooks, others, scope } = circumstances
  const event = approvalOf(gate, circumstances)
  const triggered = others.length > 0 ? [] : hooks.filter((hook) => isTriggered(event, scope, hook))
  return triggered.map(({ id, name, environment }) => ({ id, name, environment }))
}

/** The version that hooks get, as people know it. */
export const sentText = ({ subject }: Gate): string | null => subject && (subject.version ?? shortDigest(subject.digest))

const MAX_NAMED = 3

function sentTo(gate: Gate, hooks: GateEffects['hooks']): string {
  const names = hooks.slice(0, MAX_NAMED).map(({ name, environment }) => `${line(name, 80)} for ${line(environment, 64)}`)
  const more = hooks.length - names.length
  const sent = sentText(gate)
  return `Its approval sends ${sent === null ? 'the approval' : line(sent, 120)} to ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
}

/** What the approval of a pending gate sends to whom, and what runs in its environment, as a few sentences. */
export function effectsText(gate: Gate, circumstances: Circumstances): string {
  const { running } = circumstances
  const hooks = hooksOf(gate, circumstances)
  const held_until = heldUntilOf(circumstances)
  const sent =
    circumstances.others.length > 0
      ? 'Its approval sends nothing yet: other gates for the same environment are pending.'
      : hooks.length === 0
        ? 'Its approval sends nothing: no enabled hook of the project would be triggered.'
        : `${sentTo(gate, hooks)}${held_until === null ? '' : ` A freeze holds it back until ${minuteText(held_until)}.`}`
  if (gate.environment === null) return sent
  const environment = line(gate.environment, 64)
  if (running === null) return `${sent} Nothing was reported to run in ${environment}.`
  return `${sent} ${running.version === null ? 'An unknown version' : line(running.version, 120)} runs in ${environment} since ${minuteText(running.since)}.`
}
