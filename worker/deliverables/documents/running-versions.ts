/** What runs in the environments of a project. */
import { grouped, minute } from '../format.ts'
import { inline, line, link, strong, table, warning } from '../markdown.ts'
import type { Environment, FinishedRollout, Hook, ProjectData } from '../project-data.ts'

type Reported = NonNullable<Environment['current']>

const at = ({ at: milliseconds }: Reported): string => new Date(milliseconds).toISOString()

const nameOf = ({ version }: Reported): string => version ?? 'a version without a name'

const versionOf = (reported: Reported): string => inline(nameOf(reported))

/** The environments that hooks or rollouts name, by name. */
export function environmentsOf({
  hooks,
  environments,
  rollouts,
}: ProjectData): { name: string; hooks: Hook[]; reported: Environment | null; rolledBackFrom: string | null }[] {
  const byName = new Map(grouped(hooks, ({ environment }) => environment))
  const reported = new Map(environments.map((each) => [each.environment, each]))
  return [...new Set([...byName.keys(), ...reported.keys()])].sort().map((name) => ({
    name,
    hooks: byName.get(name) ?? [],
    reported: reported.get(name) ?? null,
    rolledBackFrom: rolledBackFrom(rollouts, name),
  }))
}

/** The version that the last successful rollout of an environment rolled back; null if it was none. */
function rolledBackFrom(rollouts: ProjectData['rollouts'], name: string): string | null {
  const succeeded = rollouts.filter(({ environment, state }) => environment === name && state === 'succeeded')
  return succeeded.at(-1)?.event === 'deployment.rollback' ? (succeeded.at(-2)?.version ?? null) : null
}

/** What runs in one environment, as text: `v1.5.0 since 2026-11-22 09:30 UTC`, and what was rolled back; null if no success was reported. */
export function runningIn({
  reported,
  rolledBackFrom: from,
}: {
  reported: Environment | null
  rolledBackFrom: string | null
}): string | null {
  const current = reported?.current
  if (!current) return null
  const rolledBack = from === null ? '' : ` (rolled back to ${nameOf(current)} from ${from} on ${minute(at(current))})`
  return `${nameOf(current)} since ${minute(at(current))}${rolledBack}`
}

const isOlder = (one: string, other: string): boolean => {
  const semantic = /^v?\d+\.\d+\.\d+/
  return semantic.test(one) && semantic.test(other) && Bun.semver.order(one.replace(/^v/, ''), other.replace(/^v/, '')) < 0
}

/** Environments in which an older version replaced a newer one, or whose last success was a rollback, as `production was rolled back from v2 to v1`. */
export function rolledBack({ rollouts }: ProjectData): string[] {
  const succeeded = rollouts.filter((each): each is FinishedRollout & { version: string } => {
    return each.state === 'succeeded' && each.version !== null
  })
  return grouped(succeeded, ({ environment }) => environment).flatMap(([environment, all]) => {
    const last = all.at(-1)
    const before = all.findLast(({ version }) => version !== last?.version)
    if (!last || !before) return []
    const isRollback = last.event === 'deployment.rollback' || isOlder(last.version, before.version)
    return isRollback ? [`${environment} was rolled back from ${before.version} to ${last.version}`] : []
  })
}

function lastDelivery(hooks: Hook[]): string {
  const last = hooks
    .flatMap(({ last_success_at }) => last_success_at ?? [])
    .sort()
    .at(-1)
  return last === undefined ? 'nothing was delivered' : `last delivery ${minute(last)}`
}

const STATES: Record<Reported['state'], string> = {
  awaiting: 'not reported yet',
  in_progress: 'in progress',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'not reported in time',
}

function row({ name, hooks, reported, rolledBackFrom: from }: ReturnType<typeof environmentsOf>[number]): string[] {
  const { current = null, latest = null, previous = null } = reported ?? {}
  if (!current && !latest) return [strong(inline(name)), 'not reported', '–', lastDelivery(hooks), '–']
  const state = latest ? `${nameOf(latest)}: ${STATES[latest.state]}, ${minute(at(latest))}` : '–'
  return [
    strong(inline(name)),
    current ? `${strong(versionOf(current))}${from === null ? '' : `, rolled back from ${inline(from)}`}` : 'no success reported',
    current ? minute(at(current)) : '–',
    latest?.url ? link(state, latest.url) : inline(state),
    previous ? versionOf(previous) : '–',
  ]
}

/** A box for an environment whose last rollout failed. */
function failing({ name, reported }: ReturnType<typeof environmentsOf>[number]): string[] {
  const { current = null, latest = null } = reported ?? {}
  if (latest?.state !== 'failed') return []
  const why = latest.description === null ? '' : ` ${line(latest.description)}`
  const still = current ? ` ${versionOf(current)} was the last to succeed there.` : ''
  return [
    warning(`The last rollout to ${strong(inline(name))} failed: ${versionOf(latest)}, ${minute(at(latest))}.${still}${why}`),
  ]
}

/** A table of what runs where, and a box for each environment whose last rollout failed. */
export function runningVersions(data: ProjectData): string[] {
  const environments = environmentsOf(data)
  if (environments.length === 0) {
    return ['Nothing is deployed from here yet: the project has no deployment hook. Create one for each environment.']
  }
  return [
    table(['Environment', 'Running', 'Since', 'Last report', 'Version before'], environments.map(row)),
    ...environments.flatMap(failing),
  ]
}
