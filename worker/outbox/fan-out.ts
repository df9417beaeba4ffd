/** From an event to the hooks that wait for it. */
import type { ProjectPlace } from '../../core/actors.ts'
import {
  createDispatches,
  MAX_ATTEMPTS,
  type NewDispatch,
  type Surroundings,
  takeSequences,
} from '../../core/deployment-hooks.ts'
import { HOOK_EVENTS, TRIGGERS } from '../../core/events.ts'
import type { Json, Tx } from '../../sql/index.ts'

/** An event as the drain reads it: with the names of where it happened, which its envelopes show. */
export interface DrainedEvent {
  id: string
  organization_id: string
  organization_name: string
  workspace_id: string | null
  workspace_name: string | null
  project_id: string | null
  project_name: string | null
  name: string
  data: Record<string, unknown>
  /** Who did it; null for the service. */
  actor_id: string | null
  request_id: string | null
  traceparent: string | null
  created_at: string
  /** How often it could not be fanned out. */
  attempts: number
}

/** Event name → the `trigger_on` that stands for it. */
const TRIGGER_OF = new Map<string, string>(Object.entries(TRIGGERS).map(([trigger, name]) => [name, trigger]))

interface WaitingHook {
  id: string
  name: string
  environment: string
  enabled: boolean
  project_id: string
  trigger_on: string
}

/** What hooks wait for: a kind of event in a project. */
const occasionOf = (project_id: string | null, trigger_on: string | undefined): string => `${project_id} ${trigger_on}`

/**
 * The hooks that wait for events, by what they wait for, held until the commit: one that is deleted meanwhile waits, or is
 * gone already. Those that the service switched off are among them: what concerns them is kept on record, to be
 * recovered.
 */
async function hooksWaiting(tx: Tx, events: DrainedEvent[]): Promise<Map<string, WaitingHook[]>> {
  const wanted = new Map(
    events.map(({ organization_id, project_id, name }) => {
      const trigger_on = TRIGGER_OF.get(name)
      return [occasionOf(project_id, trigger_on), { organization_id, project_id, trigger_on }]
    }),
  )
  const hooks = await tx<WaitingHook[]>`
    select hook.id, hook.name, hook.environment, hook.enabled, hook.project_id, hook.trigger_on
    from jsonb_to_recordset(${tx.json([...wanted.values()] as Json)}) as wanted (
      organization_id uuid, project_id uuid, trigger_on text
    )
    join deployment_hooks as hook
      on hook.organization_id = wanted.organization_id
      and hook.project_id = wanted.project_id
      and hook.trigger_on = wanted.trigger_on
    where (hook.enabled or hook.disabled_reason is not null)
    order by hook.id
    for key share of hook
  `
  return Map.groupBy(hooks, ({ project_id, trigger_on }) => occasionOf(project_id, trigger_on))
}

const named = (id: string | null, name: string | null) => (id && name ? { id, name } : null)

/** Where an event happened, as its envelopes show it. */
export const surroundingsOf = (event: DrainedEvent): Surroundings => ({
  organization: { id: event.organization_id, name: event.organization_name },
  workspace: named(event.workspace_id, event.workspace_name),
  project: named(event.project_id, event.project_name),
})

/** Hooks for which something is to be sent: those whose lane nobody serves, and those where somebody looks again by himself. */
export interface Waiting {
  idle: string[]
  served: string[]
}

const NOTHING: Waiting = { idle: [], served: [] }

/** Writes the dispatches of a batch of events, numbered per hook in the order of the events. */
async function dispatchTriggered(tx: Tx, events: DrainedEvent[]): Promise<Waiting> {
  const triggering = events.filter(({ name, project_id }) => project_id !== null && TRIGGER_OF.has(name))
  if (triggering.length === 0) return NOTHING
  const waiting = await hooksWaiting(tx, triggering)
  const hooksOf = ({ project_id, name }: DrainedEvent) => waiting.get(occasionOf(project_id, TRIGGER_OF.get(name))) ?? []

  const counts = new Map<string, number>()
  for (const { id } of triggering.flatMap(hooksOf)) counts.set(id, (counts.get(id) ?? 0) + 1)
  if (counts.size === 0) return NOTHING
  const taken = await takeSequences(tx, counts)
  const next = new Map([...taken].map(([hook_id, { first }]) => [hook_id, first]))
  const dispatches: NewDispatch[] = triggering.flatMap((event) =>
    hooksOf(event).flatMap((hook) => {
      const sequence = next.get(hook.id)
      if (sequence === undefined) return []
      next.set(hook.id, sequence + 1)
      return {
        // A triggering event lies in a project, as was asked above.
        place: event as ProjectPlace,
        hook,
        cancelled: !hook.enabled,
        event,
        surroundings: surroundingsOf(event),
        sequence,
        max_attempts: MAX_ATTEMPTS,
        request_id: event.request_id,
        traceparent: event.traceparent,
      }
    }),
  )
  await createDispatches(tx, dispatches)
  const enabled = [...waiting.values()].flat().flatMap((hook) => (hook.enabled ? hook.id : []))
  const isServed = (hook_id: string): boolean => taken.get(hook_id)?.served ?? false
  const isIdle = (hook_id: string): boolean => !isServed(hook_id) && !taken.get(hook_id)?.held
  return { idle: enabled.filter(isIdle), served: enabled.filter(isServed) }
}

/** The events whose dispatches were written with them, by the request that told them. */
const REQUESTED = new Set([...Object.keys(HOOK_EVENTS), 'deployment.rollback'])

/** The hooks that a request wrote dispatches for: the one that its event names, or all of a project. */
async function requestedHooks(tx: Tx, events: DrainedEvent[]): Promise<string[]> {
  const requests = events.filter(({ name }) => REQUESTED.has(name))
  if (requests.length === 0) return []
  const named = requests.flatMap(({ data }) => (data as { hook?: { id: string } }).hook?.id ?? [])
  const projects = requests.flatMap(({ data, project_id }) => (data.hook ? [] : (project_id ?? [])))
  if (projects.length === 0) return named
  const all = await tx<{ id: string }[]>`select id from deployment_hooks where project_id = any(${projects}::uuid[])`
  return [...named, ...all.map(({ id }) => id)]
}

/** Writes the dispatches of a batch of events, and returns the hooks for which something of them waits. */
export async function fanOutToHooks(tx: Tx, events: DrainedEvent[]): Promise<Waiting> {
  const { idle, served } = await dispatchTriggered(tx, events)
  return { idle: [...new Set([...idle, ...(await requestedHooks(tx, events))])], served }
}
