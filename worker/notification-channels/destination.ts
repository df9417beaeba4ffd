/** Notification channels as a kind of destination. */
import type { Destination } from '../delivery/destination.ts'
import { attempt, type MessageAttempt, observeAttempt } from './attempt.ts'
import { completeMessages } from './complete.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import { fetchDue, nextDue } from './fetch-due.ts'

export const channelDestination: Destination<OpenChannel, DueMessage, MessageAttempt> = {
  fetchDue,
  attempt,
  complete: completeMessages,
  observe: ({ span, channel, item, result, outcome }) => observeAttempt(span, channel, item, result, outcome),
  nextDue,
}
