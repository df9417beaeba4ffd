import type { DeliverableType } from '../../../core/deliverables.ts'
import type { ProjectScope } from '../../../core/scopes.ts'

/** What a document is about. */
export interface DocumentScope extends ProjectScope {
  deliverable_type: DeliverableType
  /** Limits the document to one requirement. */
  requirement_id: string | null
}
