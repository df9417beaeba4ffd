import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Names that a form suggests. */
const MAX_NAMES = 100

/** The environments that hooks and policies of a project name. */
export async function listEnvironmentNames(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<string[]> {
  const rows = await db<{ environment: string }[]>`
    select environment
    from deployment_hooks
    where project_id = ${id}
      and organization_id = ${organization_id}
    union
    select environment
    from environment_policies
    where project_id = ${id}
      and organization_id = ${organization_id}
    order by environment
    limit ${MAX_NAMES}
  `
  return rows.map(({ environment }) => environment)
}
