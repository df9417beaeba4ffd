/** Environments by the names that GitHub writes. */
import type { Queryable } from '../../sql/index.ts'
import type { ProjectScope } from '../tenants/scopes.ts'

/** Longer names are not taken: as in the policies and hooks of a project. */
export const MAX_ENVIRONMENT = 64

/** The environment of a project that has a name, whatever its case; the name itself if there is none. */
export async function environmentNamed(db: Queryable, scope: Omit<ProjectScope, 'workspace_id'>, name: string): Promise<string> {
  const { organization_id, project_id } = scope
  const [known] = await db<{ environment: string }[]>`
    select environment
    from (
      select environment from environments where project_id = ${project_id} and organization_id = ${organization_id}
      union
      select environment from environment_policies where project_id = ${project_id} and organization_id = ${organization_id}
      union
      select environment from deployment_hooks where project_id = ${project_id} and organization_id = ${organization_id}
    ) as named
    where lower(environment) = lower(${name})
    order by environment = ${name} desc, environment
    limit 1
  `
  return known?.environment ?? name
}
