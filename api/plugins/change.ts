/**
 * Runs the change of one request in one transaction, together with its events, its audit entry and, if the request has
 * an `Idempotency-Key`, its response. After a crash, either all of them are stored or none.
 */

import { sql } from '../../core/platform/database.ts'
import { inSpan } from '../../core/platform/traces.ts'
import { announceChange, scopePath, userPath } from '../../core/tenants/changes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { notFound, Problem } from '../problems.ts'
import { transactionWith } from './confirm-access.ts'
import { findStoredResponse, hasStoredResponse, idempotencyKey, idempotencyRecordOf, storeResponse } from './idempotency.ts'
import { canSee } from './known-callers.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import { type Outcome, problemBody, respond, toLongOutcome } from './responses.ts'

type Success = 200 | 201 | 202 | 204

/** @param location the path of the created resource, or the path of its list, to which its id is appended; for the `Location` header */
type Change = <Result extends object | null>(
  status: Success | ((result: NonNullable<Result>) => Success),
  work: (tx: Tx) => Promise<Result>,
  location?: string | ((result: NonNullable<Result>) => string),
) => Promise<Response>

/** Runs a change that is one statement: for users in a transaction, which confirms their access; for machines on its own, which saves two round trips. */
type SingleChange = <Result extends object | null>(status: Success, work: (db: Queryable) => Promise<Result>) => Promise<Response>

/** Does what a change needs and cannot do in its transaction; null if its response is stored: the change is not run then. */
export const skipIfReplayed = async <Result>(request: Request, prepare: () => Promise<Result>): Promise<Result | null> =>
  (await hasStoredResponse(request, contextOf(request))) ? null : prepare()

/** Rejects the replay of a response that the caller may no longer see. @throws Problem `not_found`, or the one about the role */
async function requireVisible({ roleProblem, declared, caller }: RequestContext, stored: Outcome): Promise<void> {
  if (roleProblem && declared?.confidential?.includes(stored.status)) throw roleProblem
  if (stored.location && caller && !(await canSee(caller, stored.location))) throw notFound('resource')
}

/** Conflicts are stored like successes, so that a repeated request gets the same response. */
const isReplayable = (error: unknown): error is Problem =>
  error instanceof Problem && error.status === 409 && error.code !== 'idempotency_in_progress'

/** Runs the change of a request in one transaction. @throws what `transactionWith` throws */
export const inTransaction = <Result>(context: RequestContext, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  inSpan('transaction', context.span, () =>
    transactionWith(context, (tx) => {
      const { caller, resource } = context
      announceChange(tx, ...(resource ? [scopePath(resource)] : caller ? [userPath(caller.id)] : []))
      return work(tx)
    }),
  )

const pathOf = <Result extends object>(result: Result, location: string | ((result: Result) => string)): string =>
  typeof location === 'string' ? `${location}/${(result as { id?: string }).id}` : location(result)

export function changeFor(request: Request, context: RequestContext): Change {
  return async (status, work, location) => {
    // Stored responses belong to callers; the holder of a report token is none.
    const key = context.caller ? idempotencyKey(request) : null
    const { pathname } = new URL(request.url)
    const run = async (tx: Tx): Promise<Outcome> => {
      const result = await work(tx)
      const responseStatus = typeof status === 'number' ? status : status(result as NonNullable<typeof result>)
      return toLongOutcome(responseStatus, result, result && location ? pathOf(result, location) : null)
    }
    if (key === null) return respond(request, context, await inTransaction(context, run))

    const record = idempotencyRecordOf(request, context, key)
    let replayed = false
    const runOnce = (perform: (tx: Tx) => Promise<Outcome>) =>
      inTransaction(context, async (tx) => {
        const stored = await findStoredResponse(tx, record)
        replayed = stored !== null
        if (stored) return stored
        if (context.roleProblem) throw context.roleProblem
        const outcome = await perform(tx)
        await storeResponse(tx, record, outcome)
        return outcome
      })
    const outcome = await runOnce(run).catch((error: unknown) => {
      if (!isReplayable(error)) throw error
      // The failed change was rolled back as a whole, so the response can be stored in a transaction of its own.
      const text = problemBody(error, context, pathname)
      return runOnce(async () => ({ status: error.status, text }))
    })
    if (replayed) {
      await requireVisible(context, outcome)
      context.headers['Idempotent-Replayed'] = 'true'
    }
    return respond(request, context, outcome)
  }
}

export function singleChangeFor(request: Request, context: RequestContext): SingleChange {
  if (context.caller) return changeFor(request, context)
  return async (status, work) => {
    const result = await inSpan('statement', context.span, () => work(sql))
    // Not before the write: receivers read at once. A claim that got nothing has changed nothing.
    const isEmpty = Array.isArray(result) && result.length === 0
    if (context.resource && !isEmpty) announceChange(sql, scopePath(context.resource))
    return respond(request, context, await toLongOutcome(status, result))
  }
}
