/** The releases of a project: each published changelog is one. Names them by the version scheme of the project. */
import type { VersionScheme } from '../../core/deliverables.ts'
import { day } from './format.ts'
import type { FinishedRollout, ProjectData, Release, Requirement } from './project-data.ts'

/** A requirement that is done, as far as releases are concerned. */
export type Completion = Pick<Requirement, 'kind'> & { completed_at: string }

export interface NamedRelease {
  /** By the version scheme, or the version that was reported where the scheme is semantic. */
  name: string
  /** The version that a rollout reported, unless it is the name. */
  reported: string | null
  published_at: string
  /** What was completed by then, and not in an earlier release. */
  as_of: string
}

/** The environment whose rollouts name a release if they differ. New hooks have it unless another is given. */
const PRODUCTION = 'production'

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

/**
 * The version that was rolled out for each release, by index; that of what is not released yet has the index after the last.
 *
 * A rollout carries what was completed before it was reported. It belongs to the release with the newest of that, or to a later one
 * that was published before. Rollbacks name no release.
 */
function reportedVersions(releases: Release[], completions: Completion[], rollouts: FinishedRollout[]): Map<number, string> {
  const completed = completions.map(({ completed_at }) => completed_at).sort()
  const as_of = releases.map((release) => release.as_of)
  const reported = new Map<number, FinishedRollout>()
  for (const rollout of rollouts) {
    if (rollout.state !== 'succeeded' || rollout.version === null || rollout.event === 'deployment.rollback') continue
    const newest = completed[countUpTo(completed, rollout.reported_at) - 1]
    const carried = newest === undefined ? -1 : countUpTo(as_of, previousInstant(newest))
    const published = releases.findLastIndex(({ published_at }) => published_at <= rollout.reported_at)
    const index = Math.max(carried, published)
    // Oldest first, so that the last version of a release stays.
    if (reported.get(index)?.environment !== PRODUCTION || rollout.environment === PRODUCTION) reported.set(index, rollout)
  }
  return new Map([...reported].map(([index, { version }]) => [index, version ?? '']))
}

/** What was completed at the very moment of a snapshot is part of it, so releases are compared with the moment before. */
const previousInstant = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString()

type Names = Pick<NamedRelease, 'name' | 'reported'>[]

function semantic(contents: Completion[][], reported: Map<number, string>): Names {
  let last: Semver | null = null
  return contents.map((inside, index) => {
    const version = reported.get(index) ?? null
    const known: Semver | null = version === null ? null : parsed(version)
    last = known ?? (last === null ? [0, 1, 0] : next(last, new Set(inside.map(({ kind }) => kind))))
    return known ? { name: version ?? '', reported: null } : { name: last.join('.'), reported: version }
  })
}

function byDate(releases: Release[], reported: Map<number, string>): Names {
  const counts = new Map<string, number>()
  return releases.map(({ published_at }, index) => {
    const date = day(published_at).replaceAll('-', '.')
    const count = (counts.get(date) ?? 0) + 1
    counts.set(date, count)
    return { name: count === 1 ? date : `${date}.${count}`, reported: reported.get(index) ?? null }
  })
}

/** The index of the release that contains a requirement; the number of releases if none does. */
export function releaseIndex(releases: { as_of: string }[], completed_at: string): number {
  const index = releases.findIndex(({ as_of }) => completed_at <= as_of)
  return index === -1 ? releases.length : index
}

/**
 * The releases, oldest first, and the version that was rolled out of what is not released yet.
 *
 * @param data with all completions of the project, also if the document is limited to one requirement
 */
export function nameReleases({ project, releases, completions, rollouts }: ProjectData): {
  named: NamedRelease[]
  unreleased: string | null
} {
  const reported = reportedVersions(releases, completions, rollouts)
  const names: Record<VersionScheme, () => Names> = {
    numbered: () => releases.map((_, index) => ({ name: String(index + 1), reported: reported.get(index) ?? null })),
    calver: () => byDate(releases, reported),
    semver: () => {
      const contents: Completion[][] = releases.map(() => [])
      for (const each of completions) contents[releaseIndex(releases, each.completed_at)]?.push(each)
      return semantic(contents, reported)
    },
  }
  const named = names[project.version_scheme]()
  return {
    named: releases.map((release, index) => ({ ...release, ...(named[index] as Names[number]) })),
    unreleased: reported.get(releases.length) ?? null,
  }
}
