/** The audit log: entries are written in the transaction of the change. */
import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { sql } from '../platform/database.ts'
import type { Actor } from '../tenants/actors.ts'
import { announceChange, scopePath } from '../tenants/changes.ts'
import type { Scope } from '../tenants/scopes.ts'
import { line } from '../values/plain-text.ts'
import { isListed } from './activity.ts'

interface AuditEntry {
  /** The name of the event if there is one, otherwise in the same form: noun and participle. */
  action: string
  resource_type: string
  resource_id: string
  /** A sentence for users. Must not contain secrets. */
  detail: string
}

/** As many characters as a reason or a comment can have: the entry is sealed and outlives the record, so nothing of them is cut. */
const MAX_STATED = 10_000

/** A sentence about what a person did, with what they stated: a reason or a comment. @param sentence without its full stop */
export const stating = (sentence: string, stated: string | null | undefined): string => {
  const text = line(stated ?? '', MAX_STATED)
  return text === '' ? `${sentence}.` : `${sentence}: ${text}`
}

export async function recordAll(tx: Tx, by: Actor, entries: { scope: Scope; entry: AuditEntry }[]): Promise<void> {
  if (entries.length === 0) return
  announceChange(tx, ...entries.map(({ scope }) => scopePath(scope)))
  const actor = { actor_type: by.type, actor_id: by.id, actor_name: by.name, ip_address: by.ip_address, via: by.via ?? null }
  // A trigger adds the name of the workspace.
  const rows = entries.map(({ scope: { organization_id, workspace_id, project_id }, entry }) => {
    const { action, resource_type, resource_id, detail } = entry
    const activity_project_id = isListed(action) ? project_id : null
    return { organization_id, workspace_id, activity_project_id, action, resource_type, resource_id, detail, ...actor }
  })
  await pipeline(tx, tx`insert into audit_log_entries ${tx(rows)}`)
}

export const record = (tx: Tx, by: Actor, scope: Scope, entry: AuditEntry): Promise<void> => recordAll(tx, by, [{ scope, entry }])

/** SQL: the fields of a row of `audit_log_entries as entry` that are sealed. */
export const entryColumns = sql`
  entry.id, entry.organization_id, entry.workspace_id, entry.workspace_name, entry.actor_type, entry.actor_id,
  entry.actor_name, entry.action, entry.resource_type, entry.resource_id, entry.detail, entry.ip_address, entry.created_at,
  entry.via
`
