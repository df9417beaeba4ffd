/** What messages and notifications about an event are made of, beside its data. */

/** Names by user id; `actor` is who caused the event, and absent if that was Signalbox. */
export type People = Record<string, string>

/** What a pending gate asks about; read when a message is made. */
export interface Asked {
  acceptance_criteria: string[]
  cost_usd: number | null
  /** Of the execution before; null if there is none that reported any. */
  previous_metrics?: Record<string, number> | null
}

export interface NotificationText {
  title: string
  body: string
}

/** The names of where an event happened. */
export interface ScopeNames {
  organization_name: string
  workspace_name: string | null
  project_name: string | null
}
