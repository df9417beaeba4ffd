/** What both processes know about deployment hooks: their schedule, their envelope, and how a dispatch is born. */
import type { Tx } from '../sql/index.ts'
import type { ProjectPlace } from './actors.ts'
import { config } from './config.ts'
import { derivedId } from './derived-ids.ts'
import type { Event } from './events.ts'
import { wakeLanes } from './jobs.ts'

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
export interface Surroundings {
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
  surroundings: Surroundings
  sequence: number | null
  max_attempts: number
  request_id: string | null
  traceparent: string | null
}

/**
 * The very text that is signed and sent is made once, where it is kept: what all hooks get before and after what is their
 * own. So an event for many hooks travels once.
 */
const commonParts = (event: Event, surroundings: Surroundings): [head: string, tail: string] => [
  JSON.stringify({ id: event.id, event: event.name, created_at: event.created_at, ...surroundings }).slice(0, -1),
  `,"data":${JSON.stringify(event.data)}}`,
]

/** What is a hook's own, up to the number. */
const ownPart = ({ id, name, environment }: Target): string =>
  `,${JSON.stringify({ hook: { id, name }, environment }).slice(1, -1)},"sequence":`

/** Why a dispatch was ended that somebody cancelled. */
export const CANCELLED = { code: 'cancelled', detail: 'It was cancelled.' }

/** Why a dispatch was not sent, or not again, to a hook that is switched off. */
export const HOOK_DISABLED = { code: 'hook_disabled', detail: 'The hook is switched off.' }

/** A lane, held until the commit. */
interface HeldLane {
  hook_id: string
  owner_id: string | null
  sequence: number
}

/** Holds lanes, in the one order in which everybody does: nobody waits for whom waits for them. */
export async function lockLanes(tx: Tx, hook_ids: string[]): Promise<HeldLane[]> {
  return await tx<HeldLane[]>`
    select hook_id, owner_id, sequence
    from hook_lanes
    where hook_id = any(${hook_ids}::uuid[])
    order by hook_id
    for no key update
  `
}

/** What was taken of the sequence of a hook. */
export interface Taken {
  first: number
  /** Somebody serves its lane, and will find that it was touched. */
  served: boolean
  /** It is paused, so that all of it waits. */
  held: boolean
}

/**
 * Takes numbers from the sequences of hooks, and tells their lanes that there is work. The lanes are held until the
 * commit, so that numbers are seen in the order in which they are taken.
 *
 * Whether a hook is paused is asked once its lane is held: who lets it go on touches the lane too, and so either comes
 * before this, and is seen here, or wakes the lane after it.
 *
 * @param counts how many for which hook
 */
export async function takeSequences(tx: Tx, counts: ReadonlyMap<string, number>): Promise<Map<string, Taken>> {
  const lanes = await lockLanes(tx, [...counts.keys()])
  const wanted = [...counts].map(([hook_id, count]) => ({ hook_id, count }))
  const touched = await tx<{ hook_id: string; is_held: boolean }[]>`
    update hook_lanes as lane
    set sequence = lane.sequence + wanted.count,
        version  = lane.version + 1
    from jsonb_to_recordset(${tx.json(wanted)}) as wanted (hook_id uuid, count integer)
    join deployment_hooks as hook on hook.id = wanted.hook_id
    where lane.hook_id = wanted.hook_id
    -- What a newer one takes the place of is ended also while it waits.
    returning lane.hook_id, hook.paused and not hook.supersede as is_held
  `
  const held = new Set(touched.flatMap(({ hook_id, is_held }) => (is_held ? hook_id : [])))
  return new Map(
    lanes.map(({ hook_id, sequence, owner_id }) => [
      hook_id,
      { first: sequence + 1, served: owner_id !== null, held: held.has(hook_id) },
    ]),
  )
}

/** Makes whoever serves a hook look at it anew, and somebody do so where nobody does. The last thing in a transaction. */
export async function wakeHook(tx: Tx, hook_id: string): Promise<void> {
  await tx`update hook_lanes set version = version + 1 where hook_id = ${hook_id}`
  await wakeLanes(tx, [hook_id])
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
  for (const { event, hook, place, surroundings, max_attempts, cancelled, request_id, traceparent } of dispatches) {
    if (!hooks.has(hook.id)) {
      const { id, environment } = hook
      hooks.set(id, { id, environment, own: ownPart(hook), max_attempts, cancelled: cancelled ?? false })
    }
    if (!events.has(event.id)) {
      const { organization_id, workspace_id, project_id } = place
      const [head, tail] = commonParts(event, surroundings)
      const where = { organization_id, workspace_id, project_id }
      events.set(event.id, { id: event.id, name: event.name, ...where, request_id, traceparent, head, tail })
    }
  }
  const ids = dispatches.map(({ event, hook }) => derivedId(event.id, hook.id))
  await tx`
    insert into dispatches (
      id, organization_id, workspace_id, project_id, hook_id, event_id, event,
      environment, sequence, body, max_attempts, request_id, traceparent, status, error,
      next_attempt_at, completed_at
    )
    select
      row.id, event.organization_id, event.workspace_id, event.project_id, hook.id, event.id, event.name,
      hook.environment, row.sequence, event.head || hook.own || coalesce(row.sequence::text, 'null') || event.tail,
      hook.max_attempts, event.request_id, event.traceparent,
      case when hook.cancelled then 'cancelled' else 'pending' end,
      case when hook.cancelled then ${tx.json(HOOK_DISABLED)}::jsonb end,
      case when not hook.cancelled then now() end,
      case when hook.cancelled then now() end
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
