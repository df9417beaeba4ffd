/** An event as the drain reads it. */
import type { NamedProjectScope, NamedScope } from '../../core/scopes.ts'

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

/** That of an event of a project; null for other events, and if the project was deleted. */
export function namedProjectScopeOf(event: DrainedEvent): NamedProjectScope | null {
  const { organization, workspace, project } = namedScopeOf(event)
  return workspace && project && { organization, workspace, project }
}

/** The ids of the organizations of events, without duplicates. */
export const organizationsOf = (events: DrainedEvent[]): string[] => [
  ...new Set(events.map(({ organization_id }) => organization_id)),
]
