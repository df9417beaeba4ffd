/** What a route says about itself: what comes in, what goes out, and what can go wrong. Checks and docs both come from it. */

import { Nothing, type Static, type TSchema } from '../../core/values/schema.ts'
import type { ProblemCode, ProblemDocument } from '../problems.ts'
import { bodyInput, type Input, queryInput } from './validation.ts'

/** The shape of one answer; null for an answer without a body. */
type AnswerShapes = Record<number, TSchema | null>

type AnswerOf<Schema> = Schema extends TSchema ? Static<Schema> : null

type ProblemStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/**
 * Answers and problems by their status, as Elysia and its typed client take them. A 200 that no answer names is never
 * sent: without it, the `Response` that handlers return would count as one.
 */
type Told<Answers extends AnswerShapes> = { [Status in keyof Answers]: Input<AnswerOf<Answers[Status]>> } & {
  [Status in Exclude<ProblemStatus, keyof Answers>]: Input<ProblemDocument>
} & (200 extends keyof Answers ? object : { 200: Input<never> })

interface Description<Answers extends AnswerShapes, Body extends TSchema, Query extends TSchema> {
  /** Its `operationId`: generated clients call it so, and it never changes. */
  id: string
  summary: string
  /** Whatever a caller would not guess. Markdown. */
  description?: string
  tag: string
  /** Absent: the route reads no body. Actions take `Nothing`. */
  body?: Body
  /** Media types of a body that is taken as it is, in place of JSON: its bytes and its type are those of the context. */
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
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-body'?: TSchema
  'x-takes'?: string[]
  'x-query'?: TSchema
  'x-answers': AnswerShapes
  'x-errors': ProblemCode[]
  'x-produces'?: string[]
}

/** The options of an Elysia route, from its description. */
export function operation<
  const Answers extends AnswerShapes,
  Body extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
>(about: Description<Answers, Body, Query>) {
  const detail: Documented = {
    operationId: about.id,
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
    // For types alone: a typed client knows from it what comes back. Answers are not checked as they leave.
    ...({} as { response: Told<Answers> }),
  }
}
