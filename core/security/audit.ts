/** The audit log: entries are written in the transaction of the change. */

import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import type { Actor } from '../actors.ts'
import { announceChange, scopePath } from '../changes.ts'
import { sql } from '../platform/database.ts'
import type { Scope } from '../scopes.ts'

interface AuditEntry {
  /** The name of the event if there is one, otherwise in the same form: noun and participle. */
  action: string
  resource_type: string
  resource_id: string
  /** A sentence for users. Must not contain secrets. */
  detail: string
}

interface AuditEntryInScope {
  scope: Scope
  entry: AuditEntry
}

/** Writes entries into the open transaction, in one statement. */
export async function recordAll(tx: Tx, by: Actor, entries: AuditEntryInScope[]): Promise<void> {
  if (entries.length === 0) return
  announceChange(tx, ...entries.map(({ scope }) => scopePath(scope)))
  const { type, id, name, ip_address, via = null } = by
  // A trigger adds the name of the workspace.
  const rows = entries.map(
    ({ scope: { organization_id, workspace_id }, entry: { action, resource_type, resource_id, detail } }) => ({
      organization_id,
      workspace_id,
      actor_type: type,
      actor_id: id,
      actor_name: name,
      action,
      resource_type,
      resource_id,
      detail,
      ip_address,
      via,
    }),
  )
  await pipeline(tx, tx`insert into audit_log_entries ${tx(rows)}`)
}

/** Writes one entry into the open transaction. */
export const record = (tx: Tx, by: Actor, scope: Scope, entry: AuditEntry): Promise<void> => recordAll(tx, by, [{ scope, entry }])

/** SQL: the fields of a row of `audit_log_entries as entry` that are sealed. */
export const entryColumns = sql`
  entry.id, entry.organization_id, entry.workspace_id, entry.workspace_name, entry.actor_type, entry.actor_id,
  entry.actor_name, entry.action, entry.resource_type, entry.resource_id, entry.detail, entry.ip_address, entry.created_at,
  entry.via
`
