/** What one request carries along, from the port to the answer. Kept beside it, so that every plugin sees the same types. */
import type { Actor, Place, Visitor } from '../../core/actors.ts'
import type { Span } from '../../core/platform/traces.ts'
import type { OrganizationRole, WorkspaceRole } from '../members/roles.ts'
import type { Problem } from '../problems.ts'

/** Who calls: by a session, or by a personal token. */
export interface Caller extends Actor, Visitor {
  id: string
  email: string
  ip_address: string
  /** Null for a token. */
  session_id: string | null
  /** Null for a session. */
  token_id: string | null
  /** The one organization in which the caller's token works; null for a session, and for a token that works everywhere. */
  bound_to: string | null
}

/** A caller who signed in: no token. */
export interface SignedIn extends Caller {
  session_id: string
}

/** A thing that the path names, and what the caller is there. */
export interface Located extends Place {
  id: string
  role: OrganizationRole | WorkspaceRole
}

/** A thing by its id, and by whose it is: it is looked for where that organization lies. */
export type Placed = Pick<Located, 'id' | 'organization_id'>

/** A thing inside a workspace. */
export interface LocatedInWorkspace extends Located {
  workspace_id: string
}

/** A thing inside a project. */
export interface LocatedInProject extends LocatedInWorkspace {
  project_id: string
}

export interface RequestContext {
  request_id: string
  /** Its place in a trace, where it has one. */
  span: Span | null
  address: string
  /** What the client calls itself. */
  device: string
  begun: number
  /** The bytes of the body: for the fingerprint of an idempotent request, and for routes that take them as they are. */
  bytes: Uint8Array
  /** The media type of such a body, one of those that its route takes. */
  media_type: string
  /** What is wrong with the body; told only once the caller is known to be welcome. */
  fault: Problem | null
  caller: Caller | null
  located: Located | null
  /** The role became too low for this request: the answer of an earlier one may be replayed, and nothing be done. */
  refusal: Problem | null
  /** Of the answer; 0 until there is one. */
  status: number
  /** The code of the problem that broke it; null where nothing of ours broke. */
  error_type: string | null
  /** Headers that the answer carries, whatever it is. */
  headers: Record<string, string>
}

const contexts = new WeakMap<Request, RequestContext>()

/** Opens the record of a request that just came in. */
export function openContext(
  request: Request,
  address: string,
  request_id: string,
  span: Span | null,
  begun: number,
): RequestContext {
  const context: RequestContext = {
    request_id,
    span,
    address,
    device: (request.headers.get('user-agent') ?? 'unknown').slice(0, 200),
    begun,
    bytes: new Uint8Array(),
    media_type: '',
    fault: null,
    caller: null,
    located: null,
    refusal: null,
    status: 0,
    error_type: null,
    headers: { 'X-Request-Id': request_id },
  }
  contexts.set(request, context)
  return context
}

/** The record of a request under way. */
export function contextOf(request: Request): RequestContext {
  const context = contexts.get(request)
  if (!context) throw new Error('This request did not come in through the front door')
  return context
}
