/** Actors, and the scope of what they do: recorded with every change. */

/** Who made a change, as in the audit log. */
export interface Actor {
  type: 'human' | 'token' | 'system'
  id: string | null
  name: string
  ip_address: string | null
  /** The id of the request; the log lines from the route to the dispatch contain it. */
  request_id: string | null
  /** The trace context of the request; null if it has none. */
  traceparent: string | null
}

/** Where a request comes from, as in the user's security log. */
export interface Visitor {
  ip_address: string
  /** From the `User-Agent` header. */
  device: string
}

/** Signalbox itself. */
export const SYSTEM: Actor = {
  type: 'system',
  id: null,
  name: 'Signalbox',
  ip_address: null,
  request_id: null,
  traceparent: null,
}

/** The organization, workspace and project that something belongs to. Every row of a tenant has these ids. */
export interface Place {
  organization_id: string
  workspace_id: string | null
  project_id: string | null
}

export interface ProjectPlace extends Place {
  workspace_id: string
  project_id: string
}
