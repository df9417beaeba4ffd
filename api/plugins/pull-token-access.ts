/** Finds what a pull token gives access to: its hook, and the dispatches of that hook. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import { pullTokenHash } from '../tokens/pull-token.ts'
import type { ProjectResource } from './request-context.ts'

/** The hook or dispatch of a path, if the token is that of the hook. */
export async function findPulled(token: string, kind: 'hook' | 'dispatch', id: string): Promise<ProjectResource | undefined> {
  const hash = pullTokenHash(token)
  const [found] =
    kind === 'hook'
      ? await sql<Omit<ProjectResource, 'role'>[]>`
          select hook.id, hook.organization_id, hook.workspace_id, hook.project_id
          from deployment_hooks as hook
          where hook.id = ${id}
            and hook.pull_token_hash = ${hash}
            and ${isActiveOrganization(sql`hook.organization_id`)}
        `
      : await sql<Omit<ProjectResource, 'role'>[]>`
          select named.id, named.organization_id, named.workspace_id, named.project_id
          from dispatches as named
          join deployment_hooks as hook
            on hook.id = named.hook_id
            and hook.organization_id = named.organization_id
          where named.id = ${id}
            and hook.pull_token_hash = ${hash}
            and ${isActiveOrganization(sql`named.organization_id`)}
        `
  return found && { ...found, role: 'admin' }
}
