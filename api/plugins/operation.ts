/** The description of a route: its input, responses and errors. Validation, types and API docs are derived from it. */
import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { ProblemDocument } from '../problems.ts'
import type { OperationOptions, ResponseSchemas } from './declarations.ts'
import { bodyInput, type Input, queryInput } from './validation.ts'

type ResponseOf<Schema> = Schema extends TSchema ? Static<Schema> : null

type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/** By status, as Elysia and its client expect them. A 200 that is not declared is `never`, or the `Response` of handlers would be its body. */
type ResponseTypes<Responses extends ResponseSchemas> = { [Status in keyof Responses]: Input<ResponseOf<Responses[Status]>> } & {
  [Status in Exclude<ProblemStatus, keyof Responses>]: Input<ProblemDocument>
} & (200 extends keyof Responses ? object : { 200: Input<never> })

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
  return {
    // Always set, since the schema also rejects unknown fields and parameters.
    body: options.body ? bodyInput(options.body) : (undefined as never),
    query: options.ignoresQuery ? (undefined as never) : queryInput(options.query ?? (Nothing as unknown as Query)),
    detail: { ...(options.tag ? { tags: [options.tag] } : {}), 'x-operation': options } as object,
    // For the types of clients only. Responses are not validated at run time.
    ...({} as { response: ResponseTypes<Responses> }),
  }
}
