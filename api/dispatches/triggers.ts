/**
 * Dispatches requested by users. The response contains them, so the request inserts them itself instead of the drain; the
 * drain wakes their lanes.
 */

import { lockLanes, markLanesChanged, takeSequences } from '../../core/delivery/lanes.ts'
import { MAX_ATTEMPTS } from '../../core/dispatches/attempts.ts'
import { createDispatches, type DispatchedHook, dispatchedHookColumns, type NewDispatch } from '../../core/dispatches/create.ts'
import { HOOK_DISABLED } from '../../core/dispatches/errors.ts'
import { emitBlocked } from '../../core/dispatches/promoted.ts'
import type { Event, GivenData, HookEvent } from '../../core/events/catalogue.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { recordRollback } from '../../core/promotions/runs.ts'
import { record, stating } from '../../core/security/audit.ts'
import { announceChange, claimPath } from '../../core/tenants/changes.ts'
import { isActiveOrganization, type NamedProjectScope, type ProjectScope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import { personProblem } from '../credentials/scopes.ts'
import { getDispatchedHook, getHook, recordHook } from '../deployment-hooks/hooks.ts'
import { cancelUnpromoted, lockHooksAndPolicies, lockPromotedLanes } from '../lanes/lanes.ts'
import { roleOf } from '../members/membership.ts'
import { confirmInOrganization } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import type { Ending } from '../plugins/waiting.ts'
import { notFound, Problem } from '../problems.ts'
import { hasAtLeast } from '../roles.ts'
import { dispatchWaits, getDispatch, getDispatches } from './dispatches.ts'
import { disabledProblem } from './pending.ts'
import type { Dispatch, Rollback, RollbackInput, TriggerInput } from './schema.ts'

/** Emits an event, and returns it with the organization, workspace and project that its payload names. */
async function emitEvent<Name extends HookEvent>(tx: Tx, by: Caller, scope: ProjectScope, name: Name, data: GivenData<Name>) {
  const [id = ''] = await emitAll<Name>(tx, by, [{ scope, name, data }])
  const [{ created_at, ...named }] = await tx<[NamedProjectScope & { created_at: string }]>`
    select
      event.created_at,
      jsonb_build_object('id', organization.id, 'name', organization.name) as organization,
      jsonb_build_object('id', workspace.id, 'name', workspace.name) as workspace,
      jsonb_build_object('id', project.id, 'name', project.name) as project
    from outbox as event
    join organizations as organization on organization.id = event.organization_id
    join workspaces as workspace on workspace.id = event.workspace_id and workspace.organization_id = event.organization_id
    join projects as project on project.id = event.project_id and project.organization_id = event.organization_id
    where event.id = ${id} and event.organization_id = ${scope.organization_id}
  `
  const event: Event = { id, name, created_at, data: { ...data } }
  const { id: requested_by, request_id, traceparent } = by
  return { event, scope: named, requested_by, request_id, traceparent } satisfies Partial<NewDispatch>
}

/** Sends a `test.ping`: one attempt, whatever the state of the hook, and without a sequence. */
export async function testHook(tx: Tx, by: Caller, hook: Resource<'hook'>): Promise<Dispatch> {
  const shown = await getHook(tx, hook)
  const emitted = await emitEvent(tx, by, hook, 'test.ping', { hook: shown })
  await markLanesChanged(tx, [hook.organization_id], [shown.id])
  const [{ id: dispatch_id } = { id: '' }] = await createDispatches(tx, [
    { ...emitted, hook: await getDispatchedHook(tx, hook), guard: null, sequence: null, max_attempts: 1 },
  ])
  await recordHook(tx, by, hook, 'tested', shown.id, `${by.name} tested the deployment hook ${shown.name}.`)
  wakeClaimers(tx, shown)
  return getDispatch(tx, resourceKey('dispatch', dispatch_id, hook))
}

/** Wakes the claims that wait for the dispatch of a pull hook: they need not wait for the drain. */
function wakeClaimers(tx: Tx, { id, mode }: { id: string; mode: 'push' | 'pull' }): void {
  if (mode === 'pull') announceChange(tx, claimPath(id))
}

/** @throws Problem `hook_disabled` */
export function requireEnabled(hook: { enabled: boolean; name: string }): void {
  const problem = disabledProblem(hook)
  if (problem) throw problem
}

/** Why the caller cannot send what lacks an approval; null if they can. */
async function overrideProblem(tx: Tx, by: Caller, organization_id: string): Promise<Problem | null> {
  if (by.service_account) return personProblem(tx, by, 'override a missing approval')
  const role = (await roleOf(tx, organization_id, by.id)) ?? 'member'
  if (!hasAtLeast(role, 'admin'))
    return new Problem('forbidden', `An override requires the role admin in the organization; your role is ${role}.`)
  const problem = await personProblem(tx, by, 'override a missing approval')
  if (problem) return problem
  // The role was read without a lock.
  await confirmInOrganization(tx)
  return null
}

/** Whether the caller can send what lacks an approval, until the commit. */
export const mayOverride = async (tx: Tx, by: Caller, organization_id: string): Promise<boolean> =>
  (await overrideProblem(tx, by, organization_id)) === null

export const approvalRequired = (environment: string): Problem =>
  new Problem(
    'approval_required',
    `The policy of the environment ${environment} requires an approved gate (gate_required). Open a gate for it and have it approved; or trigger the hook with an override, as an admin of the organization.`,
  )

/**
 * Sends a `manual.trigger`, with the next sequence, like every deployment.
 * @throws Problem `hook_disabled`; `forbidden` or `person_required` for an override; `approval_required` if the environment requires an approved gate and nothing is overridden
 */
export async function triggerHook(tx: Tx, by: Caller, hook: Resource<'hook'>, { override = null }: TriggerInput = {}) {
  const shown = await getHook(tx, hook)
  const problem = override && (await overrideProblem(tx, by, hook.organization_id))
  if (problem) throw problem
  requireEnabled(shown)
  const emitted = await emitEvent(tx, by, hook, 'manual.trigger', { hook: shown })
  await lockLanes(tx, [hook.organization_id], [shown.id])
  const taken = (await takeSequences(tx, [hook.organization_id], new Map([[shown.id, 1]]))).get(shown.id)
  const guard = taken?.guard ?? null
  if (guard?.gate_required && !override) throw approvalRequired(guard.environment)
  const [{ id: dispatch_id } = { id: '' }] = await createDispatches(tx, [
    {
      ...emitted,
      hook: await getDispatchedHook(tx, hook),
      guard,
      override_reason: override?.reason.trim() ?? null,
      sequence: taken?.first ?? null,
      max_attempts: MAX_ATTEMPTS,
    },
  ])
  const sentence = `${by.name} triggered the deployment hook ${shown.name}${override ? ' without an approval' : ''}`
  await recordHook(tx, by, hook, 'triggered', shown.id, stating(sentence, override?.reason))
  wakeClaimers(tx, shown)
  return getDispatch(tx, resourceKey('dispatch', dispatch_id, hook))
}

/**
 * Sends a rollback to every enabled hook of a project. Channels receive its event. For hooks that the service disabled, a
 * cancelled dispatch is stored, so that `recover` does not repeat deployments without their rollback.
 */
export async function rollBack(tx: Tx, by: Caller, project: Resource<'project'>, input: RollbackInput): Promise<Rollback> {
  const { target_version, reason = null, environment = null } = input
  await lockHooksAndPolicies(tx, project)
  const emitted = await emitEvent(tx, by, project, 'deployment.rollback', { target_version, reason, environment })
  const hooks = await tx<(DispatchedHook & { enabled: boolean })[]>`
    select ${dispatchedHookColumns}, enabled
    from deployment_hooks
    where project_id = ${project.project_id}
      and organization_id = ${project.organization_id}
      and (enabled or disabled_reason is not null)
    order by id
    for key share
  `
  const hook_ids = hooks.map(({ id }) => id)
  await lockPromotedLanes(tx, project)
  await lockLanes(tx, [project.organization_id], hook_ids)
  const sequences = await takeSequences(tx, [project.organization_id], new Map(hook_ids.map((id) => [id, 1])))
  const created = await createDispatches(
    tx,
    hooks.map(({ enabled, ...hook }) => ({
      ...emitted,
      hook,
      cancelled: enabled ? null : HOOK_DISABLED,
      guard: null,
      sequence: sequences.get(hook.id)?.first ?? null,
      max_attempts: MAX_ATTEMPTS,
    })),
  )
  await endRuns(tx, by, project, environment)
  const sent = created.flatMap(({ id }, index) => (hooks[index]?.enabled ? id : []))
  const to = `${sent.length} deployment hook${sent.length === 1 ? '' : 's'}`
  const detail = stating(`${by.name} requested a rollback to ${target_version}, sent to ${to}`, reason)
  const { project_id } = project
  await record(tx, by, project, { action: 'deployment.rollback', resource_type: 'project', resource_id: project_id, detail })
  return { event_id: emitted.event.id, dispatches: await getDispatches(tx, project.organization_id, sent) }
}

/** Cancels what was promoted from what is rolled back, and notifies those who approved it. The lanes are locked. */
async function endRuns(tx: Tx, by: Caller, project: ProjectScope, environment: string | null): Promise<void> {
  await recordRollback(tx, project, environment)
  await emitBlocked(tx, by, [project.organization_id], await cancelUnpromoted(tx, project, environment, null))
}

/**
 * When none of its dispatches is pending. Dispatches of hooks deleted meanwhile are left out. Reading it throws the Problem `not_found` if the
 * project, or its organization, was deleted.
 */
export const endOfRollback = (
  { id, organization_id }: ResourceKey<'project'>,
  { event_id, dispatches }: Rollback,
): Ending<Rollback> => ({
  waits: dispatchWaits,
  keys: dispatches.map((dispatch) => ({ id: dispatch.id, organization_id })),
  async read() {
    const now = await getDispatches(
      sql,
      organization_id,
      dispatches.map((dispatch) => dispatch.id),
    )
    // Checked last: dispatches of a deleted project look like those of deleted hooks.
    const [project] = await sql`
      select from projects
      where id = ${id}
        and organization_id = ${organization_id}
        and ${isActiveOrganization(sql`${organization_id}`)}
    `
    if (!project) throw notFound('project')
    return now.some(({ status }) => status === 'pending') ? null : { event_id, dispatches: now }
  },
})
