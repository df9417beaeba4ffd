/** What API and worker both know of deliverables. */
import { sql } from './platform/database.ts'

/** Type of a deliverable → its name in a sentence. */
export const DELIVERABLE_TITLES = {
  changelog: 'changelog',
  project_summary: 'summary',
  deployment_guide: 'deployment guide',
  api_docs: 'API documentation',
  user_manual: 'user manual',
} as const

export type DeliverableType = keyof typeof DELIVERABLE_TITLES

/** The columns of a deliverable as lists and events show one: without its content. */
export const deliverableColumns = sql`
  id, project_id, requirement_id, deliverable_type, title, status, version, 'text/markdown' as content_type, generator,
  source, error, created_by, created_at, updated_at, published_at, archived_at
`
