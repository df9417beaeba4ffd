/** The audit log: who did what, in the transaction of what was done. */
import type { Tx } from '../sql/index.ts'
import type { Actor, Place } from './actors.ts'

/** What was done. */
export interface Deed {
  /** The event's name where there is one, else noun and participle. */
  action: string
  resource_type: string
  resource_id: string
  /** A sentence for people. It never holds a secret. */
  detail: string
}

/** Writes one entry into the open transaction. */
export async function record(tx: Tx, by: Actor, place: Place, deed: Deed): Promise<void> {
  await tx`
    insert into audit_log_entries (
      organization_id, workspace_id, workspace_name, actor_type, actor_id, actor_name,
      action, resource_type, resource_id, detail, ip_address
    )
    values (
      ${place.organization_id}, ${place.workspace_id}, (select name from workspaces where id = ${place.workspace_id}),
      ${by.type}, ${by.id}, ${by.name},
      ${deed.action}, ${deed.resource_type}, ${deed.resource_id}, ${deed.detail}, ${by.ip_address}
    )
  `
}
