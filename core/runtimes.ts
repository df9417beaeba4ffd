/** Runtimes: daemons that run agents for an organization, and how long they count as online. */
import { config } from './platform/config.ts'
import { sql } from './platform/database.ts'

/** A runtime as the API and the events show it. */
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

/** Whether nothing was heard for so long that it is offline. True by the clock alone: no job has to have run. */
export const isSilent = sql`last_heartbeat <= now() - ${config.RUNTIME_OFFLINE_SECONDS} * interval '1 second'`

/** The columns of `runtimes as runtime left join users as owner`, as everybody is shown them. */
export const runtimeColumns = sql`
  runtime.id, runtime.name, runtime.hostname,
  case when ${isSilent} then 'offline' else 'online' end as status,
  runtime.agents, runtime.last_heartbeat, runtime.owner_id,
  coalesce(owner.name, runtime.owner_name, '') as owner_name
`
