/** Deployment hooks as a kind of destination. */
import type { Destination } from '../delivery/destination.ts'
import { attempt, type DecryptedHook, type DispatchAttempt, type DueDispatch, observeAttempt } from './attempt.ts'
import { completeDispatches } from './complete.ts'
import { fetchDue, nextDue } from './fetch-due.ts'

export const hookDestination: Destination<DecryptedHook, DueDispatch, DispatchAttempt> = {
  fetchDue,
  attempt,
  complete: completeDispatches,
  observe: ({ span, hook, item, result, outcome }) => observeAttempt(span, hook, item, result, outcome),
  nextDue,
}
