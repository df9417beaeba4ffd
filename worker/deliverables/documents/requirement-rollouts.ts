/** The rollouts that brought a requirement to its users. */
import type { FinishedRollout, ProjectData, Requirement } from '../project-data.ts'

/**
 * The first successful rollout to each environment since the work on a done requirement was released: since the last approval of its
 * gates, or since its work was completed if it has none. Oldest first.
 */
export function firstRollouts(data: ProjectData, { id, status }: Requirement): FinishedRollout[] {
  if (status !== 'done') return []
  const approvals = data.gates.flatMap((gate) =>
    gate.requirement_id === id && gate.status === 'approved' ? (gate.decided_at ?? []) : [],
  )
  const completions = data.executions.flatMap((each) =>
    each.requirement_id === id && each.status === 'completed' ? (each.finished_at ?? []) : [],
  )
  const released = approvals.sort().at(-1) ?? completions.sort().at(-1)
  if (released === undefined) return []
  const first = new Map<string, FinishedRollout>()
  for (const rollout of data.rollouts) {
    const isLater = rollout.state === 'succeeded' && rollout.reported_at >= released && rollout.event !== 'deployment.rollback'
    if (isLater && !first.has(rollout.environment)) first.set(rollout.environment, rollout)
  }
  return [...first.values()]
}
