/** The audit log: entries are written in the transaction of the change. */

import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import type { Actor, Place } from '../actors.ts'

export interface AuditEntry {
  /** The name of the event if there is one, otherwise in the same form: noun and participle. */
  action: string
  resource_type: string
  resource_id: string
  /** A sentence for users. Must not contain secrets. */
  detail: string
}

export interface PlacedAuditEntry {
  place: Place
  entry: AuditEntry
}

/** Writes entries into the open transaction, in one statement. */
export async function recordAll(tx: Tx, by: Actor, entries: PlacedAuditEntry[]): Promise<void> {
  const rows = entries.map(({ place: { organization_id, workspace_id }, entry }) => ({ organization_id, workspace_id, ...entry }))
  const insertion = tx`
    insert into audit_log_entries (
      organization_id, workspace_id, workspace_name, actor_type, actor_id, actor_name,
      action, resource_type, resource_id, detail, ip_address
    )
    select
      entry.organization_id, entry.workspace_id, (
        select name from workspaces where id = entry.workspace_id and organization_id = entry.organization_id
      ),
      ${by.type}, ${by.id}, ${by.name},
      entry.action, entry.resource_type, entry.resource_id, entry.detail, ${by.ip_address}
    from jsonb_to_recordset(${tx.json(rows)}) as entry (
      organization_id uuid, workspace_id uuid, action text, resource_type text, resource_id uuid, detail text
    )
  `
  await pipeline(tx, insertion)
}

/** Writes one entry into the open transaction. */
export const record = (tx: Tx, by: Actor, place: Place, entry: AuditEntry): Promise<void> => recordAll(tx, by, [{ place, entry }])
