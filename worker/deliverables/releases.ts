/** The releases of a project: each published changelog is one. Names them by the version scheme of the project. */
import type { VersionScheme } from '../../core/deliverables.ts'
import { day } from './format.ts'
import type { Completion, FinishedRollout, ProjectData, Release } from './project-data.ts'

export interface NamedRelease {
  /** By the version scheme, or the version that was reported where the scheme is semantic. */
  name: string
  /** The version that a rollout reported, unless it is the name. */
  reported: string | null
  /** All versions that were rolled out for it, oldest first. */
  versions: string[]
  published_at: string
  /** What was completed by then, and not in an earlier release. */
  as_of: string
}

/** The environment whose rollouts name a release if they differ. New hooks have it unless another is given. */
export const PRODUCTION = 'production'

type Semver = [major: number, minor: number, patch: number]

function parsed(version: string): Semver | null {
  const [, major, minor, patch] = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+].*)?$/.exec(version) ?? []
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)]
}

/** The next version. Before 1.0.0, a removal counts as a feature does. */
function next([major, minor, patch]: Semver, kinds: Set<string>): Semver {
  if (kinds.has('removal')) return major > 0 ? [major + 1, 0, 0] : [0, minor + 1, 0]
  if (['feature', 'change', 'deprecation'].some((kind) => kinds.has(kind))) return [major, minor + 1, 0]
  return [major, minor, patch + 1]
}

/** The number of texts in ascending order that are at most `limit`. */
function countUpTo(ascending: string[], limit: string): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as string) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The versions that were rolled out for a release. */
interface Reported {
  /** The last one: of production, if any. */
  last: string
  /** In the order of their rollouts, in the environment of the last. */
  versions: string[]
}

/**
 * The versions that were rolled out for each release, by index; those of what is not released yet have the index after the last.
 *
 * A rollout carries what was ready before it was reported. It belongs to the last release with any of that, or to a later one that was
 * published before. Rollbacks name no release.
 */
function reportedVersions(releases: Release[], completions: Completion[], rollouts: FinishedRollout[]): Map<number, Reported> {
  const ready = [...completions].sort((one, other) =>
    one.ready_at < other.ready_at ? -1 : one.ready_at > other.ready_at ? 1 : 0,
  )
  const as_of = releases.map((release) => release.as_of)
  const reported = new Map<number, FinishedRollout[]>()
  let [passed, carried] = [0, -1]
  for (const rollout of rollouts) {
    // Rollouts are in the order of their reports.
    for (; passed < ready.length; passed++) {
      const { ready_at, completed_at } = ready[passed] as Completion
      if (ready_at > rollout.reported_at) break
      // What was completed at the very moment of a snapshot is part of it.
      carried = Math.max(carried, countUpTo(as_of, previousInstant(completed_at)))
    }
    if (rollout.state !== 'succeeded' || rollout.version === null || rollout.event === 'deployment.rollback') continue
    const published = releases.findLastIndex(({ published_at }) => published_at <= rollout.reported_at)
    const index = Math.max(carried, published)
    const known = reported.get(index)
    if (known) known.push(rollout)
    else reported.set(index, [rollout])
  }
  return new Map([...reported].map(([index, all]) => [index, versionsOf(all)]))
}

/** The versions of rollouts, oldest first, in production if any was there. */
function versionsOf(rollouts: FinishedRollout[]): Reported {
  const last = rollouts.findLast(({ environment }) => environment === PRODUCTION) ?? rollouts.at(-1)
  const versions = rollouts.flatMap(({ environment, version }) =>
    environment === last?.environment && version !== null ? [version] : [],
  )
  return { last: last?.version ?? '', versions: [...new Set(versions)] }
}

const previousInstant = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString()

type Names = Pick<NamedRelease, 'name' | 'reported'>[]

function semantic(contents: Completion[][], reported: Map<number, Reported>): Names {
  let last: Semver | null = null
  return contents.map((inside, index) => {
    const version = reported.get(index)?.last ?? null
    const known: Semver | null = version === null ? null : parsed(version)
    last = known ?? (last === null ? [0, 1, 0] : next(last, new Set(inside.map(({ kind }) => kind))))
    return known ? { name: version ?? '', reported: null } : { name: last.join('.'), reported: version }
  })
}

function byDate(releases: Release[], reported: Map<number, Reported>): Names {
  const counts = new Map<string, number>()
  return releases.map(({ published_at }, index) => {
    const date = day(published_at).replaceAll('-', '.')
    const count = (counts.get(date) ?? 0) + 1
    counts.set(date, count)
    return { name: count === 1 ? date : `${date}.${count}`, reported: reported.get(index)?.last ?? null }
  })
}

/** The index of the release that contains a requirement; the number of releases if none does. */
export function releaseIndex(releases: { as_of: string }[], completed_at: string): number {
  const index = releases.findIndex(({ as_of }) => completed_at <= as_of)
  return index === -1 ? releases.length : index
}

/**
 * The releases, oldest first, and the version that was rolled out last of what is not released yet.
 *
 * @param data with all completions of the project, also if the document is limited to one requirement
 */
export function nameReleases({ project, releases, completions, rollouts }: ProjectData): {
  named: NamedRelease[]
  unreleased: string | null
} {
  const reported = reportedVersions(releases, completions, rollouts)
  const names: Record<VersionScheme, () => Names> = {
    numbered: () => releases.map((_, index) => ({ name: String(index + 1), reported: reported.get(index)?.last ?? null })),
    calver: () => byDate(releases, reported),
    semver: () => {
      const contents: Completion[][] = releases.map(() => [])
      for (const each of completions) contents[releaseIndex(releases, each.completed_at)]?.push(each)
      return semantic(contents, reported)
    },
  }
  const named = names[project.version_scheme]()
  return {
    named: releases.map((release, index) => ({
      ...release,
      ...(named[index] as Names[number]),
      versions: reported.get(index)?.versions ?? [],
    })),
    unreleased: reported.get(releases.length)?.last ?? null,
  }
}
