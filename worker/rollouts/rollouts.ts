/** Reads the rollouts of dispatches whose attempts were recorded. */
import { type Rollout, rolloutColumn, withRollout } from '../../core/rollouts.ts'
import type { Tx } from '../../sql/index.ts'

interface Recorded {
  lane: { organization_id: string }
  item: { id: string; report_within_seconds: number | null }
}

/** The rollouts of dispatches, by dispatch id. Asks the database only if there are any. */
export async function rolloutsOf(tx: Tx, recorded: Recorded[]): Promise<Map<string, Rollout>> {
  const some = recorded.filter(({ item }) => item.report_within_seconds !== null)
  if (some.length === 0) return new Map()
  const found = await tx<{ id: string; rollout: Rollout }[]>`
    select dispatch.id, ${rolloutColumn} as rollout
    from dispatches as dispatch
    ${withRollout}
    where dispatch.id = any(${some.map(({ item }) => item.id)}::uuid[])
      and dispatch.organization_id = any(${[...new Set(some.map(({ lane }) => lane.organization_id))]}::uuid[])
  `
  return new Map(found.map(({ id, rollout }) => [id, rollout]))
}
