/** Applies a migration to a database whose tables are distributed. */
import type { Tx } from '../index.ts'
import { tenantTables } from './layout.ts'
import { replacePaths } from './paths.ts'
import { statementsIn } from './statements.ts'
import { replaceTenantScans } from './tenant-scans.ts'
import { replaceTriggerFunctions } from './trigger-functions.ts'

/**
 * Applies the text of a migration in the open transaction. New tables of tenants are distributed by `distribute_table`; functions that
 * `distribute` replaced are replaced again.
 */
export async function applyDistributed(tx: Tx, text: string): Promise<void> {
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`
  for (const statement of statementsIn(text)) await tx.unsafe(statement)
  await replaceTriggerFunctions(tx, await tenantTables(tx))
  await replacePaths(tx)
  await replaceTenantScans(tx)
}
