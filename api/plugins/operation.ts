/** The description of a route: its input, responses and errors. Validation, types and API docs are derived from it. */
import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { OtherStatus, ProblemCode, ProblemDocument } from '../problems.ts'
import type { Documented, ResponseSchemas } from './declarations.ts'
import { bodyInput, type Input, queryInput } from './validation.ts'

type ResponseOf<Schema> = Schema extends TSchema ? Static<Schema> : null

type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/** By status, as Elysia and its client expect them. A 200 that is not declared is `never`, or the `Response` of handlers would be its body. */
type ResponseTypes<Responses extends ResponseSchemas> = { [Status in keyof Responses]: Input<ResponseOf<Responses[Status]>> } & {
  [Status in Exclude<ProblemStatus, keyof Responses>]: Input<ProblemDocument>
} & (200 extends keyof Responses ? object : { 200: Input<never> })

interface OperationOptions<Responses extends ResponseSchemas, Body extends TSchema, Query extends TSchema> {
  /** The `operationId`. Generated clients use it as a method name, so it must never change. */
  id: string
  summary: string
  /** Markdown. What is not obvious from the summary and the schemas. */
  description?: string
  /** The tag of the instance, if it has one, is that of its routes. */
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

/** The titled schemas of the responses of all routes, by title; complete once the routes are loaded. */
export const titledSchemas = new Map<string, TSchema>()

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
    ...(options.tag ? { tags: [options.tag] } : {}),
    ...(options.body ? { 'x-body': options.body } : {}),
    ...(options.consumes ? { 'x-consumes': options.consumes } : {}),
    ...(options.maxBytes ? { 'x-max-bytes': options.maxBytes } : {}),
    ...(options.maxValues ? { 'x-max-values': options.maxValues } : {}),
    ...(options.takesForms ? { 'x-takes-forms': options.takesForms } : {}),
    ...(options.query ? { 'x-query': options.query } : {}),
    'x-responses': options.responses,
    'x-errors': options.errors ?? [],
    ...(options.refusals ? { 'x-refusals': options.refusals } : {}),
    ...(options.produces ? { 'x-produces': options.produces } : {}),
    ...(options.waits ? { 'x-waits': options.waits } : {}),
    ...(options.confidential ? { 'x-confidential': options.confidential } : {}),
  }
  return {
    // Always set, since the schema also rejects unknown fields and parameters.
    body: options.body ? bodyInput(options.body) : (undefined as never),
    query: options.ignoresQuery ? (undefined as never) : queryInput(options.query ?? (Nothing as unknown as Query)),
    detail: detail as object,
    // For the types of clients only. Responses are not validated at run time.
    ...({} as { response: ResponseTypes<Responses> }),
  }
}
