/** Log line and metric of leases that have ended. */
import { log } from '../platform/log.ts'
import { leases } from '../platform/metrics.ts'

/** A lease that has ended, with the outcome of its attempt. */
interface EndedLease {
  /** Of the dispatch. */
  id: string
  organization_id: string
  lane_id: string
  event: string
  number: number
  duration_ms: number
  status: 'pending' | 'succeeded' | 'failed'
  error: { code: string } | null
}

/** Reports leases whose end is committed. */
export function observeLeases(ended: EndedLease[]): void {
  for (const { id, lane_id, organization_id, event, number, duration_ms, status, error } of ended) {
    const outcome = status === 'pending' ? 'retry' : status
    leases.observe([outcome, error?.code ?? null], duration_ms / 1000)
    log.info(
      {
        dispatch: id,
        hook: lane_id,
        organization: organization_id,
        event,
        attempt: number,
        ms: duration_ms,
        outcome,
        error: error?.code,
      },
      'lease',
    )
  }
}
