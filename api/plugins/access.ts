/**
 * Access control. A route declares what it requires, e.g. `{ project: 'admin' }`; the application does not start
 * while a route declares nothing.
 *
 * The checks run before validation, always in this order: token, rate limit, role, problems of the request itself.
 */
import { Elysia } from 'elysia'
import type { Actor } from '../../core/tenants/actors.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { isServiceAccountToken } from '../credentials/service-account-tokens.ts'
import { invalidField, notFound, Problem, secondFactorMissing } from '../problems.ts'
import { authenticate } from './authentication.ts'
import { brokenGlass } from './break-glass.ts'
import type { FoundCaller } from './callers.ts'
import { changeFor, singleChangeFor } from './change.ts'
import { hasStoredResponse, requireValidIdempotencyKey } from './idempotency.ts'
import { authenticateMachine, holderOf, MACHINE_TOKENS, type MachineToken } from './machine-tokens.ts'
import { requireOperator } from './operators.ts'
import { ADDRESS_LIMITS } from './rate-limit.ts'
import { callerOf, contextOf, type RequestContext, resourceIn, signedInOf } from './request-context.ts'
import { type RoleOf, roleProblem, roleToKeep, withGroups } from './required-roles.ts'
import { KINDS, type Kind, type Resource } from './resources.ts'
import { requireValidTags } from './responses.ts'
import type { NeededScopes } from './scopes.ts'
import { signOnMissing } from './sign-on-problem.ts'

interface MacroContext {
  request: Request
  params: Record<string, string>
}

const isInNamedWorkspace = ({ workspace_id }: Resource, { workspace_id: named }: Record<string, string>): boolean =>
  named === undefined || !isUuid(named) || named.toLowerCase() === workspace_id

/**
 * @throws Problem `not_found` if the resource does not exist, or the caller has no role there; `second_factor_required` if they lack the one
 *   that its organization requires; `sso_required` if they have not signed on, which it requires
 */
export function visibleResource<K extends Kind>(
  kind: K,
  { resource, lacks_second_factor, lacked_sign_on }: FoundCaller<K>,
  params: Record<string, string>,
): Resource<K> {
  if (lacks_second_factor) throw secondFactorMissing()
  if (lacked_sign_on !== null) throw signOnMissing(lacked_sign_on)
  if (!resource || !isInNamedWorkspace(resource, params)) throw notFound(kind)
  return resource
}

/** Throws what is wrong with the request itself. Runs after the access checks, so that unauthorized callers learn nothing. */
function requireValidRequest({ request, params }: MacroContext, context: RequestContext): void {
  if (context.bodyProblem) throw context.bodyProblem
  if (request.method === 'PUT' || request.method === 'DELETE') requireValidTags(request)
  if (context.caller) requireValidIdempotencyKey(request)
  const query = request.url.indexOf('?')
  if (query !== -1 && request.url.includes('%', query)) {
    try {
      decodeURIComponent(request.url.slice(query + 1))
    } catch {
      throw new Problem(
        'malformed_query',
        'The query string contains a % that does not start a valid percent-encoded UTF-8 character.',
      )
    }
  }
  for (const [name, value] of Object.entries(params ?? {})) {
    if (name.endsWith('_id') && !isUuid(value)) throw invalidField(`/${name}`, 'malformed', 'must be a UUID')
  }
}

function requireSession({ session_id }: FoundCaller): void {
  if (session_id === null)
    throw new Problem('session_required', 'Personal tokens cannot do this. Sign in and send the access token of the session.')
}

function requireUnrestrictedToken({ bound_to }: FoundCaller): void {
  if (bound_to !== null) throw new Problem('not_found', 'This token is restricted to one organization and has no access here.')
}

const isOfProgram = (header: string): boolean => /\bsbx_/.test(header) || isServiceAccountToken(header.replace(/^Bearer +/i, ''))

async function requireSignIn(macro: MacroContext, check: (found: FoundCaller) => void | Promise<void>): Promise<void> {
  const context = contextOf(macro.request)
  await check(await authenticate(context, macro.request, null, null))
  requireValidRequest(macro, context)
}

function allowAnonymous(
  macro: MacroContext,
  limit: keyof typeof ADDRESS_LIMITS,
  filter: (bodyProblem: Problem | null) => Problem | null,
) {
  const context = contextOf(macro.request)
  Object.assign(context.headers, ADDRESS_LIMITS[limit](context.address))
  context.bodyProblem = filter(context.bodyProblem)
  requireValidRequest(macro, context)
}

/** A macro that requires a role on a kind of resource. @param named what it passes to the handler: the resource by its name */
function resourceAccess<K extends Kind, Named extends object>(kind: K, named: (resource: Resource<K>) => Named) {
  return (role: RoleOf<K>) => ({
    async transform(macro: MacroContext) {
      const context = contextOf(macro.request)
      const id = macro.params[KINDS[kind].param] ?? ''
      if (isUuid(id)) {
        const found = await withGroups(
          await brokenGlass(macro.request, await authenticate(context, macro.request, kind, id)),
          role,
        )
        if (role === 'organization admin') requireSession(found)
        context.resource = visibleResource(kind, found, macro.params)
        if (kind === 'organization' && found.service_account?.workspace_id && !context.isNarrowed) throw notFound(kind)
        context.roleProblem = roleProblem(kind, found, context.resource, role)
        context.required_role = roleToKeep(found, role, context.roleProblem)
        // A caller who had the role when the first request succeeded may replay its response; `changeFor` does nothing else then.
        if (context.roleProblem && !(await hasStoredResponse(macro.request, context))) throw context.roleProblem
      } else await authenticate(context, macro.request, kind, null)
      requireValidRequest(macro, context)
    },
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      return { ...named(resourceIn(context, kind)), caller: callerOf(context), change: changeFor(request, context) }
    },
    detail: { 'x-access': { kind, role } } as object,
  })
}

function machineAccess<K extends 'hook' | 'dispatch', Named extends object>(
  kind: K,
  machine: MachineToken<K>,
  named: (resource: Resource<K>) => Named,
) {
  return (role: RoleOf<K>) => {
    const forUsers = resourceAccess(kind, named)(role)
    return {
      async transform(macro: MacroContext) {
        const context = contextOf(macro.request)
        const [, token] = /^Bearer +(\S+)$/i.exec(macro.request.headers.get('authorization') ?? '') ?? []
        if (!token?.startsWith(machine.prefix)) return forUsers.transform(macro)
        const id = macro.params[KINDS[kind].param] ?? ''
        await authenticateMachine(context, machine, token, isUuid(id) ? id : null)
        requireValidRequest(macro, context)
      },
      resolve({ request }: { request: Request }) {
        const context = contextOf(request)
        const holder: Actor = context.caller ?? holderOf(machine, context)
        const change = changeFor(request, context)
        return { ...named(resourceIn(context, kind)), holder, change, singleChange: singleChangeFor(request, context) }
      },
      detail: { 'x-access': { kind, role } } as object,
    }
  }
}

/** What a macro notes of a route in the context of its requests and, for the API docs, in its access rule. */
const marked = (noted: Partial<RequestContext>, rule?: object) => ({
  transform({ request }: { request: Request }) {
    Object.assign(contextOf(request), noted)
  },
  ...(rule ? { detail: { 'x-access': rule } as object } : {}),
})

export const access = new Elysia({ name: 'access' }).macro({
  // These precede the macro that says who may call the route: `operation` sees to it.
  scopes: (needed: NonNullable<NeededScopes>) => marked({ scopes: needed }, { scopes: needed }),
  narrowed: (_: true) => marked({ isNarrowed: true }),
  onlyReads: (_: true) => marked({ isReading: true }, { only_reads: true }),
  decidesNothing: (_: true) => marked({ decidesNothing: true }, { decides_nothing: true }),
  /** Anonymous requests, limited by client address. */
  open: (limit: keyof typeof ADDRESS_LIMITS) => ({
    transform: (macro: MacroContext) => allowAnonymous(macro, limit, (bodyProblem) => bodyProblem),
    resolve({ request }: { request: Request }) {
      const { address, device } = contextOf(request)
      return { visitor: { ip_address: address, device } }
    },
    detail: { 'x-access': { kind: 'open' } } as object,
  }),
  /** Anonymous requests, limited by client address, or those of a session. Tokens of programs are ignored, as by open routes. */
  openOrInSession: (limit: keyof typeof ADDRESS_LIMITS) => ({
    async transform(macro: MacroContext) {
      const header = macro.request.headers.get('authorization')
      if (header !== null && !isOfProgram(header)) await requireSignIn(macro, requireSession)
      else allowAnonymous(macro, limit, (bodyProblem) => bodyProblem)
    },
    resolve({ request }: { request: Request }) {
      const { address, device, caller } = contextOf(request)
      return { visitor: { ip_address: address, device }, caller: caller && signedInOf(contextOf(request)) }
    },
    detail: { 'x-access': { kind: 'open' } } as object,
  }),
  /** Anonymous requests with the token of a mailed link. Mail clients post a form to it; the body is ignored. */
  mailedLink: (limit: keyof typeof ADDRESS_LIMITS) => ({
    transform: (macro: MacroContext) => allowAnonymous(macro, limit, () => null),
    detail: { 'x-access': { kind: 'open' } } as object,
  }),
  /**
   * Any authenticated caller, by session or personal token. Tokens restricted to one organization are rejected unless
   * the route says `withRestrictedTokens`, in which case it must show only that organization.
   */
  signedIn: (allowed: true | 'withRestrictedTokens') => ({
    transform: (macro: MacroContext) =>
      requireSignIn(macro, allowed === 'withRestrictedTokens' ? () => {} : requireUnrestrictedToken),
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      return { caller: callerOf(context), change: changeFor(request, context) }
    },
    detail: { 'x-access': { kind: 'signedIn' } } as object,
  }),
  /**
   * Any authenticated caller of the tools of agents. The handler authenticates: with `identify`, or by an operation of the API that it calls
   * with the same token, which saves a query.
   */
  byHandler: (_: true) => ({
    async transform({ request }: { request: Request }) {
      const context = contextOf(request)
      // What changes something is the operation.
      Object.assign(context, { isForTools: true, isReading: true, scopes: 'any' })
      // The query is validated before the handler runs.
      if (request.url.includes('?')) await authenticate(context, request, null, null)
    },
    resolve({ request }: { request: Request }) {
      let found: Promise<FoundCaller> | undefined
      return {
        identify: () => {
          found ??= authenticate(contextOf(request), request, null, null)
          return found
        },
      }
    },
    detail: { 'x-access': { kind: 'signedIn', only_reads: true, scopes: 'any' } } as object,
  }),
  /** A caller with a session; personal tokens are rejected. */
  inSession: (_: true) => ({
    transform: (macro: MacroContext) => requireSignIn(macro, requireSession),
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      return { caller: signedInOf(context), change: changeFor(request, context) }
    },
    detail: { 'x-access': { kind: 'inSession' } } as object,
  }),
  /** An operator of the service, in a session. Others do not learn that there is anything. */
  operator: (_: true) => ({
    transform: (macro: MacroContext) =>
      requireSignIn(macro, async (found) => {
        await requireOperator({ id: found.user_id, email: found.email })
        requireSession(found)
      }),
    resolve({ request }: { request: Request }) {
      const context = contextOf(request)
      return { caller: signedInOf(context), change: changeFor(request, context) }
    },
    detail: { 'x-access': { kind: 'operator' } } as object,
  }),
  organization: resourceAccess('organization', (organization) => ({ organization })),
  runtime: resourceAccess('runtime', (runtime) => ({ runtime })),
  group: resourceAccess('group', (group) => ({ group })),
  service_account: resourceAccess('service_account', (account) => ({ account })),
  workspace: resourceAccess('workspace', (workspace) => ({ workspace })),
  project: resourceAccess('project', (project) => ({ project })),
  requirement: resourceAccess('requirement', (requirement) => ({ requirement })),
  execution: resourceAccess('execution', (execution) => ({ execution })),
  gate: resourceAccess('gate', (gate) => ({ gate })),
  hook: resourceAccess('hook', (hook) => ({ hook })),
  comparison: resourceAccess('comparison', (comparison) => ({ comparison })),
  deliverable: resourceAccess('deliverable', (deliverable) => ({ deliverable })),
  dispatch: resourceAccess('dispatch', (dispatch) => ({ dispatch })),
  reportedDispatch: machineAccess('dispatch', MACHINE_TOKENS.report, (dispatch) => ({ dispatch })),
  claimedHook: machineAccess('hook', MACHINE_TOKENS.pullHook, (hook) => ({ hook })),
  claimedDispatch: machineAccess('dispatch', MACHINE_TOKENS.pullDispatch, (dispatch) => ({ dispatch })),
  channel: resourceAccess('channel', (channel) => ({ channel })),
  subscription: resourceAccess('subscription', (subscription) => ({ subscription })),
})
