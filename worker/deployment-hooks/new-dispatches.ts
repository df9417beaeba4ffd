/** Fans events out to deployment hooks. */

import { markLanesChanged, type TakenSequences, takeSequences } from '../../core/delivery/lanes.ts'
import { MAX_ATTEMPTS } from '../../core/dispatches/attempts.ts'
import { createDispatches, type DispatchedHook, dispatchedHookColumns, type NewDispatch } from '../../core/dispatches/create.ts'
import { APPROVAL_REVOKED, HOOK_DISABLED } from '../../core/dispatches/errors.ts'
import { type Filter, isTriggered } from '../../core/dispatches/filters.ts'
import { HOOK_EVENTS, TRIGGERS } from '../../core/events/catalogue.ts'
import type { NamedProjectScope } from '../../core/tenants/scopes.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { type DrainedEvent, namedProjectScopeOf, organizationsOf } from '../outbox/drained-event.ts'
import { workerId } from '../process/heartbeat.ts'

const TRIGGER_OF = new Map<string, string>(Object.entries(TRIGGERS).map(([trigger, name]) => [name, trigger]))

interface CandidateHook extends DispatchedHook {
  enabled: boolean
  project_id: string
  trigger_on: string
  filter: Filter | null
}

const triggerKey = (project_id: string | null, trigger_on: string | undefined): string => `${project_id} ${trigger_on}`

interface HookTargets {
  /** In the order of the events. */
  matches: { event: DrainedEvent; scope: NamedProjectScope; hooks: CandidateHook[] }[]
  /** Ids of hooks whose dispatches were written by requests. */
  requested: string[]
  /** Ids of gates whose approval was revoked before it was fanned out. */
  revoked: Set<string>
}

/**
 * The hooks that events trigger, locked until the commit, so that none is deleted meanwhile. Includes hooks that Signalbox
 * disabled: their dispatches are written as cancelled, so that they can be redelivered.
 */
async function candidateHooks(tx: Tx, events: DrainedEvent[]): Promise<Map<string, CandidateHook[]>> {
  const wanted = new Map(
    events.map(({ organization_id, project_id, name }) => {
      const trigger_on = TRIGGER_OF.get(name)
      return [triggerKey(project_id, trigger_on), { organization_id, project_id, trigger_on }]
    }),
  )
  if (wanted.size === 0) return new Map()
  const hooks = await tx<CandidateHook[]>`
    select
      ${dispatchedHookColumns}, deployment_hooks.enabled, deployment_hooks.project_id, deployment_hooks.trigger_on,
      deployment_hooks.filter
    from jsonb_to_recordset(${tx.json([...wanted.values()] as Json)}) as wanted (
      organization_id uuid, project_id uuid, trigger_on text
    )
    join deployment_hooks
      on deployment_hooks.organization_id = wanted.organization_id
      and deployment_hooks.project_id = wanted.project_id
      and deployment_hooks.trigger_on = wanted.trigger_on
    where (deployment_hooks.enabled or deployment_hooks.disabled_reason is not null)
    order by deployment_hooks.id
    for key share of deployment_hooks
  `
  return Map.groupBy(hooks, ({ project_id, trigger_on }) => triggerKey(project_id, trigger_on))
}

const gateIdOf = ({ data }: DrainedEvent): string | null => (data.gate as { id?: string } | undefined)?.id ?? null

/**
 * The gates of approvals that were revoked meanwhile. All are locked, so that a revocation waits for the dispatches that it then
 * finds. Gates are locked before lanes, as revocations do.
 */
async function revokedGates(tx: Tx, events: DrainedEvent[]): Promise<Set<string>> {
  const approvals = events.filter(({ name }) => name === TRIGGERS.gate_approved)
  const gate_ids = approvals.flatMap((event) => gateIdOf(event) ?? [])
  if (gate_ids.length === 0) return new Set()
  const gates = await tx<{ id: string; is_revoked: boolean }[]>`
    select id, revoked_at is not null as is_revoked
    from gates
    where id = any(${gate_ids}::uuid[])
      and organization_id = any(${organizationsOf(approvals)}::uuid[])
    order by id
    for share
  `
  return new Set(gates.flatMap(({ id, is_revoked }) => (is_revoked ? id : [])))
}

/** Events whose dispatches were written by the request that emitted them. */
const REQUESTED = new Set<string>(HOOK_EVENTS.filter((name) => !TRIGGER_OF.has(name)))

/** The hooks for which a request wrote dispatches: the one in the event's data, or all of the project. */
async function requestedHooks(tx: Tx, events: DrainedEvent[]): Promise<string[]> {
  const requests = events.filter(({ name }) => REQUESTED.has(name))
  const named = requests.flatMap(({ data }) => (data as { hook?: { id: string } }).hook?.id ?? [])
  const projects = requests.flatMap(({ data, project_id }) => (data.hook || data.channel ? [] : (project_id ?? [])))
  if (projects.length === 0) return named
  const all = await tx<{ id: string }[]>`
    select id
    from deployment_hooks
    where project_id = any(${projects}::uuid[])
      and organization_id = any(${organizationsOf(requests)}::uuid[])
  `
  return [...named, ...all.map(({ id }) => id)]
}

export async function findHooks(tx: Tx, events: DrainedEvent[]): Promise<HookTargets> {
  const triggering = events.filter(({ name }) => TRIGGER_OF.has(name))
  const [candidates, requested, revoked] = await Promise.all([
    candidateHooks(tx, triggering),
    requestedHooks(tx, events),
    revokedGates(tx, triggering),
  ])
  const matches = triggering.flatMap((event) => {
    const scope = namedProjectScopeOf(event)
    return scope ? { event, scope, hooks: matchingHooks(event, scope, candidates) } : []
  })
  return { matches, requested, revoked }
}

function matchingHooks(event: DrainedEvent, scope: NamedProjectScope, candidates: Map<string, CandidateHook[]>): CandidateHook[] {
  const hooks = candidates.get(triggerKey(event.project_id, TRIGGER_OF.get(event.name))) ?? []
  return hooks.filter((hook) => isTriggered(event, scope, hook))
}

export const laneIdsOf = ({ matches, requested }: HookTargets): string[] => [
  ...new Set([...matches.flatMap(({ hooks }) => hooks.map(({ id }) => id)), ...requested]),
]

/** Writes the dispatches of events, numbered per hook in the order of the events. Returns the lanes with something to send. */
async function dispatchTriggered(tx: Tx, { matches, revoked }: HookTargets, leaseTo: string | null) {
  const counts = new Map<string, number>()
  for (const { id } of matches.flatMap(({ hooks }) => hooks)) counts.set(id, (counts.get(id) ?? 0) + 1)
  if (counts.size === 0) return []

  const organization_ids = organizationsOf(matches.map(({ event }) => event))
  const taken = await takeSequences(tx, organization_ids, counts, leaseTo)
  const next = new Map([...taken].map(([hook_id, { first }]) => [hook_id, first]))
  const dispatches: NewDispatch[] = matches.flatMap(({ event, scope, hooks }) =>
    hooks.flatMap((hook) => {
      const sequence = next.get(hook.id)
      if (sequence === undefined) return []
      next.set(hook.id, sequence + 1)
      return {
        hook,
        cancelled: revoked.has(gateIdOf(event) ?? '') ? APPROVAL_REVOKED : hook.enabled ? null : HOOK_DISABLED,
        guard: taken.get(hook.id)?.guard ?? null,
        event,
        scope,
        sequence,
        max_attempts: MAX_ATTEMPTS,
        request_id: event.request_id,
        traceparent: event.traceparent,
      }
    }),
  )
  await createDispatches(tx, dispatches)
  const enabled = new Set(matches.flatMap(({ hooks }) => hooks.flatMap((hook) => (hook.enabled ? hook.id : []))))
  // A hook that was enabled meanwhile may be leased to this worker already.
  const isReady = ({ lane, paused }: TakenSequences) => (enabled.has(lane.id) && !paused) || lane.owner_id === workerId
  return [...taken.values()].flatMap((each) => (isReady(each) ? each.lane : []))
}

/**
 * Writes the dispatches of events.
 * @param leaseTo the worker that leases idle lanes; null to lease none
 * @returns the lanes with something to send
 */
export async function fanOutToHooks(tx: Tx, events: DrainedEvent[], targets: HookTargets, leaseTo: string | null) {
  const triggered = await dispatchTriggered(tx, targets, leaseTo)
  const requested = await markLanesChanged(tx, organizationsOf(events), targets.requested, leaseTo)
  return [...triggered, ...requested]
}
