/** The state of one request, shared by all plugins. Kept outside Elysia's context, which would lose its types. */

import type { Span } from '../../core/platform/traces.ts'
import type { Actor, Via, Visitor } from '../../core/tenants/actors.ts'
import { nfc } from '../../core/values/plain-text.ts'
import { isUuid } from '../../core/values/uuids.ts'
import { version } from '../../sql/version.ts'
import type { Problem } from '../problems.ts'
import type { Declaration } from './declarations.ts'
import { isOf, type Kind, type Resource } from './resources.ts'
import type { NeededScopes, ServiceAccess } from './scopes.ts'

/** The authenticated caller: a person, by session or by personal token, or a service account. */
export interface Caller extends Actor, Visitor {
  id: string
  /** Empty for a service account. */
  email: string
  ip_address: string
  /** Null for a personal token or a service account. */
  session_id: string | null
  /** Null for a session or a service account. */
  token_id: string | null
  /** The organization of a service account, or that a personal token is restricted to; else null. */
  bound_to: string | null
  has_second_factor: boolean
  /** The organizations that require a sign-on which the caller lacks: lists leave them out. Null where that was not asked. */
  unproven: string[] | null
  /** Whether a password proves who the person is. */
  has_password: boolean
  /** The connection whose sign-on opened the session; null for others, and without a session. */
  opened_by: string | null
  /** Null for a person. */
  service_account: ServiceAccess | null
}

export interface SignedIn extends Caller {
  session_id: string
}

/** Names in snake_case are those of the log, the database and the API; others are ours. */
export interface RequestContext {
  request_id: string
  /** The request's span, if it is traced. */
  span: Span | null
  address: string
  /** The `User-Agent`, cut to 200 characters. */
  device: string
  /** Milliseconds of the monotonic clock. */
  startedAt: number
  /** The body as received: hashed for idempotency, and read by routes that take other types than JSON. */
  bytes: Uint8Array
  /** The media type of a body that is not JSON; one that the route accepts. */
  mediaType: string
  /** How the request came, if not by itself. */
  via: Via | null
  /** What is wrong with the body. Thrown only after the access checks. */
  bodyProblem: Problem | null
  /** Whether the request is to the tools of agents, or made by them: some tokens are for nothing else. */
  isForTools: boolean
  /** Whether the route only reads, whatever its method. */
  isReading: boolean
  /** Whether the route changes a gate without deciding it. */
  decidesNothing: boolean
  /** The scopes of which a service account needs one; null if none may send the request. */
  scopes: NeededScopes
  /** Whether the route shows a service account of one workspace only what is in it. */
  isNarrowed: boolean
  /** What the route declares; null until one is found. */
  declared: Declaration | null
  /** As `pathOf` makes it, for comparisons; empty until a route is found. */
  path: string
  caller: Caller | null
  resource: Resource | null
  /** The role on the resource without which the request would not have been admitted. */
  required_role: Resource['role'] | null
  /** Whether an owner is admitted without the sign-on that the organization requires. */
  breaksGlass: boolean
  /** Set if the caller's role is now insufficient: only the stored response of an earlier request may be replayed. */
  roleProblem: Problem | null
  /** Status of the response; 0 until there is one. */
  status: number
  /** The problem code of a 5xx response, else null. */
  errorType: string | null
  /** What the handler of a request that tools make returned, if it is not a response: they need no JSON. */
  result: object | null
  headers: Record<string, string>
}

/** A path without a slash at its end, which the router ignores. */
export const withoutSlash = (path: string): string => path.replace(/(?<=.)\/$/, '')

/** The path of a route with its parameters filled in: one text, however a client writes it. */
export const pathOf = (route: string, params: Record<string, string>): string =>
  withoutSlash(route).replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? ''
    return isUuid(value) ? value.toLowerCase() : encodeURIComponent(nfc(value))
  })

const contexts = new WeakMap<Request, RequestContext>()

export function createContext(
  request: Request,
  address: string,
  request_id: string,
  span: Span | null,
  startedAt: number,
): RequestContext {
  const context: RequestContext = {
    request_id,
    span,
    address,
    device: (request.headers.get('user-agent') || 'unknown').slice(0, 200),
    startedAt,
    bytes: new Uint8Array(),
    mediaType: '',
    via: null,
    bodyProblem: null,
    isForTools: false,
    isReading: false,
    decidesNothing: false,
    scopes: null,
    isNarrowed: false,
    declared: null,
    path: '',
    caller: null,
    resource: null,
    required_role: null,
    breaksGlass: false,
    roleProblem: null,
    status: 0,
    errorType: null,
    result: null,
    headers: { 'X-Request-Id': request_id, 'X-Signalbox-Version': version },
  }
  contexts.set(request, context)
  return context
}

/** Creates the context of a request that this process makes of itself, for another one that it serves. */
export function createInnerContext(inner: Request, { address, device, request_id, span, startedAt }: RequestContext, via: Via) {
  return Object.assign(createContext(inner, address, request_id, span, startedAt), { device, via, isForTools: via === 'mcp' })
}

/** Whether a request is one that this process makes of itself. */
export const isInner = (request: Request): boolean => contexts.get(request)?.via != null

export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('This request has no context: requestLifecycle did not see it')
  return context
}

export function callerOf({ caller }: RequestContext): Caller {
  if (!caller) throw new Error('This request has no caller')
  return caller
}

const isSignedIn = (caller: Caller | null): caller is SignedIn => caller !== null && caller.session_id !== null

export function signedInOf({ caller }: RequestContext): SignedIn {
  if (!isSignedIn(caller)) throw new Error('This request has no session')
  return caller
}

export function resourceIn<K extends Kind>({ resource }: RequestContext, kind: K): Resource<K> {
  if (!isOf(kind, resource)) throw new Error(`This request names no ${kind}`)
  return resource
}
