/** What a route says about itself: what comes in, what goes out, and what can go wrong. Checks and docs both come from it. */
import type { ProblemCode } from '../../core/problems.ts'
import { Nothing, type TSchema } from '../../core/schema.ts'
import { bodyInput, queryInput } from './validation.ts'

/** The shape of one answer; null for an answer without a body. */
type Answers = Record<number, TSchema | null>

interface Description<Body extends TSchema, Query extends TSchema> {
  summary: string
  /** Whatever a caller would not guess. Markdown. */
  description?: string
  tag: string
  /** Absent: the route reads no body. Actions take `Nothing`. */
  body?: Body
  /** Media types of a body that is taken as it is, in place of JSON: its bytes and its type are those of the exchange. */
  takes?: string[]
  /** Absent: the route takes no query. */
  query?: Query
  answers: Answers
  /** Problems of its own, beside those that every route of its kind can have. */
  errors?: ProblemCode[]
  /** Media types of an answer that is no JSON. */
  produces?: string[]
}

/** What the docs are made from; see `docs.ts`. */
export interface Documented {
  summary: string
  description?: string
  tags: string[]
  'x-body'?: TSchema
  'x-takes'?: string[]
  'x-query'?: TSchema
  'x-answers': Answers
  'x-errors': ProblemCode[]
  'x-produces'?: string[]
}

/** The options of an Elysia route, from its description. */
export function operation<Body extends TSchema = typeof Nothing, Query extends TSchema = typeof Nothing>(
  about: Description<Body, Query>,
) {
  const detail: Documented = {
    summary: about.summary,
    ...(about.description ? { description: about.description } : {}),
    tags: [about.tag],
    ...(about.body ? { 'x-body': about.body } : {}),
    ...(about.takes ? { 'x-takes': about.takes } : {}),
    ...(about.query ? { 'x-query': about.query } : {}),
    'x-answers': about.answers,
    'x-errors': about.errors ?? [],
    ...(about.produces ? { 'x-produces': about.produces } : {}),
  }
  return {
    // Always there: it is what refuses a field or a parameter that nobody knows.
    body: about.body ? bodyInput(about.body) : (undefined as never),
    query: queryInput(about.query ?? (Nothing as unknown as Query)),
    detail: detail as object,
  }
}
