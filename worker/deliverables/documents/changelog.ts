/** changelog: user-visible changes, in the format of Keep a Changelog 1.1.0 (https://keepachangelog.com/en/1.1.0/). */
import { compare, counted, day, enumerated } from '../format.ts'
import { bullets, heading, inline, strong } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { type NamedRelease, nameReleases, releaseIndex } from '../releases.ts'
import { sentenceBeside } from '../sentences.ts'
import { deprecationAdvice, deprecationOf, missingAdvice } from './deprecations.ts'
import { type Document, documentOf } from './document.ts'
import { described, doneOf, firstVersions, numbered } from './requirement.ts'
import { rolledBack, wasRolledBack } from './running-versions.ts'

/** Agents and people that are named, each. */
const MAX_NAMES = 20

type Contributor = { name: string; requirements: Set<string> }

function listed(contributors: Map<string, Contributor>): string {
  const sorted = [...contributors].sort(
    ([id, one], [otherId, other]) =>
      other.requirements.size - one.requirements.size || compare(one.name, other.name) || compare(id, otherId),
  )
  const shown = sorted.slice(0, MAX_NAMES).map(([, { name, requirements }], index) => {
    const count = index === 0 ? counted(requirements.size, 'change') : String(requirements.size)
    return `${inline(name)} (${count})`
  })
  const more = sorted.length - shown.length
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`
}

/**
 * The agents whose executions were completed for requirements, and the people who asked for them, started agents or decided gates; each
 * with the number of requirements. Null if there are none.
 */
function contributors({ executions, gates }: ProjectData, requirements: Requirement[]): string | null {
  const ids = new Set(requirements.map(({ id }) => id))
  const agents = new Map<string, Contributor>()
  const people = new Map<string, Contributor>()
  const add = (to: Map<string, Contributor>, key: string | null, name: string | null, requirement: string | null) => {
    if (key === null || name === null || requirement === null || !ids.has(requirement)) return
    const known = to.get(key)
    if (known) known.requirements.add(requirement)
    else to.set(key, { name, requirements: new Set([requirement]) })
  }
  for (const { id, created_by_id, created_by } of requirements) add(people, created_by_id, created_by, id)
  for (const { requirement_id, status, agent, started_by_id, started_by } of executions) {
    if (status === 'completed') add(agents, agent, agent, requirement_id)
    add(people, started_by_id, started_by, requirement_id)
  }
  for (const { requirement_id, decided_by_id, decided_by } of gates) add(people, decided_by_id, decided_by, requirement_id)
  return bullets([agents.size > 0 && `Agents: ${listed(agents)}`, people.size > 0 && `People: ${listed(people)}`]) || null
}

const SECTIONS = [
  ['feature', 'Added'],
  ['change', 'Changed'],
  ['deprecation', 'Deprecated'],
  ['removal', 'Removed'],
  ['fix', 'Fixed'],
  ['security', 'Security'],
] as const

const isNotable = ({ kind }: Requirement): boolean => kind !== 'docs' && kind !== 'chore'

/** What those who use the project must act on. */
const asksToAct = ({ kind }: Requirement): boolean => kind === 'deprecation' || kind === 'removal'

/** What readers must act on and is listed first; of more, the newest. */
const MAX_ACTING = 40

/** Versions of a release that are listed; of more, the first and the last. */
const MAX_VERSIONS = 12

interface Entries {
  versions: Map<string, string>
  /** What "What you need to do" tells, so that it is not repeated. */
  first: Set<Requirement>
  /** What may not be rolled out yet, in a project whose rollouts are reported. */
  waiting: Set<Requirement>
}

/** What an entry says after its title: what to do about a deprecation or removal, else the first sentence of the description. */
function about(requirement: Requirement, { first }: Entries): string {
  if (asksToAct(requirement)) return first.has(requirement) ? '' : deprecationAdvice(requirement)
  const sentence = sentenceBeside(requirement.title, requirement.description ?? '')
  return sentence === '' ? '' : `: ${described(requirement, sentence)}`
}

/** @param release the version of the release, which an entry that was first rolled out as that does not repeat */
function entry(requirement: Requirement, entries: Entries, release: string | null): string {
  const version = entries.versions.get(requirement.id)
  const isWaiting = version === undefined && entries.waiting.has(requirement)
  const notes = [
    numbered(requirement),
    version !== undefined && version !== release && `in ${inline(version)}`,
    isWaiting && 'not rolled out yet',
  ]
  return `${inline(requirement.title)} (${notes.filter(Boolean).join(', ')})${about(requirement, entries)}`
}

function groups(requirements: Requirement[], entries: Entries, release: string | null): string[] {
  return SECTIONS.flatMap(([kind, name]) => {
    const listed = requirements.filter((requirement) => requirement.kind === kind).map((each) => entry(each, entries, release))
    return listed.length > 0 ? [heading(3, name), bullets(listed)] : []
  })
}

const title = ({ name, reported, published_at }: NamedRelease): string =>
  `## ${inline(name)} - ${day(published_at)}${reported === null ? '' : ` (deployed as ${inline(reported)})`}`

/** Which versions a release includes; false if its heading names the only one. */
function included({ versions }: NamedRelease): string | false {
  if (versions.length < 2) return false
  const named = versions.map(inline)
  const list = versions.length > MAX_VERSIONS ? `${named[0]} to ${named.at(-1)} (${versions.length} versions)` : enumerated(named)
  return `Includes the deployed versions ${list}.`
}

/**
 * Deprecations and removals that are not released yet or in the newest release, and older deprecations whose limit is a date that has
 * not passed.
 */
function toAct(notable: Requirement[], { newest }: ProjectData, since: string): Requirement[] {
  return notable.filter((requirement) => {
    if (!asksToAct(requirement)) return false
    const until = Date.parse(deprecationOf(requirement).until ?? '')
    return (requirement.completed_at ?? '') > since || until >= Date.parse(newest)
  })
}

function whatToDo(requirements: Requirement[], more: number): string[] {
  if (requirements.length === 0) return []
  const items = requirements.map((requirement) => {
    const advice = deprecationAdvice(requirement)
    const state = requirement.kind === 'removal' ? 'was removed' : 'is deprecated'
    return `${strong(inline(requirement.title))} ${state} (${numbered(requirement)})${advice === '' ? '.' : advice}`
  })
  return [heading(2, 'What you need to do'), bullets([...items, more > 0 && `and ${more} more, which are listed below.`])]
}

function leftOut(hidden: Requirement[]): string {
  if (hidden.length === 0) return ''
  const of = (kind: string) => hidden.filter((requirement) => requirement.kind === kind).length
  return ` Not included: ${counted(of('docs'), 'documentation requirement')} and ${counted(of('chore'), 'chore')}.`
}

/**
 * A published changelog is a release. A completed requirement is listed under the first release after its completion; later ones
 * are unreleased.
 */
export function changelog(data: ProjectData): Document {
  const done = doneOf(data.requirements)
  const notable = done.filter(isNotable)
  const { named, unreleased } = nameReleases(data)
  const contents: Requirement[][] = [...named, null].map(() => [])
  for (const requirement of notable) contents[releaseIndex(named, requirement.completed_at ?? '')]?.push(requirement)
  const waiting = contents[named.length] ?? []
  // About one requirement, releases without it say nothing.
  const releases = named
    .map((release, index) => ({ release, requirements: contents[index] ?? [] }))
    .filter(({ requirements }) => data.only === null || requirements.length > 0)
  const hasWaiting = waiting.length > 0 || data.only === null || releases.length === 0
  const actions = toAct(notable, data, named.at(-2)?.as_of ?? '')
  const acting = actions.slice(0, MAX_ACTING)
  const versions = firstVersions(data)
  const entries: Entries = { versions, first: new Set(acting), waiting: new Set(data.rollouts.length > 0 ? waiting : []) }
  const people = contributors(data, notable)
  return documentOf(
    data,
    'customers',
    'Changelog',
    [
      `All notable changes to ${inline(data.project.name)}. The format is [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).`,
      ...whatToDo(acting, actions.length - acting.length),
      hasWaiting && '## Unreleased',
      unreleased !== null &&
        waiting.length > 0 &&
        `Not in a release yet. ${[`Last rolled out as ${inline(unreleased)}`, ...rolledBack(data).map(wasRolledBack)].join('; ')}.`,
      waiting.length === 0 && hasWaiting && 'Nothing yet.',
      ...groups(waiting, entries, unreleased),
      ...releases
        .reverse()
        .flatMap(({ release, requirements }) => [
          title(release),
          included(release),
          requirements.length === 0 && 'No notable changes.',
          ...groups(requirements, entries, release.reported ?? release.name),
        ]),
      people && heading(2, 'Contributors'),
      people,
      '---',
      `${counted(notable.length, 'change')}, from completed requirements.${leftOut(done.filter((each) => !isNotable(each)))}`,
    ],
    [...missingAdvice(notable.filter(({ kind }) => kind === 'deprecation')), done.length === 0 && 'No requirement is done yet.'],
  )
}
