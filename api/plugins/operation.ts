/** The description of a route: its input, responses and errors. Validation, types and API docs are derived from it. */

import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { OtherStatus, ProblemCode, ProblemDocument } from '../problems.ts'
import { bodyInput, type Input, queryInput } from './validation.ts'

/** Response schemas by status; null for a response without a body. */
type ResponseSchemas = Record<number, TSchema | null>

type ResponseOf<Schema> = Schema extends TSchema ? Static<Schema> : null

type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/**
 * Response types by status, as Elysia and its typed client expect them. A 200 that is not declared is typed `never`:
 * otherwise the `Response` that handlers return would be typed as the 200 body.
 */
type ResponseTypes<Responses extends ResponseSchemas> = { [Status in keyof Responses]: Input<ResponseOf<Responses[Status]>> } & {
  [Status in Exclude<ProblemStatus, keyof Responses>]: Input<ProblemDocument>
} & (200 extends keyof Responses ? object : { 200: Input<never> })

interface OperationOptions<Responses extends ResponseSchemas, Body extends TSchema, Query extends TSchema> {
  /** The `operationId`. Generated clients use it as a method name, so it must never change. */
  id: string
  summary: string
  /** Markdown. What is not obvious from the summary and the schemas. */
  description?: string
  tag: string
  /** Absent: the route reads no body. Actions without input use `Nothing`. */
  body?: Body
  /** Media types of a raw body instead of JSON; the handler finds its bytes and type in the request context. */
  consumes?: string[]
  /** The largest raw body, if it may be larger than others. */
  maxBytes?: number
  /** How many fields and items a body of JSON may contain, if that is fewer than elsewhere. */
  maxValues?: number
  /** Absent: the route has no query parameters. */
  query?: Query
  responses: Responses
  /** Problems specific to this route, in addition to those that every route of its kind can return. */
  errors?: (ProblemCode | OtherStatus)[]
  /** The errors are only those in `responses`, which are no problems. */
  refusals?: 'declared'
  /** Media types of a response that is not JSON. */
  produces?: string[]
  /** Whether a GET supports `Prefer: wait`; actions that answer 202 always do. */
  waits?: true
}

/** The route's `detail`, from which `api/docs/openapi.ts` makes the API docs. */
export interface Documented {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-body'?: TSchema
  'x-consumes'?: string[]
  'x-max-bytes'?: number
  'x-max-values'?: number
  'x-query'?: TSchema
  'x-responses': ResponseSchemas
  'x-errors': (ProblemCode | OtherStatus)[]
  'x-refusals'?: 'declared'
  'x-produces'?: string[]
  'x-waits'?: true
}

/** The titled schemas of the responses of all routes, by title; complete once the routes are loaded. */
export const titledSchemas = new Map<string, TSchema>()

/** Makes the options of an Elysia route from its description. */
export function operation<
  const Responses extends ResponseSchemas,
  Body extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
>(options: OperationOptions<Responses, Body, Query>) {
  for (const schema of Object.values(options.responses)) {
    if (schema && 'title' in schema) titledSchemas.set(String(schema.title), schema)
  }
  const detail: Documented = {
    operationId: options.id,
    summary: options.summary,
    ...(options.description ? { description: options.description } : {}),
    tags: [options.tag],
    ...(options.body ? { 'x-body': options.body } : {}),
    ...(options.consumes ? { 'x-consumes': options.consumes } : {}),
    ...(options.maxBytes ? { 'x-max-bytes': options.maxBytes } : {}),
    ...(options.maxValues ? { 'x-max-values': options.maxValues } : {}),
    ...(options.query ? { 'x-query': options.query } : {}),
    'x-responses': options.responses,
    'x-errors': options.errors ?? [],
    ...(options.refusals ? { 'x-refusals': options.refusals } : {}),
    ...(options.produces ? { 'x-produces': options.produces } : {}),
    ...(options.waits ? { 'x-waits': options.waits } : {}),
  }
  return {
    // Always set, since the schema also rejects unknown fields and parameters.
    body: options.body ? bodyInput(options.body) : (undefined as never),
    query: queryInput(options.query ?? (Nothing as unknown as Query)),
    detail: detail as object,
    // For the types of clients only. Responses are not validated at run time.
    ...({} as { response: ResponseTypes<Responses> }),
  }
}
