/** What routes declare about themselves: the API docs are made from it, and bodies and responses follow it. */
import type { TSchema } from '../../core/values/schema.ts'
import type { OtherStatus, ProblemCode } from '../problems.ts'
import type { NeededScopes } from './scopes.ts'

/** Response schemas by status; null for a response without a body. */
export type ResponseSchemas = Record<number, TSchema | null>

/** What `operation` describes of a route. */
export interface OperationOptions<
  Responses extends ResponseSchemas = ResponseSchemas,
  Body extends TSchema = TSchema,
  Query extends TSchema = TSchema,
> {
  /** The `operationId`. Generated clients use it as a method name, so it must never change. */
  id: string
  summary: string
  /** Markdown. What is not obvious from the summary and the schemas. */
  description?: string
  /** The scopes of which a service account needs one; without this, none may call the route. */
  scopes?: NonNullable<NeededScopes>
  /** Shows a service account of one workspace only what is in it; without this, it may not call the route. */
  narrowed?: true
  /** The route changes nothing although it is no GET, so that a token with the scope `read` may call it. */
  onlyReads?: true
  /** The route changes a gate without deciding it, so that personal tokens need no scope `decide`. */
  decidesNothing?: true
  /** The tag of the instance, if it has one, applies to its routes. */
  tag?: string
  /** Absent: the route reads no body. Actions without input use `Nothing`. */
  body?: Body
  /** Media types of a raw body instead of JSON; the handler finds its bytes and type in the request context. */
  consumes?: string[]
  /** CI systems send it: the body may also be a form, or JSON with another media type. Empty fields count as absent. */
  takesForms?: string[]
  /** The largest raw body, if it may be larger than others. */
  maxBytes?: number
  /** How many fields and items a body of JSON may contain, if that is fewer than elsewhere. */
  maxValues?: number
  /** Absent: the route has no query parameters. */
  query?: Query
  /** Parameters are ignored instead of refused: load balancers and monitors add some. */
  ignoresQuery?: true
  responses: Responses
  /** Problems specific to this route, in addition to those that every route of its kind can return. */
  errors?: (ProblemCode | OtherStatus)[]
  /** The errors are only those in `responses`, which are no problems. */
  refusals?: 'declared'
  /** Media types of a response that is not JSON. */
  produces?: string[]
  /** Whether a GET supports `Prefer: wait`; actions that answer 202 always do. */
  waits?: true
  /** Statuses whose responses members cannot read elsewhere, such as a secret: they are not replayed when the role is too low by then. */
  confidential?: number[]
}

/** What a route declares; pages and documents declare only some of it. */
export type Declaration = Partial<OperationOptions>

/** Finds what a route declares. HEAD is served by the route of GET. */
export type DeclarationOf = (method: string, route: string) => Declaration | undefined

export function declarationsOf(
  routes: { method: string; path: string; hooks: { detail?: { 'x-operation'?: Declaration } } }[],
): DeclarationOf {
  const byRoute = new Map(routes.map(({ method, path, hooks }) => [`${method} ${path}`, hooks.detail?.['x-operation'] ?? {}]))
  return (method, route) => byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)
}

/** Whether a response is one object. Lists and pages get no entity tag, since they have no version. */
export function isSingle(declared: Declaration | null, status: number): boolean {
  const schema = declared?.responses?.[status]
  return !schema || !('x-list' in schema || ('type' in schema && schema.type === 'array'))
}
