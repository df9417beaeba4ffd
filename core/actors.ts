/** Who does something, and where: what every change is written down with. */

/** Who did it, as the audit log keeps it. */
export interface Actor {
  type: 'human' | 'token' | 'system'
  id: string | null
  name: string
  ip_address: string | null
  /** The id of the request that it was done in; it joins log lines from the route to the dispatch. */
  request_id: string | null
  /** The place in a trace at which it was done, if there is one. */
  traceparent: string | null
}

/** Where a request comes from, as the security log of its user shows it. */
export interface Visitor {
  ip_address: string
  /** What the client calls itself. */
  device: string
}

/** The service itself. */
export const SYSTEM: Actor = {
  type: 'system',
  id: null,
  name: 'Signalbox',
  ip_address: null,
  request_id: null,
  traceparent: null,
}

/** Where a thing lies: every row of a tenant carries the whole way up. */
export interface Place {
  organization_id: string
  workspace_id: string | null
  project_id: string | null
}

/** A place inside a project. */
export interface ProjectPlace extends Place {
  workspace_id: string
  project_id: string
}
