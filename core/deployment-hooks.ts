/** What both processes know about deployment hooks: their schedule, their envelope, and how a dispatch is born. */
import type { Tx } from '../sql/index.ts'
import type { ProjectPlace } from './actors.ts'
import type { Event } from './events/catalogue.ts'
import { lockLanes, type TouchedLane } from './lanes.ts'
import { config } from './platform/config.ts'
import { derivedId } from './values/derived-ids.ts'

/** The most requests that are under way to one hook, over all workers. */
export const IN_FLIGHT = 10

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]

const delays: number[] = config.HOOK_RETRY_SECONDS ?? SCHEDULE

/** How often a dispatch is tried before it is given up. */
export const MAX_ATTEMPTS = delays.length + 1

/**
 * Seconds to wait after a failed attempt.
 *
 * @param attempt its number, from 1
 * @param random from 0 to 1: where in the jitter of ± 20 % it falls
 */
export function retryDelay(attempt: number, random = Math.random()): number {
  const delay = delays[Math.min(attempt, delays.length) - 1] ?? 0
  return config.HOOK_RETRY_SECONDS ? delay : delay * (0.8 + 0.4 * random)
}

interface Named {
  id: string
  name: string
}

/** What an envelope says about where its event happened. */
export interface EnvelopeScope {
  organization: Named
  workspace: Named | null
  project: Named | null
}

/** A hook as far as a dispatch needs it. */
export interface Target extends Named {
  environment: string
}

/** One dispatch that is to be. `sequence` is null for what takes none. */
export interface NewDispatch {
  place: ProjectPlace
  hook: Target
  /** Of a hook that the service switched off: on record, so that it can be recovered, and not to be sent. */
  cancelled?: boolean
  event: Event
  scope: EnvelopeScope
  sequence: number | null
  max_attempts: number
  request_id: string | null
  traceparent: string | null
}

/**
 * The very text that is signed and sent is made once, where it is kept: what all hooks get before and after what is their
 * own. So an event for many hooks travels once.
 */
const commonParts = (event: Event, scope: EnvelopeScope): [head: string, tail: string] => [
  JSON.stringify({ id: event.id, event: event.name, created_at: event.created_at, ...scope }).slice(0, -1),
  `,"data":${JSON.stringify(event.data)}}`,
]

/** What is a hook's own, up to the number. */
const ownPart = ({ id, name, environment }: Target): string =>
  `,${JSON.stringify({ hook: { id, name }, environment }).slice(1, -1)},"sequence":`

/** Why a dispatch was ended that somebody cancelled. */
export const CANCELLED = { code: 'cancelled', detail: 'It was cancelled.' }

/** Why a dispatch was not sent, or not again, to a hook that is switched off. */
export const HOOK_DISABLED = { code: 'hook_disabled', detail: 'The hook is switched off.' }

/** What was taken of the sequence of a hook. */
export interface Taken {
  first: number
  /** The lane, as it is now. */
  lane: TouchedLane
  /** The hook is paused, so that all of it waits. */
  paused: boolean
}

/**
 * Takes numbers from the sequences of hooks, and tells their lanes that there is work. The lanes are locked until the
 * commit, so that numbers are seen in the order in which they are taken.
 *
 * Whether a hook is paused is read once its lane is locked: unpausing touches the lane too, and so either comes before this,
 * and is seen here, or wakes the lane after it.
 *
 * @param counts how many for which hook
 * @param lessee the worker that leases idle lanes; null to lease none
 */
export async function takeSequences(
  tx: Tx,
  organization_ids: string[],
  counts: ReadonlyMap<string, number>,
  lessee: string | null = null,
): Promise<Map<string, Taken>> {
  await lockLanes(tx, organization_ids, [...counts.keys()])
  const wanted = [...counts].map(([hook_id, count]) => ({ hook_id, count }))
  const taken = await tx<(TouchedLane & { first: number; paused: boolean })[]>`
    update lanes as lane
    set sequence = lane.sequence + wanted.count,
        version  = lane.version + 1,
        -- What a newer one supersedes is not to be sent, though a worker may have read it.
        revision = lane.revision + hook.supersede::integer,
        owner_id = coalesce(lane.owner_id, case when hook.enabled and (hook.supersede or not hook.paused) then ${lessee}::uuid end)
    from jsonb_to_recordset(${tx.json(wanted)}) as wanted (hook_id uuid, count integer)
    join deployment_hooks as hook on hook.id = wanted.hook_id and hook.organization_id = any(${organization_ids}::uuid[])
    where lane.id = wanted.hook_id
      and lane.organization_id = hook.organization_id
    returning
      lane.id, lane.organization_id, lane.kind, lane.version, lane.revision, lane.owner_id, lane.sequence - wanted.count + 1 as first,
      -- What a newer one supersedes is finished also while it waits.
      hook.paused and not hook.supersede as paused
  `
  return new Map(taken.map(({ first, paused, ...lane }) => [lane.id, { first, lane, paused }]))
}

/**
 * Writes dispatches, due at once. The drain does it for what hooks wait for, a request for what its answer shows. Their
 * ids follow from event and hook: none can be written twice.
 *
 * @returns their ids, in the order given
 */
export async function createDispatches(tx: Tx, dispatches: NewDispatch[]): Promise<string[]> {
  if (dispatches.length === 0) return []
  const events = new Map<string, object>()
  const hooks = new Map<string, object>()
  // Each once, however many meet: what is written for every dispatch is ids and a number.
  for (const { event, hook, place, scope, max_attempts, cancelled, request_id, traceparent } of dispatches) {
    if (!hooks.has(hook.id)) {
      const { id, environment } = hook
      hooks.set(id, { id, environment, own: ownPart(hook), max_attempts, cancelled: cancelled ?? false })
    }
    if (!events.has(event.id)) {
      const { organization_id, workspace_id, project_id } = place
      const [head, tail] = commonParts(event, scope)
      const where = { organization_id, workspace_id, project_id }
      events.set(event.id, { id: event.id, name: event.name, ...where, request_id, traceparent, head, tail })
    }
  }
  const ids = dispatches.map(({ event, hook }) => derivedId(event.id, hook.id))
  await tx`
    with wanted as materialized (
      select
        row.id, row.sequence, event.id as event_id, event.name, event.organization_id, event.workspace_id, event.project_id,
        event.request_id, event.traceparent, hook.id as hook_id, hook.environment, hook.max_attempts, hook.cancelled,
        event.head || hook.own || coalesce(row.sequence::text, 'null') || event.tail as body
      from unnest(
        ${ids}::uuid[],
        ${dispatches.map(({ event }) => event.id)}::uuid[],
        ${dispatches.map(({ hook }) => hook.id)}::uuid[],
        ${dispatches.map(({ sequence }) => sequence)}::bigint[]
      ) as row (id, event_id, hook_id, sequence)
      join json_to_recordset(${JSON.stringify([...events.values()])}::text::json) as event (
        id uuid, name text, organization_id uuid, workspace_id uuid, project_id uuid, request_id text, traceparent text,
        head text, tail text
      ) on event.id = row.event_id
      join json_to_recordset(${JSON.stringify([...hooks.values()])}::text::json) as hook (
        id uuid, environment text, own text, max_attempts integer, cancelled boolean
      ) on hook.id = row.hook_id
    ),
    bodies as (
      insert into dispatch_bodies (dispatch_id, organization_id, body)
      select id, organization_id, body from wanted
    )
    insert into dispatches (
      id, organization_id, workspace_id, project_id, hook_id, event_id, event,
      environment, sequence, max_attempts, request_id, traceparent, status, error, completed_at
    )
    select
      id, organization_id, workspace_id, project_id, hook_id, event_id, name,
      environment, sequence, max_attempts, request_id, traceparent,
      case when cancelled then 'cancelled' else 'pending' end,
      case when cancelled then ${tx.json(HOOK_DISABLED)}::jsonb end,
      case when cancelled then now() end
    from wanted
  `
  return ids
}

/** What a request says of its dispatch. */
interface Announced {
  id: string
  event: string
  sequence: number | null
}

/** The header that tells a receiver of the trace in which it is asked, unless it is to be sent one of its own. */
export const traceHeader = (own: Record<string, string>, traceparent: string | null): { traceparent?: string } =>
  traceparent === null || Object.keys(own).some((name) => name.toLowerCase() === 'traceparent') ? {} : { traceparent }

/**
 * The headers of one attempt, but for its signatures.
 *
 * @param own of the hook; none of them can stand for one of these
 * @param attempt its number, from 1
 */
export const dispatchHeaders = (own: Record<string, string>, { id, event, sequence }: Announced, attempt: number) => ({
  ...own,
  'Content-Type': 'application/json',
  'User-Agent': 'Signalbox-Hooks/1',
  'X-Signalbox-Event': event,
  'X-Signalbox-Delivery': id,
  'X-Signalbox-Attempt': String(attempt),
  ...(sequence === null ? {} : { 'X-Signalbox-Sequence': String(sequence) }),
})
