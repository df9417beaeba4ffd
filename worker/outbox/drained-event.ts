/** An event as the drain reads it. */
import type { Surroundings } from '../../core/deployment-hooks.ts'

/** With the names of where it happened, which its envelopes show. */
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

const named = (id: string | null, name: string | null) => (id && name ? { id, name } : null)

/** Where an event happened, as its envelopes show it. */
export const surroundingsOf = (event: DrainedEvent): Surroundings => ({
  organization: { id: event.organization_id, name: event.organization_name },
  workspace: named(event.workspace_id, event.workspace_name),
  project: named(event.project_id, event.project_name),
})

/** The tenants of events. */
export const organizationsOf = (events: DrainedEvent[]): string[] => [
  ...new Set(events.map(({ organization_id }) => organization_id)),
]
