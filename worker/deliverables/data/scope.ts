import type { DeliverableType } from '../../../core/deliverables.ts'

/** What a document is about. */
export interface Scope {
  organization_id: string
  workspace_id: string
  project_id: string
  deliverable_type: DeliverableType
  /** Limits the document to one requirement. */
  requirement_id: string | null
}
