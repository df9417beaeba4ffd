/** The description of a route: its input, responses and errors. Validation, types and API docs are derived from it. */
import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { ProblemDocument } from '../problems.ts'
import type { access } from './access.ts'
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

type Rules = (typeof access)['~Metadata']['macro']

/** Macros that precede the one that says who may call a route. */
type Preceding = 'scopes' | 'narrowed' | 'onlyReads' | 'decidesNothing'

/**
 * @param rule who may call the route: a macro of `access.ts`
 * @param needed what that requires, such as a role
 */
export function operation<
  Rule extends Exclude<keyof Rules, Preceding>,
  const Needed extends NonNullable<Rules[Rule]>,
  const Responses extends ResponseSchemas,
  Body extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
>(rule: Rule, needed: Needed, given: OperationOptions<Responses, Body, Query>) {
  const { scopes, narrowed, onlyReads, decidesNothing, ...options } = given
  for (const schema of Object.values(options.responses)) {
    if (schema && 'title' in schema) titledSchemas.set(String(schema.title), schema)
  }
  const preceding = {
    ...(scopes && { scopes }),
    ...(narrowed && { narrowed }),
    ...(onlyReads && { onlyReads }),
    ...(decidesNothing && { decidesNothing }),
  }
  return {
    // The order in which they apply. For types, only the rule matters.
    ...(preceding as object),
    ...({ [rule]: needed } as { [Each in Rule]: Needed }),
    // Always set, since the schema also rejects unknown fields and parameters.
    body: options.body ? bodyInput(options.body) : (undefined as never),
    query: options.ignoresQuery ? (undefined as never) : queryInput(options.query ?? (Nothing as unknown as Query)),
    detail: { ...(options.tag ? { tags: [options.tag] } : {}), 'x-operation': options } as object,
    // For the types of clients only. Responses are not validated at run time.
    ...({} as { response: ResponseTypes<Responses> }),
  }
}
