/** Finds what a pull token gives access to: its hook, and the dispatches of that hook. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { sql } from '../../core/platform/database.ts'
import type { ProjectScope } from '../../core/scopes.ts'
import { pullTokenHash } from '../credentials/pull-token.ts'
import type { Resource } from './resources.ts'

type Found = ProjectScope & { id: string }

async function findHook(id: string, hash: Uint8Array): Promise<Found | undefined> {
  const [hook] = await sql<Found[]>`
    select hook.id, hook.organization_id, hook.workspace_id, hook.project_id
    from deployment_hooks as hook
    where hook.id = ${id}
      and hook.pull_token_hash = ${hash}
      and ${isActiveOrganization(sql`hook.organization_id`)}
  `
  return hook
}

async function findDispatch(id: string, hash: Uint8Array): Promise<Found | undefined> {
  // The hash is compared after the dispatch is found: hooks have no index of it.
  const [dispatch] = await sql<Found[]>`
    select named.id, named.organization_id, named.workspace_id, named.project_id
    from dispatches as named
    where named.id = ${id}
      and ${hash} = (
        select hook.pull_token_hash
        from deployment_hooks as hook
        where hook.id = named.hook_id
          and hook.organization_id = named.organization_id
      )
      and ${isActiveOrganization(sql`named.organization_id`)}
  `
  return dispatch
}

/** The hook of a path, if the token is its own. */
export async function findPulledHook(token: string, id: string): Promise<Resource<'hook'> | undefined> {
  const found = await findHook(id, pullTokenHash(token))
  return found && { ...found, kind: 'hook', role: 'admin' }
}

/** The dispatch of a path, if the token is that of its hook. */
export async function findPulledDispatch(token: string, id: string): Promise<Resource<'dispatch'> | undefined> {
  const found = await findDispatch(id, pullTokenHash(token))
  return found && { ...found, kind: 'dispatch', role: 'admin' }
}
