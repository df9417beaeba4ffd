/** Until when freezes hold, for pages. */
import { type FreezesRow, freezeColumns, heldUntilOf, joinFreezes } from '../../core/freezes/windows.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Until when the freezes of an environment hold; null if none does. */
export async function frozenEnvironment(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  environment: string,
): Promise<string | null> {
  const [row] = await db<FreezesRow[]>`
    select ${freezeColumns}
    from environment_policies as policy
    where policy.project_id = ${id}
      and policy.environment = ${environment}
      and policy.organization_id = ${organization_id}
      and policy.freezes <> '[]'
  `
  return heldUntilOf(row)
}

/** Until when the freezes of the environment of a hook hold; null if none does. */
export async function frozenHook(db: Queryable, { id, organization_id }: ResourceKey<'hook'>): Promise<string | null> {
  const [row] = await db<FreezesRow[]>`
    select ${freezeColumns}
    from deployment_hooks as hook
    ${joinFreezes(sql`hook`)}
    where hook.id = ${id}
      and hook.organization_id = ${organization_id}
  `
  return heldUntilOf(row)
}
