/** Deliverables: what API and worker share. */
import { sql } from '../platform/database.ts'

/** The name of each type of deliverable in a sentence. */
export const DELIVERABLE_TITLES = {
  changelog: 'changelog',
  project_summary: 'summary',
  deployment_guide: 'deployment guide',
  api_docs: 'API documentation',
  user_manual: 'user manual',
} as const

/** How the release that a published changelog makes is named. */
export const VERSION_SCHEMES = ['numbered', 'calver', 'semver'] as const

export type VersionScheme = (typeof VERSION_SCHEMES)[number]

export type DeliverableType = keyof typeof DELIVERABLE_TITLES

/** The columns of a deliverable in lists and events: all but its content. */
export const deliverableColumns = sql`
  id, project_id, requirement_id, deliverable_type, title, status, version, 'text/markdown' as content_type, generator,
  source, error, created_by, actor_of(created_by, organization_id) as actor, created_at, updated_at, published_at, archived_at
`
