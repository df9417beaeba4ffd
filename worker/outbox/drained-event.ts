/** An event as the drain reads it, and how its drain is reported. */
import { log } from '../../core/platform/log.ts'
import { drains } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import type { NamedProjectScope, NamedScope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'

/** With the names of its organization, workspace and project, which its envelopes contain. */
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
  /** The user who caused it; null for Signalbox itself and for machine tokens. */
  actor_id: string | null
  request_id: string | null
  traceparent: string | null
  created_at: string
  /** How often fanning it out failed. */
  attempts: number
}

const named = (id: string | null, name: string | null) => (id && name ? { id, name } : null)

/** Organization, workspace and project of an event, as in its envelopes. */
export const namedScopeOf = (event: DrainedEvent): NamedScope => ({
  organization: { id: event.organization_id, name: event.organization_name },
  workspace: named(event.workspace_id, event.workspace_name),
  project: named(event.project_id, event.project_name),
})

/** The names of an event of a project; null for other events, and if the project was deleted. */
export function namedProjectScopeOf(event: DrainedEvent): NamedProjectScope | null {
  const { organization, workspace, project } = namedScopeOf(event)
  return workspace && project && { organization, workspace, project }
}

/** The ids of the organizations of events, without duplicates. */
export const organizationsOf = (events: DrainedEvent[]): string[] => [
  ...new Set(events.map(({ organization_id }) => organization_id)),
]

export type Drained = { served: string[]; more: string[] }

export const NOTHING: Drained = { served: [], more: [] }

/** When a drain was first requested, and when it started, by the monotonic clock. */
export type DrainTimes = { requested: number; started: number }

/**
 * Starts the spans of a batch. They become the parents of all later spans of its events.
 *
 * @returns a function to call after the commit, with the ids of the quarantined events
 */
export function observeDrain(events: DrainedEvent[], { requested, started }: DrainTimes): (quarantined: string[]) => void {
  const spans = events.map((event) => {
    const span = beginSpan(`drain ${event.name}`, 'internal', readTraceparent(event.traceparent), {
      'signalbox.event': event.name,
      'signalbox.event_id': event.id,
      'signalbox.organization_id': event.organization_id,
      'signalbox.request_id': event.request_id,
    })
    span?.mark('requested', requested)
    span?.mark('started', started)
    event.traceparent = traceparentOf(span)
    return span
  })
  return (quarantined) => {
    const now = Date.now()
    const isLogged = log.isLevelEnabled('info')
    events.forEach(({ request_id, id, name, organization_id, created_at }, index) => {
      const span = spans[index] ?? null
      if (quarantined.includes(id)) return
      // The clock of the database may be ahead of this one.
      const ms = Math.max(0, now - Date.parse(created_at))
      drains.observe([], ms / 1000)
      if (isLogged) log.info({ request_id, ...traceIds(span), id, event: name, organization: organization_id, ms }, 'drained')
      span?.end()
    })
  }
}

/** Writes everything that follows from events, and takes them off their queue. */
export type FanOut = (tx: Tx, events: DrainedEvent[]) => Promise<void>
