/** Who made a change, as in the audit log. */
export interface Actor {
  type: 'human' | 'token' | 'service_account' | 'system'
  id: string | null
  name: string
  ip_address: string | null
  /** The id of the request; the log lines from the route to the dispatch contain it. */
  request_id: string | null
  /** The trace context of the request; null if it has none. */
  traceparent: string | null
  /** How the request came, if not to the API or a page: by a tool of an agent, or a provider that has named a person. */
  via?: Via | null
}

export type Via = 'mcp' | 'sso'

/** Where a request comes from, as in the user's security log. */
export type Visitor = { ip_address: string; device: string }

export const SYSTEM: Actor = {
  type: 'system',
  id: null,
  name: 'Signalbox',
  ip_address: null,
  request_id: null,
  traceparent: null,
}
