/** Runtimes: daemons that run agents for an organization. */
import { config } from '../platform/config.ts'
import { sql } from '../platform/database.ts'

export interface Runtime {
  id: string
  name: string
  hostname: string
  status: 'online' | 'offline'
  agents: string[]
  last_heartbeat: string
  owner_id: string
  owner_name: string
}

/** SQL: whether the last heartbeat is so long ago that the runtime is offline. Computed by the clock, not updated by a job. */
export const isOffline = sql`last_heartbeat <= now() - ${config.RUNTIME_OFFLINE_SECONDS} * interval '1 second'`

export const runtimeColumns = sql`
  runtime.id, runtime.name, runtime.hostname,
  case when ${isOffline} then 'offline' else 'online' end as status,
  runtime.agents, runtime.last_heartbeat, runtime.owner_id,
  coalesce(owner.name, runtime.owner_name, '') as owner_name
`
