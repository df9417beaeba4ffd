/** The demo's record: every attempt that the API lists must be one that the receiver saw. */

import { onTerminal } from '../../cli/support/terminal.js'
import type { ApiClient, Resource } from '../support/api-client.ts'
import { Failure } from '../support/failure.ts'
import type { SignedReceiver } from '../support/signed-receiver.ts'
import { checked, dim } from '../support/timeline.ts'

/** A dispatch takes milliseconds, a worker that has just started a little longer. */
const TIMEOUT_MS = 10_000

export interface Hook extends Resource {
  name: string
}

interface Attempt {
  number: number
  address: string | null
  duration_ms: number
  response_status: number | null
}

export interface Dispatch extends Resource {
  event: string
  status: string
  attempt_count: number
  next_attempt_at: string | null
  attempts: Attempt[]
}

/** Prints the recorded attempts, which must match what the receiver saw. */
export async function showRecord(api: ApiClient, hooks: Hook[], receiver: SignedReceiver, stopping: AbortSignal): Promise<void> {
  console.log()
  let count = 0
  for (const hook of hooks) {
    console.log(`  ${onTerminal(hook.name)}  ${dim(`GET /api/v1/deployment-hooks/${hook.id}/dispatches`)}`)
    for (const dispatch of await finishedDispatches(api, hook, stopping)) {
      const seen = receiver.received.filter(({ dispatch_id }) => dispatch_id === dispatch.id).map(({ status }) => status)
      const recorded = dispatch.attempts.map(({ response_status }) => response_status)
      const good = dispatch.status === 'succeeded' && Bun.deepEquals(recorded, seen)
      const story = dispatch.attempts.map(
        ({ number, response_status, address, duration_ms }) =>
          `attempt ${number}: ${response_status} from ${address} in ${duration_ms} ms`,
      )
      console.log(`    ${checked(good, `${dispatch.event.padEnd(19)} ${dispatch.status}`)}  ${dim(story.join(', '))}`)
      if (!good)
        throw new Failure(
          `${dispatch.event} is ${dispatch.status}; recorded answers: ${recorded}; the receiver answered ${seen}.`,
        )
      count++
    }
  }
  if (count !== 7 || receiver.received.length !== 8) {
    throw new Failure(`Expected 7 dispatches in 8 attempts; ${count} are recorded, ${receiver.received.length} attempts arrived.`)
  }
}

/** The dispatches of a hook, oldest first, once none is pending. */
async function finishedDispatches(api: ApiClient, hook: Hook, stopping: AbortSignal): Promise<Dispatch[]> {
  for (const deadline = performance.now() + TIMEOUT_MS; ; await Bun.sleep(20)) {
    stopping.throwIfAborted()
    const { items } = await api.get<{ items: Dispatch[] }>(`/deployment-hooks/${hook.id}/dispatches`)
    if (items.every(({ status }) => status !== 'pending') || performance.now() > deadline) {
      return Promise.all(items.reverse().map(({ id }) => api.get<Dispatch>(`/dispatches/${id}`)))
    }
  }
}
