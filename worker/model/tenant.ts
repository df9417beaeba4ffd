/** Whoever is charged for a call. */
import type { Place } from '../../core/actors.ts'
import type { Tx } from '../../sql/index.ts'

/**
 * Holds organization and workspace until the commit, from the top down, as a deletion goes.
 *
 * @returns false where either is gone: such a tenant owes nothing
 */
export async function holdTenant(tx: Tx, { organization_id, workspace_id }: Place): Promise<boolean> {
  const [organization] = await tx`select from organizations where id = ${organization_id} for key share`
  const [workspace] = await tx`
    select from workspaces where id = ${workspace_id} and organization_id = ${organization_id} for key share
  `
  return organization !== undefined && workspace !== undefined
}
