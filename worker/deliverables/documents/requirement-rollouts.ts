/** The rollouts that brought requirements to their users. */
import type { FinishedRollout, ProjectData } from '../project-data.ts'
import { PRODUCTION } from '../releases.ts'

const carriesNews = ({ state, event }: FinishedRollout): boolean => state === 'succeeded' && event !== 'deployment.rollback'

/** The first successful rollout to each environment since a done requirement was ready for it, oldest first. */
export function firstRollouts({ completions, rollouts }: ProjectData, { id }: { id: string }): FinishedRollout[] {
  const ready_at = completions.find((each) => each.id === id)?.ready_at
  if (ready_at === undefined) return []
  const first = new Map<string, FinishedRollout>()
  for (const rollout of rollouts) {
    if (carriesNews(rollout) && rollout.reported_at >= ready_at && !first.has(rollout.environment)) {
      first.set(rollout.environment, rollout)
    }
  }
  return [...first.values()]
}

/**
 * The version in which each done requirement was rolled out first, by its id: in production, or in the environment of the last
 * rollout where nothing was rolled out to production. It agrees with `firstRollouts`.
 */
export function firstVersions({ completions, rollouts }: ProjectData): Map<string, string> {
  const news = rollouts.filter(carriesNews)
  const environment = news.some((each) => each.environment === PRODUCTION) ? PRODUCTION : news.at(-1)?.environment
  const there = news.filter((each) => each.environment === environment)
  const ready = [...completions].sort((one, other) => (one.ready_at < other.ready_at ? -1 : 1))
  const versions = new Map<string, string>()
  let index = 0
  for (const { id, ready_at } of ready) {
    while (index < there.length && (there[index] as FinishedRollout).reported_at < ready_at) index++
    const version = there[index]?.version
    if (version != null) versions.set(id, version)
  }
  return versions
}
