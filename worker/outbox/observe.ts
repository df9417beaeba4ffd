/** Reports drained events in log, metrics and traces. */
import { log } from '../../core/platform/log.ts'
import { drains } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import type { DrainedEvent } from './drained-event.ts'

/** When a drain was first requested, and when it started, by the monotonic clock. */
export interface DrainTimes {
  requested: number
  started: number
}

/**
 * Starts the spans of a batch. They become the parents of all later spans of its events.
 *
 * @returns a function to call after the commit, with the ids of the quarantined events
 */
export function observeDrain(events: DrainedEvent[], { requested, started }: DrainTimes): (quarantined: string[]) => void {
  const spans = events.map((event) => {
    const span = beginSpan(`drain ${event.name}`, 'internal', readTraceparent(event.traceparent), {
      'signalbox.event': event.name,
      'signalbox.event_id': event.id,
      'signalbox.organization_id': event.organization_id,
      'signalbox.request_id': event.request_id,
    })
    span?.mark('requested', requested)
    span?.mark('started', started)
    event.traceparent = traceparentOf(span)
    return span
  })
  return (quarantined) => {
    const now = Date.now()
    const isLogged = log.isLevelEnabled('info')
    events.forEach(({ request_id, id, name, organization_id, created_at }, index) => {
      const span = spans[index] ?? null
      if (quarantined.includes(id)) return
      // The clock of the database may be ahead of this one.
      const ms = Math.max(0, now - Date.parse(created_at))
      drains.observe([], ms / 1000)
      if (isLogged) log.info({ request_id, ...traceIds(span), id, event: name, organization: organization_id, ms }, 'drained')
      span?.end()
    })
  }
}
