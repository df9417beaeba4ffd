/** Deployment hooks as a kind of destination. */
import type { Destination } from '../delivery/destination.ts'
import { attempt, type DispatchAttempt } from './attempt.ts'
import { completeDispatches } from './complete.ts'
import { fetchDue, nextDueAt } from './fetch-due.ts'
import { reportAttempt } from './observe.ts'
import type { DecryptedHook, DueDispatch } from './request.ts'

export const hookDestination: Destination<DecryptedHook, DueDispatch, DispatchAttempt> = {
  kind: 'hook',
  fetchDue,
  attempt,
  complete: completeDispatches,
  observe: ({ span, hook, item, result, outcome }) => reportAttempt(span, hook, item, result, outcome),
  nextDueAt,
}
