/** What both processes know about deployment hooks: their schedule, their envelope, and how a dispatch is born. */
import type { Tx } from '../sql/index.ts'
import type { ProjectPlace } from './actors.ts'
import { config } from './config.ts'
import type { Event } from './events.ts'

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
  event: Event
  surroundings: Surroundings
  sequence: number | null
  max_attempts: number
  request_id: string | null
}

/** The very text that is signed and sent, made once. */
const envelope = ({ hook, event, surroundings, sequence }: NewDispatch): string =>
  JSON.stringify({
    id: event.id,
    event: event.name,
    created_at: event.created_at,
    ...surroundings,
    hook: { id: hook.id, name: hook.name },
    environment: hook.environment,
    sequence,
    data: event.data,
  })

/**
 * Writes dispatches, due at once. The drain does it for what hooks wait for, a request for what its answer shows.
 *
 * @returns their ids, in the order given
 */
export async function createDispatches(tx: Tx, dispatches: NewDispatch[]): Promise<string[]> {
  if (dispatches.length === 0) return []
  const rows = dispatches.map((dispatch) => ({
    organization_id: dispatch.place.organization_id,
    workspace_id: dispatch.place.workspace_id,
    project_id: dispatch.place.project_id,
    hook_id: dispatch.hook.id,
    event_id: dispatch.event.id,
    event: dispatch.event.name,
    environment: dispatch.hook.environment,
    sequence: dispatch.sequence,
    body: envelope(dispatch),
    max_attempts: dispatch.max_attempts,
    request_id: dispatch.request_id,
  }))
  const created = await tx<{ id: string }[]>`
    insert into dispatches (
      organization_id, workspace_id, project_id, hook_id, event_id, event,
      environment, sequence, body, max_attempts, request_id
    )
    select
      organization_id, workspace_id, project_id, hook_id, event_id, event,
      environment, sequence, body, max_attempts, request_id
    from jsonb_to_recordset(${tx.json(rows)}) as row (
      organization_id uuid, workspace_id uuid, project_id uuid, hook_id uuid, event_id uuid, event text,
      environment text, sequence bigint, body text, max_attempts integer, request_id text
    )
    returning id
  `
  return created.map(({ id }) => id)
}
