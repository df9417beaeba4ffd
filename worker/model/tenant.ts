/** Locks the tenant that is charged for a call. */
import type { Scope } from '../../core/scopes.ts'
import type { Tx } from '../../sql/index.ts'

/**
 * Locks organization and workspace until the commit, in the same order as a deletion.
 *
 * @returns false if either is deleted; nothing is charged then
 */
export async function lockTenant(tx: Tx, { organization_id, workspace_id }: Scope): Promise<boolean> {
  const [organization] = await tx`select from organizations where id = ${organization_id} for key share`
  const [workspace] = await tx`
    select from workspaces where id = ${workspace_id} and organization_id = ${organization_id} for key share
  `
  return organization !== undefined && workspace !== undefined
}
