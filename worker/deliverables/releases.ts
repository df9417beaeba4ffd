/** The releases of a project: each published changelog is one. Names them by the version scheme of the project. */
import type { VersionScheme } from '../../core/records/deliverables.ts'
import { compare, day } from './format.ts'
import type { Completion, FinishedRollout, ProjectData, Release } from './project-data.ts'

export interface NamedRelease {
  id: string
  /** By the version scheme, or the version that was reported before it was published where the scheme is semantic. It does not change. */
  name: string
  /** The version that a rollout reported, unless it is the name. */
  reported: string | null
  /** All versions that were rolled out for it, oldest first. */
  versions: string[]
  published_at: string
  /** What was completed by then, and not in an earlier release. */
  as_of: string
}

export const isRollback = ({ event }: FinishedRollout): boolean => event === 'deployment.rollback'

/** The environment whose rollouts name a release if they differ. New hooks have it unless another is given. */
export const PRODUCTION = 'production'

const SEMVER = /^(v?)(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/i

const isSemver = (version: string): boolean => SEMVER.test(version)

/** Whether one semantic version comes after another, however they are prefixed. */
const isLater = (one: string, other: string): boolean => Bun.semver.order(one.replace(/^v/i, ''), other.replace(/^v/i, '')) > 0

const latest = (versions: string[]): string | null =>
  versions.reduce<string | null>((last, each) => (last === null || isLater(each, last) ? each : last), null)

/** The next version, written as the last one. Before 1.0.0, a removal counts as a feature does. */
function next(version: string, kinds: Set<string>): string {
  const [, prefix = '', ...numbers] = SEMVER.exec(version) ?? []
  const [major = 0, minor = 0, patch = 0] = numbers.map(Number)
  if (kinds.has('removal') && major > 0) return `${prefix}${major + 1}.0.0`
  const isMinor = ['feature', 'change', 'deprecation', 'removal'].some((kind) => kinds.has(kind))
  return isMinor ? `${prefix}${major}.${minor + 1}.0` : `${prefix}${major}.${minor}.${patch + 1}`
}

/**
 * The versions that were rolled out for each release, by index; those of what is not released yet have the index after the last.
 *
 * A rollout carries what was ready before it was reported. It belongs to the last release with any of that, or to a later one that was
 * published before. Rollbacks name no release.
 */
function rolloutsOf(releases: Release[], completions: Completion[], rollouts: FinishedRollout[]): Map<number, FinishedRollout[]> {
  const ready = [...completions].sort((one, other) => compare(one.ready_at, other.ready_at))
  const reported = new Map<number, FinishedRollout[]>()
  let [passed, carried] = [0, -1]
  for (const rollout of rollouts) {
    // Rollouts are in the order of their reports.
    for (; passed < ready.length; passed++) {
      const { ready_at, completed_at } = ready[passed] as Completion
      if (ready_at > rollout.reported_at) break
      // What was completed at the very moment of a snapshot is part of it.
      const before = previousInstant(completed_at)
      carried = Math.max(carried, releases.findLastIndex(({ as_of }) => as_of <= before) + 1)
    }
    if (rollout.state !== 'succeeded' || rollout.version === null || isRollback(rollout)) continue
    const published = releases.findLastIndex(({ published_at }) => published_at <= rollout.reported_at)
    const index = Math.max(carried, published)
    const known = reported.get(index)
    if (known) known.push(rollout)
    else reported.set(index, [rollout])
  }
  return reported
}

/** The last version that was rolled out, in production if any, and all of that environment in the order of their rollouts. */
function versionsOf(rollouts: FinishedRollout[]): { last: string; versions: string[] } {
  const last = rollouts.findLast(({ environment }) => environment === PRODUCTION) ?? rollouts.at(-1)
  const versions = rollouts.flatMap(({ environment, version }) =>
    environment === last?.environment && version !== null ? [version] : [],
  )
  return { last: last?.version ?? '', versions: [...new Set(versions)] }
}

const previousInstant = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString()

/** A release with what decides its name: what was known when it was published. Later rollouts and releases do not change a name. */
interface Published extends Release {
  /** What it contains, and no release that was published before. */
  kinds: Set<string>
  /** The semantic versions that were reported for it by then. */
  versions: string[]
  /** The same of releases that were published before. */
  earlier: string[]
}

/** Names by the version scheme, for releases in the order of their publication. */
const NAMES: Record<VersionScheme, (published: Published[]) => string[]> = {
  numbered: (published) => {
    let last = 0
    return published.map(({ name }) => {
      last = Math.max(last + 1, name !== null && /^\d{1,9}$/.test(name) ? Number(name) : 0)
      return name ?? String(last)
    })
  },
  calver: (published) => {
    const counts = new Map<string, number>()
    return published.map(({ published_at }) => {
      const date = day(published_at).replaceAll('-', '.')
      const count = (counts.get(date) ?? 0) + 1
      counts.set(date, count)
      return count === 1 ? date : `${date}.${count}`
    })
  },
  // Each name is later than those before: a hook that is triggered again may report an older version.
  semver: (published) => {
    let last: string | null = null
    return published.map(({ name, kinds, versions, earlier }) => {
      if (name !== null) {
        last = isSemver(name) ? name : last
        return name
      }
      const before = latest(last === null ? earlier : [last, ...earlier])
      const reported = latest(versions)
      const isNew = reported !== null && (before === null || isLater(reported, before))
      last = isNew ? reported : before === null ? '0.1.0' : next(before, kinds)
      return last
    })
  },
}

function namesOf(
  scheme: VersionScheme,
  releases: Release[],
  completions: Completion[],
  reported: Map<number, FinishedRollout[]>,
) {
  const order = releases
    .map((_, index) => index)
    .sort((one, other) => (releases[one]?.published_at ?? '').localeCompare(releases[other]?.published_at ?? '') || one - other)
  let covered = ''
  const published = order.map((index, place): Published => {
    const release = releases[index] as Release
    const inside = completions.filter(({ completed_at }) => completed_at > covered && completed_at <= release.as_of)
    if (release.as_of > covered) covered = release.as_of
    const known = (which: number): string[] => {
      const rollouts = (reported.get(which) ?? []).filter(({ reported_at }) => reported_at <= release.published_at)
      return versionsOf(rollouts).versions.filter(isSemver)
    }
    return {
      ...release,
      kinds: new Set(inside.map(({ kind }) => kind)),
      versions: known(index),
      earlier: order.slice(0, place).flatMap(known),
    }
  })
  const names = NAMES[scheme](published)
  return new Map(order.map((index, place) => [index, names[place] ?? '']))
}

/** The index of the release that contains a requirement; the number of releases if none does. */
export function releaseIndex(releases: { as_of: string }[], completed_at: string): number {
  const index = releases.findIndex(({ as_of }) => completed_at <= as_of)
  return index === -1 ? releases.length : index
}

/** @param data with all completions of the project, also if the document is limited to one requirement */
export function nameReleases({ project, releases, completions, rollouts }: ProjectData): {
  named: NamedRelease[]
  unreleased: string | null
} {
  const reported = rolloutsOf(releases, completions, rollouts)
  const names = namesOf(project.version_scheme, releases, completions, reported)
  const versions = new Map([...reported].map(([index, all]) => [index, versionsOf(all)]))
  return {
    named: releases.map((release, index) => {
      const { last = null, versions: all = [] } = versions.get(index) ?? {}
      const name = names.get(index) ?? ''
      return { ...release, name, reported: last === name ? null : last, versions: all }
    }),
    unreleased: versions.get(releases.length)?.last ?? null,
  }
}
