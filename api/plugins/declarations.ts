/** What routes declare about themselves: the API docs are made from it, and bodies and responses follow it. */
import type { TSchema } from '../../core/values/schema.ts'
import type { OtherStatus, ProblemCode } from '../problems.ts'

/** Response schemas by status; null for a response without a body. */
export type ResponseSchemas = Record<number, TSchema | null>

/** The route's `detail`, from which `api/docs/openapi.ts` makes the API docs. */
export interface Documented {
  operationId: string
  summary: string
  description?: string
  tags?: string[]
  'x-body'?: TSchema
  'x-consumes'?: string[]
  'x-max-bytes'?: number
  'x-max-values'?: number
  'x-takes-forms'?: string[]
  'x-query'?: TSchema
  'x-responses': ResponseSchemas
  'x-errors': (ProblemCode | OtherStatus)[]
  'x-refusals'?: 'declared'
  'x-produces'?: string[]
  'x-waits'?: true
  'x-confidential'?: number[]
}

/** What a route declares; pages and documents declare only some of it. */
export type Declaration = Partial<Documented>

/** Finds what a route declares. HEAD is served by the route of GET. */
export type DeclarationOf = (method: string, route: string) => Declaration | undefined

export function declarationsOf(routes: { method: string; path: string; hooks: { detail?: object } }[]): DeclarationOf {
  const byRoute = new Map(routes.map(({ method, path, hooks }) => [`${method} ${path}`, (hooks.detail ?? {}) as Declaration]))
  return (method, route) => byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)
}

/** Whether a response is one object. Lists and pages get no entity tag, since they have no version. */
export function isSingle(declared: Declaration | null, status: number): boolean {
  const schema = declared?.['x-responses']?.[status]
  return !schema || !('x-list' in schema || ('type' in schema && schema.type === 'array'))
}
