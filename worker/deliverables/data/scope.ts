/** What a document is about. */
export interface Scope {
  organization_id: string
  workspace_id: string
  project_id: string
  /** Limits the document to one requirement. */
  requirement_id: string | null
}
