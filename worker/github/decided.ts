/** Fans out what happened to gates to the requests that wait for them. */
import { markLanesChanged } from '../../core/delivery/lanes.ts'
import { isOpen } from '../../core/github/requests.ts'
import type { Tx } from '../../sql/index.ts'
import { type DrainedEvent, organizationsOf } from '../outbox/drained-event.ts'

interface Waiting {
  id: string
  organization_id: string
  lane_id: string
}

const gateIdsOf = (events: DrainedEvent[]): string[] =>
  events.flatMap(({ data }) => (data.gate as { id?: string } | undefined)?.id ?? [])

/** The requests of gates that events are about, or of those that these have replaced. */
export async function findWaiting(tx: Tx, events: DrainedEvent[]): Promise<Waiting[]> {
  const about = events.filter(({ name }) => name.startsWith('gate.'))
  const gate_ids = gateIdsOf(about)
  if (gate_ids.length === 0) return []
  return tx<Waiting[]>`
    select request.id, request.organization_id, request.lane_id
    from gates as gate
    join github_requests as request on request.gate_id = gate.id and request.organization_id = gate.organization_id
    where (gate.id = any(${gate_ids}::uuid[]) or gate.superseded_by = any(${gate_ids}::uuid[]))
      and gate.organization_id = any(${organizationsOf(about)}::uuid[])
      and ${isOpen}
  `
}

/** Makes them due. Their lanes are locked. @returns the lanes with something to do */
export async function fanOutToGitHub(tx: Tx, waiting: Waiting[], leaseTo: string | null) {
  if (waiting.length === 0) return []
  const organization_ids = [...new Set(waiting.map(({ organization_id }) => organization_id))]
  await tx`
    update github_requests as request
    set due_at   = now(),
        revision = request.revision + 1
    where request.id = any(${waiting.map(({ id }) => id)}::uuid[])
      and request.organization_id = any(${organization_ids}::uuid[])
      and ${isOpen}
  `
  return markLanesChanged(tx, organization_ids, [...new Set(waiting.map(({ lane_id }) => lane_id))], leaseTo)
}
