/** Deployment hooks as a kind of destination. */
import type { Destination } from '../delivery/destination.ts'
import { attempt, type DispatchAttempt } from './attempt.ts'
import { completeDispatches } from './complete.ts'
import type { DecryptedHook, DueDispatch } from './due-dispatch.ts'
import { fetchDue, nextDueAt } from './fetch-due.ts'
import { observeAttempt } from './observe.ts'

export const hookDestination: Destination<DecryptedHook, DueDispatch, DispatchAttempt> = {
  fetchDue,
  attempt,
  complete: completeDispatches,
  observe: ({ span, hook, item, result, outcome }) => observeAttempt(span, hook, item, result, outcome),
  nextDueAt,
}
