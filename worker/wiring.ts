/** The lanes and the drain of this process, and what they drive: the fan-out of events, deployment hooks and notification channels. */
import { Delivery } from './delivery/delivery.ts'
import type { Destination } from './delivery/destination.ts'
import type { DecryptedHook, DispatchAttempt, DueDispatch } from './deployment-hooks/attempt.ts'
import { attempt as attemptDispatch, observe as observeDispatch } from './deployment-hooks/attempt.ts'
import { completeDispatches } from './deployment-hooks/complete.ts'
import { fetchDue as fetchDispatches, nextDue as nextDispatches } from './deployment-hooks/fetch-due.ts'
import { fanOut } from './fan-out.ts'
import { attempt as attemptMessage, type MessageAttempt, observe as observeMessage } from './notification-channels/attempt.ts'
import { completeMessages } from './notification-channels/complete.ts'
import { fetchDue as fetchMessages, nextDue as nextMessages } from './notification-channels/fetch-due.ts'
import type { DueMessage, OpenChannel } from './notification-channels/sender.ts'
import { Drain } from './outbox/drain.ts'

const hook: Destination<DecryptedHook, DueDispatch, DispatchAttempt> = {
  fetchDue: fetchDispatches,
  attempt: attemptDispatch,
  complete: completeDispatches,
  observe: observeDispatch,
  nextDue: nextDispatches,
}

const channel: Destination<OpenChannel, DueMessage, MessageAttempt> = {
  fetchDue: fetchMessages,
  attempt: attemptMessage,
  complete: completeMessages,
  observe: observeMessage,
  nextDue: nextMessages,
}

export const delivery = new Delivery({ hook, channel })

export const drain = new Drain((tx, events) => fanOut(tx, events, delivery))
