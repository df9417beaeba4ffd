/** What the drain leaves behind of each event: a log line, a figure and, where it is traced, a span. */
import { log } from '../../core/platform/log.ts'
import { drains } from '../../core/platform/metrics.ts'
import { beginSpan, readTraceparent, traceIds, traceparentOf } from '../../core/platform/traces.ts'
import type { DrainedEvent } from './drained-event.ts'

/**
 * Begins to watch a batch. From here on the place of its events in their traces is the drain's.
 *
 * @returns to be called once they are committed, with those that were set aside
 */
export function observeDrain(events: DrainedEvent[]): (aside: string[]) => void {
  const spans = events.map((event) => {
    const span = beginSpan(`drain ${event.name}`, 'internal', readTraceparent(event.traceparent), {
      'signalbox.event': event.name,
      'signalbox.event_id': event.id,
      'signalbox.organization_id': event.organization_id,
      'signalbox.request_id': event.request_id,
    })
    event.traceparent = traceparentOf(span)
    return span
  })
  return (aside) => {
    const now = Date.now()
    const isLogged = log.isLevelEnabled('info')
    events.forEach(({ request_id, id, name, organization_id, created_at }, place) => {
      const span = spans[place] ?? null
      if (aside.includes(id)) return
      // The database's clock and this one may differ; nothing waited less than no time.
      const ms = Math.max(0, now - Date.parse(created_at))
      drains.observe([], ms / 1000)
      if (isLogged) log.info({ request_id, ...traceIds(span), id, event: name, organization: organization_id, ms }, 'drained')
      span?.end()
    })
  }
}
