/** What runs in the environments of a project, and which version a rollback should go back to. */
import { minuteText } from '../../../core/values/instants.ts'
import { grouped } from '../format.ts'
import { inline, line, link, strong, table, warning } from '../markdown.ts'
import type { Environment, FinishedRollout, Hook, ProjectData } from '../project-data.ts'
import { isRollback } from '../releases.ts'

type Reported = NonNullable<Environment['current']>

const at = ({ at: milliseconds }: Reported): string => new Date(milliseconds).toISOString()

const nameOf = ({ version }: Reported): string => version ?? 'a version without a name'

const versionOf = (reported: Reported): string => inline(nameOf(reported))

interface EnvironmentState {
  name: string
  hooks: Hook[]
  reported: Environment | null
  /** The version that was replaced, if the current one came by a rollback. */
  rolledBackFrom: string | null
}

export function environmentsOf(data: ProjectData): EnvironmentState[] {
  const byName = new Map(grouped(data.hooks, ({ environment }) => environment))
  const reported = new Map(data.environments.map((each) => [each.environment, each]))
  const replaced = new Map(rolledBack(data).map(({ environment, from }) => [environment, from]))
  return [...new Set([...byName.keys(), ...reported.keys()])].sort().map((name) => ({
    name,
    hooks: byName.get(name) ?? [],
    reported: reported.get(name) ?? null,
    rolledBackFrom: replaced.get(name) ?? null,
  }))
}

const isOlder = (one: string, other: string): boolean => {
  const semantic = /^v?\d+\.\d+\.\d+/
  return semantic.test(one) && semantic.test(other) && Bun.semver.order(one.replace(/^v/, ''), other.replace(/^v/, '')) < 0
}

type Rollback = { environment: string; from: string; to: string }

export function rolledBack({ rollouts }: ProjectData): Rollback[] {
  const succeeded = rollouts.filter((each): each is FinishedRollout & { version: string } => {
    return each.state === 'succeeded' && each.version !== null
  })
  return grouped(succeeded, ({ environment }) => environment).flatMap(([environment, all]) => {
    const last = all.at(-1)
    const before = all.findLast(({ version }) => version !== last?.version)
    if (!last || !before) return []
    const isBack = isRollback(last) || isOlder(last.version, before.version)
    return isBack ? [{ environment, from: before.version, to: last.version }] : []
  })
}

export const wasRolledBack = ({ environment, from, to }: Rollback): string =>
  inline(`${environment} was rolled back from ${from} to ${to}`)

/** What runs in one environment since when, as text; null if no success was reported. */
export function runningIn({ reported, rolledBackFrom: from }: EnvironmentState): string | null {
  const current = reported?.current
  if (!current) return null
  const rolledBack = from === null ? '' : `, when it was rolled back from ${from}`
  return `${nameOf(current)} since ${minuteText(at(current))}${rolledBack}`
}

/** What runs in one environment, as cells of a table: the version, whether a rollback brought it, and since when. */
export function runningCells({ reported, rolledBackFrom: from }: EnvironmentState): [running: string, since: string] {
  const current = reported?.current
  if (!current) return [reported?.latest ? 'no success reported' : 'not reported', '–']
  return [`${strong(versionOf(current))}${from === null ? '' : `, rolled back from ${inline(from)}`}`, minuteText(at(current))]
}

function lastDelivery(hooks: Hook[]): string {
  const last = hooks
    .flatMap(({ last_success_at }) => last_success_at ?? [])
    .sort()
    .at(-1)
  return last === undefined ? 'nothing was delivered' : `last delivery ${minuteText(last)}`
}

const STATES: Record<Reported['state'], string> = {
  awaiting: 'not reported yet',
  in_progress: 'in progress',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'not reported in time',
  not_delivered: 'not delivered',
}

function row(environment: EnvironmentState): string[] {
  const { name, hooks, reported } = environment
  const { current = null, latest = null, previous = null } = reported ?? {}
  const running = runningCells(environment)
  if (!current && !latest) return [strong(inline(name)), ...running, lastDelivery(hooks), '–']
  const state = latest ? `${nameOf(latest)}: ${STATES[latest.state]}, ${minuteText(at(latest))}` : '–'
  return [
    strong(inline(name)),
    ...running,
    latest?.url ? link(state, latest.url) : inline(state),
    previous ? versionOf(previous) : '–',
  ]
}

function failing({ name, reported }: EnvironmentState): string[] {
  const { current = null, latest = null } = reported ?? {}
  if (latest?.state !== 'failed') return []
  const why = latest.description === null ? '' : ` ${line(latest.description)}`
  const still = current ? ` ${versionOf(current)} was the last to succeed there.` : ''
  return [
    warning(`The last rollout to ${strong(inline(name))} failed: ${versionOf(latest)}, ${minuteText(at(latest))}.${still}${why}`),
  ]
}

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
 * The version to go back to in production. Without such an environment, in the only one in which it is known,
 * because the version of one environment says nothing about another.
 */
export function rollbackTarget({ environments, hooks, rollouts }: Pick<ProjectData, 'environments' | 'hooks' | 'rollouts'>) {
  const production = environments.find(({ environment }) => environment === 'production')
  if (production) return targetIn(production, rollouts)
  if (hooks.some(({ environment }) => environment === 'production')) return null
  const known = environments.flatMap((each) => targetIn(each, rollouts) ?? [])
  return known.length === 1 ? (known[0] ?? null) : null
}
