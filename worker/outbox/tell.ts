/** Everything that follows from an event. */
import { wakeLanes } from '../../core/jobs.ts'
import { afterCommit } from '../../core/outbox.ts'
import type { Tx } from '../../sql/index.ts'
import { lookAgain } from '../deployment-hooks/lane.ts'
import { errorClass } from '../errors.ts'
import { fanOutToChannels } from '../notification-channels/fan-out.ts'
import { fanOutToUsers } from '../notifications/fan-out.ts'
import { type DrainedEvent, fanOutToHooks } from './fan-out.ts'

/** Writes what follows from events, and marks them drained: all or nothing. */
export async function tell(tx: Tx, events: DrainedEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id)
  // Each is waited for, though one failed: what it would still write must not come after its savepoint.
  const [hooks, ...others] = await Promise.allSettled([
    fanOutToHooks(tx, events),
    fanOutToChannels(tx, events),
    fanOutToUsers(tx, events),
    tx`update outbox set drained_at = now() where id = any(${ids}::uuid[])`,
  ])
  const failures = [hooks, ...others].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  // What failed because the transaction had failed before says nothing.
  if (hooks.status === 'rejected' || failures.length > 0) {
    throw failures.find((failure) => errorClass(failure) !== '25P02') ?? failures[0]
  }
  const { idle, served } = hooks.value
  await wakeLanes(tx, idle)
  // Who serves a lane looks again before leaving it. In this process that need not wait until then.
  afterCommit(tx, () => lookAgain([...idle, ...served]))
}
