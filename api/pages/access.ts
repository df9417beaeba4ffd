/** Access to pages: as for API routes (`api/plugins/access.ts`), with a session cookie instead of a token. */
import { isUuid } from '../../core/values/uuids.ts'
import { visibleResource } from '../plugins/access.ts'
import { identify } from '../plugins/authentication.ts'
import { brokenGlass } from '../plugins/break-glass.ts'
import { byCookie, type FoundCaller, findCaller } from '../plugins/callers.ts'
import { requireOperator } from '../plugins/operators.ts'
import { ADDRESS_LIMITS } from '../plugins/rate-limit.ts'
import { contextOf, type SignedIn, signedInOf } from '../plugins/request-context.ts'
import { type RequiredRole, type RoleOf, roleProblem, roleToKeep, withGroups } from '../plugins/required-roles.ts'
import { KINDS, type Kind, type Resource } from '../plugins/resources.ts'
import { notFound, Problem } from '../problems.ts'
import type { OrganizationRole } from '../roles.ts'
import { sessionIn } from './cookies.ts'

export type ShownResource<K extends Kind = Kind> = Resource<K> & { organization_role: OrganizationRole }

/**
 * What a page requires: a role on the resource that its path names, such as `{ gate: 'member' }`; `{ signedIn: true }`; or
 * nothing, with a limit for the client address: `{ open: 'requests' }`. A page that is `apart` does not look at the session of the
 * browser, nor extend it. `{ operator: true }` requires an operator of the service.
 */
export type PageAccess =
  | { open: keyof typeof ADDRESS_LIMITS; apart?: true }
  | { signedIn: true }
  | { operator: true }
  | { [K in Kind]: Record<K, RoleOf<K>> }[Kind]

export type Admitted<Access extends PageAccess> = Access extends { open: unknown }
  ? { caller: SignedIn | null }
  : { caller: SignedIn } & { [K in Extract<keyof Access, Kind>]: ShownResource<K> }

export function requirementOf(access: PageAccess): { kind: Kind; role: RequiredRole } | null {
  const [[key, role] = []] = Object.entries(access)
  return key !== undefined && key in KINDS ? { kind: key as Kind, role } : null
}

async function findByCookie(request: Request, kind: Kind | null, id: string | null): Promise<FoundCaller> {
  const cookie = sessionIn(request)
  const found = cookie ? await findCaller(byCookie(cookie), kind, id, true) : undefined
  if (!found) throw new Problem('unauthenticated', 'Sign in first.')
  return found
}

/** The caller of a page that does not require one; null without a session. */
async function findOptionalCaller(request: Request): Promise<SignedIn | null> {
  if (!sessionIn(request)) return null
  const context = contextOf(request)
  try {
    await identify(context, request, null, () => findByCookie(request, null, null))
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'unauthenticated')) throw error
  }
  return context.caller && signedInOf(context)
}

/** @throws Problem `unauthenticated`, `rate_limited`, `forbidden`; `not_found`, also if the path is malformed */
export async function admit(
  request: Request,
  params: Record<string, string>,
  access: PageAccess,
): Promise<{ caller: SignedIn | null; resource: ShownResource | null }> {
  const context = contextOf(request)
  if ('open' in access) {
    Object.assign(context.headers, ADDRESS_LIMITS[access.open](context.address))
    return { caller: access.apart ? null : await findOptionalCaller(request), resource: null }
  }
  const required = requirementOf(access)
  const id = required ? (params[KINDS[required.kind].param] ?? '') : null
  const isWellFormed = Object.entries(params).every(([name, value]) => !name.endsWith('_id') || isUuid(value))
  const kind = required?.kind ?? null
  const found = await brokenGlass(
    request,
    await identify(context, request, kind, () => findByCookie(request, isWellFormed ? kind : null, id)),
  )
  if (!isWellFormed) throw notFound('page')
  const caller = signedInOf(context)
  if ('operator' in access) await requireOperator(caller)
  if (!required) return { caller, resource: null }
  const resource = visibleResource(required.kind, found, params)
  const asked = await withGroups(found, required.role)
  const problem = roleProblem(required.kind, asked, resource, required.role)
  if (problem) throw problem
  context.resource = resource
  context.required_role = roleToKeep(asked, required.role, null)
  // Visible resources are those of members.
  return { caller, resource: { ...resource, organization_role: found.organization_role ?? 'member' } }
}
