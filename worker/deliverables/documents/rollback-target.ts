/** The version that a rollback should go back to. */
import type { Environment, FinishedRollout, ProjectData } from '../project-data.ts'

const isRollback = ({ event }: FinishedRollout): boolean => event === 'deployment.rollback'

/** The target in one environment; null if none is known. */
function targetIn({ environment, current, previous, latest }: Environment, all: FinishedRollout[]): string | null {
  const rollouts = all.filter((each) => each.environment === environment)
  if (current?.version == null) return null
  const last = rollouts.at(-1)
  // What failed is not running everywhere, if at all: the last success is what works.
  if (latest?.state === 'failed' && !(last && isRollback(last))) return current.version
  const succeeded = rollouts.filter(({ state }) => state === 'succeeded')
  const rolledBack = succeeded.map((each, index) => (isRollback(each) ? succeeded[index - 1]?.version : null))
  const unfit = new Set([...rolledBack, current.version])
  // What followed the version that was rolled back to is not further back than it.
  const first = succeeded.findIndex(({ version }) => version === current.version)
  const isAfterRollback = succeeded.length > 0 && isRollback(succeeded.at(-1) as FinishedRollout)
  const known = isAfterRollback
    ? succeeded.slice(0, Math.max(first, 0)).map(({ version }) => version)
    : [...succeeded.map(({ version }) => version), previous?.version]
  return known.findLast((version) => version != null && !unfit.has(version)) ?? null
}

/**
 * The version to go back to: that of production. Without such an environment, it is that of the only one in which it is known,
 * because the version of one environment says nothing about another.
 */
export function rollbackTarget({ environments, hooks, rollouts }: Pick<ProjectData, 'environments' | 'hooks' | 'rollouts'>) {
  const production = environments.find(({ environment }) => environment === 'production')
  if (production) return targetIn(production, rollouts)
  if (hooks.some(({ environment }) => environment === 'production')) return null
  const known = environments.flatMap((each) => targetIn(each, rollouts) ?? [])
  return known.length === 1 ? (known[0] ?? null) : null
}
