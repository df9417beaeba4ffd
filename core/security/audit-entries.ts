/** The entries of the audit log as they are stored. */
import { sql } from '../platform/database.ts'

/** SQL: the fields of a row of `audit_log_entries as entry` that are sealed. */
export const entryColumns = sql`
  entry.id, entry.organization_id, entry.workspace_id, entry.workspace_name, entry.actor_type, entry.actor_id,
  entry.actor_name, entry.action, entry.resource_type, entry.resource_id, entry.detail, entry.ip_address, entry.created_at,
  entry.via
`
