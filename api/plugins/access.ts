/**
 * Who may do what: the one place that decides. A route names what it needs, as `{ project: 'admin' }`; without
 * such a word it is closed, and the application does not start.
 *
 * It works before validation, in the order of the contract: token, limit, role, the fault of the body.
 */
import { Elysia } from 'elysia'
import { epochSeconds } from '../../core/platform/clock.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { unauthenticated, verifyAccessToken } from '../auth/access-tokens.ts'
import { type OrganizationRole, reaches, type WorkspaceRole } from '../members/roles.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import { isWhole, PREFIX } from '../tokens/format.ts'
import { requiredTags } from './answers.ts'
import { bySession, byToken, type Found, findCaller, KINDS, type Kind, roleAt } from './callers.ts'
import { type Change, changeFor, idempotencyKey, isAnswered } from './change.ts'
import { noteUse } from './last-use.ts'
import { ADDRESS_LIMITS, limitAddress, limitCaller } from './rate-limit.ts'
import {
  type Caller,
  contextOf,
  type Located,
  type LocatedInProject,
  type LocatedInWorkspace,
  type RequestContext,
  type SignedIn,
} from './request-context.ts'

/** A role, or `own`: whoever the thing belongs to may, and so may admins. */
type Needed = OrganizationRole | WorkspaceRole | 'own'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What Elysia hands to a hook, as far as it is needed here. */
interface Incoming {
  request: Request
  params: Record<string, string>
}

function bearer(request: Request): string {
  const header = request.headers.get('authorization')
  if (!header) throw unauthenticated('Send an access token: Authorization: Bearer <token>.')
  const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
  if (!token) throw unauthenticated('The Authorization header must be "Bearer", a space, and the token.')
  return token
}

const NO_TOKEN = 'The personal token is mistyped, unknown, revoked, or expired. Make a new one.'
const NO_SESSION = 'The session of this access token has ended. Sign in again.'

/**
 * Whose token it is.
 *
 * @throws Problem `unauthenticated` where it was never ours, or is no more
 */
async function find(token: string, kind: Kind | null, id: string | null): Promise<Found | undefined> {
  if (!token.startsWith(PREFIX)) return findCaller(bySession(await verifyAccessToken(token, epochSeconds())), kind, id)
  return isWhole(token) ? findCaller(byToken(token), kind, id) : undefined
}

/** Whether a thing lies where the path says: in the workspace that it names beside the thing, if it names one. */
const liesThere = (found: Found, { workspace_id }: Record<string, string>): boolean =>
  workspace_id === undefined || !UUID.test(workspace_id) || workspace_id.toLowerCase() === found.workspace_id

/** @throws Problem `not_found` */
function located(kind: Kind, found: Found, params: Record<string, string>): Located {
  const { id, organization_id, workspace_id, project_id } = found
  const role = roleAt(found)
  if (id === null || role === null || !liesThere(found, params)) throw notFound(kind)
  return { id, organization_id, workspace_id, project_id, role }
}

/** The refusal of a role that is too low; null for one that is not. */
function roleTooLow(kind: Kind, { is_own }: Found, { role, workspace_id }: Located, needed: Needed): Problem | null {
  const [least, unless] = needed === 'own' ? (['admin', `, unless the ${kind} is your own`] as const) : ([needed, ''] as const)
  if (reaches(role, least) || (needed === 'own' && is_own)) return null
  const where = workspace_id === null ? 'organization' : 'workspace'
  return new Problem('forbidden', `This needs the role ${least} in the ${where}${unless}; yours is ${role}.`)
}

async function admit(context: RequestContext, request: Request, kind: Kind | null, id: string | null): Promise<Found> {
  let found: Found | undefined
  try {
    const token = bearer(request)
    found = await find(token, kind, id)
    if (!found) throw unauthenticated(token.startsWith(PREFIX) ? NO_TOKEN : NO_SESSION)
    context.caller = {
      type: found.token_id === null ? 'human' : 'token',
      id: found.user_id,
      name: found.user_name,
      email: found.email,
      ip_address: context.address,
      device: context.device,
      request_id: context.request_id,
      traceparent: traceparentOf(context.span),
      session_id: found.session_id,
      token_id: found.token_id,
      bound_to: found.bound_to,
    }
  } catch (error) {
    if (error instanceof Problem) Object.assign(context.headers, limitAddress(context.address))
    throw error
  }
  if (found.session_id) noteUse('sessions', found.session_id)
  if (found.token_id) noteUse('personal_tokens', found.token_id)
  Object.assign(context.headers, limitCaller(found.user_id))
  if (found.scope === 'read' && request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Problem('read_only_token', 'This token has the scope read: it may only GET. Make one with the scope write.')
  }
  return found
}

/** What is wrong with the request itself; nobody who is not welcome gets to hear it. */
function refuseFaults({ request, params }: Incoming, context: RequestContext): void {
  if (context.fault) throw context.fault
  if (request.method === 'PUT' || request.method === 'DELETE') requiredTags(request)
  if (context.caller) idempotencyKey(request)
  const query = request.url.indexOf('?')
  if (query !== -1 && request.url.includes('%', query)) {
    try {
      decodeURIComponent(request.url.slice(query + 1))
    } catch {
      throw new Problem('malformed_query', 'The query holds a % that begins no encoded UTF-8 character.')
    }
  }
  for (const [name, value] of Object.entries(params ?? {})) {
    if (name.endsWith('_id') && !UUID.test(value)) throw invalidField(`/${name}`, 'malformed', 'must be a UUID')
  }
}

function refuseTokens({ session_id }: Found): void {
  if (session_id === null) {
    throw new Problem('session_required', 'A personal token may not do this. Sign in, and send the access token of the session.')
  }
}

function refuseBoundTokens({ bound_to }: Found): void {
  if (bound_to !== null) {
    throw new Problem('not_found', 'This token works in one organization alone; for it there is nothing here.')
  }
}

/** Lets in whoever is signed in and not refused for what they came with. */
async function letIn(incoming: Incoming, refuse: (found: Found) => void): Promise<void> {
  const context = contextOf(incoming.request)
  refuse(await admit(context, incoming.request, null, null))
  refuseFaults(incoming, context)
}

/** Lets in anybody, as often as one address may. */
function letAnybodyIn(incoming: Incoming, limit: keyof typeof ADDRESS_LIMITS, judge: (fault: Problem | null) => Problem | null) {
  const context = contextOf(incoming.request)
  Object.assign(context.headers, ADDRESS_LIMITS[limit](context.address))
  context.fault = judge(context.fault)
  refuseFaults(incoming, context)
}

/** A macro that lets in whoever has a role at a kind of thing, and hands the handler that thing. */
function at<const Name extends Kind, Thing extends Located, Role extends Needed>(kind: Name) {
  return (role: Role) => ({
    async transform(elysia: unknown) {
      const incoming = elysia as Incoming
      const context = contextOf(incoming.request)
      const id = incoming.params[KINDS[kind].param] ?? ''
      if (UUID.test(id)) {
        const found = await admit(context, incoming.request, kind, id)
        context.located = located(kind, found, incoming.params)
        context.refusal = roleTooLow(kind, found, context.located, role)
        // A caller who had the role at the first request gets its answer again; `changeFor` does nothing else then.
        if (context.refusal && !(await isAnswered(incoming.request, context))) throw context.refusal
      } else await admit(context, incoming.request, null, null)
      refuseFaults(incoming, context)
    },
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      const change = changeFor(request, context)
      return { [kind]: context.located, caller: context.caller, change } as { [Key in Name]: Thing } & {
        caller: Caller
        change: Change
      }
    },
    detail: { 'x-access': { kind, role } } as object,
  })
}

export const access = new Elysia({ name: 'access' }).macro({
  /** Anybody, as often as one address may. */
  open: (limit: keyof typeof ADDRESS_LIMITS) => ({
    transform: (elysia: unknown) => letAnybodyIn(elysia as Incoming, limit, (fault) => fault),
    resolve({ request }: { request: Request }) {
      const { address, device } = contextOf(request)
      return { visitor: { ip_address: address, device } }
    },
    detail: { 'x-access': { kind: 'open' } } as object,
  }),
  /** Anybody who has a mailed link, as often as one address may. Mail programs post a form to it, which nobody reads. */
  mailedLink: (limit: keyof typeof ADDRESS_LIMITS) => ({
    transform: (elysia: unknown) => letAnybodyIn(elysia as Incoming, limit, () => null),
    detail: { 'x-access': { kind: 'open' } } as object,
  }),
  /**
   * Anybody who is signed in, by a session or a token. For a token of one organization there is nothing here, save
   * where the route says `within`: then it shows such a caller no more than that organization.
   */
  signedIn: (reach: true | 'within') => ({
    transform: (elysia: unknown) => letIn(elysia as Incoming, reach === 'within' ? () => {} : refuseBoundTokens),
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      return { caller: context.caller as Caller, change: changeFor(request, context) }
    },
    detail: { 'x-access': { kind: 'signedIn' } } as object,
  }),
  /** Anybody who signed in with a password: no token. */
  inSession: (_: true) => ({
    transform: (elysia: unknown) => letIn(elysia as Incoming, refuseTokens),
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      return { caller: context.caller as SignedIn, change: changeFor(request, context) }
    },
    detail: { 'x-access': { kind: 'inSession' } } as object,
  }),
  organization: at<'organization', Located & { role: OrganizationRole }, OrganizationRole>('organization'),
  runtime: at<'runtime', Located, OrganizationRole | 'own'>('runtime'),
  workspace: at<'workspace', LocatedInWorkspace, WorkspaceRole>('workspace'),
  project: at<'project', LocatedInProject, WorkspaceRole>('project'),
  requirement: at<'requirement', LocatedInProject, WorkspaceRole>('requirement'),
  execution: at<'execution', LocatedInProject, WorkspaceRole>('execution'),
  gate: at<'gate', LocatedInProject, WorkspaceRole>('gate'),
  hook: at<'hook', LocatedInProject, WorkspaceRole>('hook'),
  comparison: at<'comparison', LocatedInProject, WorkspaceRole>('comparison'),
  deliverable: at<'deliverable', LocatedInProject, WorkspaceRole>('deliverable'),
  dispatch: at<'dispatch', LocatedInProject, WorkspaceRole>('dispatch'),
  channel: at<'channel', LocatedInWorkspace, WorkspaceRole>('channel'),
  subscription: at<'subscription', LocatedInWorkspace, WorkspaceRole>('subscription'),
})
