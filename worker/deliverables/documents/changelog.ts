/** changelog: user-visible changes, in the format of Keep a Changelog 1.1.0 (https://keepachangelog.com/en/1.1.0/). */

import { counted, day } from '../format.ts'
import { bullets, heading, inline } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { type NamedRelease, nameReleases, releaseIndex } from '../releases.ts'
import { contributors } from './contributors.ts'
import { deprecationAdvice, missingAdvice } from './deprecations.ts'
import { type Document, documentOf } from './document.ts'
import { numbered } from './requirement.ts'
import { rolledBack } from './running-versions.ts'

const SECTIONS = [
  ['feature', 'Added'],
  ['change', 'Changed'],
  ['deprecation', 'Deprecated'],
  ['removal', 'Removed'],
  ['fix', 'Fixed'],
  ['security', 'Security'],
] as const

const isNotable = ({ kind }: Requirement): boolean => kind !== 'docs' && kind !== 'chore'

const entry = (requirement: Requirement): string =>
  `${inline(requirement.title)} (${numbered(requirement)})${requirement.kind === 'deprecation' ? deprecationAdvice(requirement) : ''}`

function groups(requirements: Requirement[]): string[] {
  return SECTIONS.flatMap(([kind, name]) => {
    const entries = requirements.filter((requirement) => requirement.kind === kind).map(entry)
    return entries.length > 0 ? [heading(3, name), bullets(entries)] : []
  })
}

const title = ({ name, reported, published_at }: NamedRelease): string =>
  `## [${inline(name)}] - ${day(published_at)}${reported === null ? '' : ` (deployed as ${inline(reported)})`}`

/** What is not included, by kind. */
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
  const done = data.requirements
    .filter(({ status }) => status === 'done')
    .sort((one, other) => Date.parse(other.completed_at ?? '') - Date.parse(one.completed_at ?? '') || other.number - one.number)
  const notable = done.filter(isNotable)
  const { named, unreleased } = nameReleases(data)
  const contents: Requirement[][] = [...named, null].map(() => [])
  for (const requirement of notable) contents[releaseIndex(named, requirement.completed_at ?? '')]?.push(requirement)
  const waiting = contents[named.length] ?? []
  // About one requirement, releases without it say nothing.
  const releases = named
    .map((release, index) => ({ release, requirements: contents[index] ?? [] }))
    .filter(({ requirements }) => data.only === null || requirements.length > 0)
  const people = contributors(data, notable)
  const intro = `All notable changes to ${inline(data.project.name)}. The format is [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).`
  return documentOf(
    data,
    'Changelog',
    [
      intro,
      '## [Unreleased]',
      unreleased !== null &&
        waiting.length > 0 &&
        `Not in a release yet. ${[`Last rolled out as ${inline(unreleased)}`, ...rolledBack(data).map(inline)].join('; ')}.`,
      ...(waiting.length > 0 ? groups(waiting) : ['Nothing yet.']),
      ...releases
        .reverse()
        .flatMap(({ release, requirements }) => [
          title(release),
          ...(requirements.length > 0 ? groups(requirements) : ['No notable changes.']),
        ]),
      people && heading(2, 'Contributors'),
      people,
      '---',
      `${counted(notable.length, 'change')}, from completed requirements.${leftOut(done.filter((each) => !isNotable(each)))}`,
    ],
    [
      ...missingAdvice(notable.filter(({ kind }) => kind === 'deprecation')),
      ...(done.length === 0 ? ['No requirement is done yet.'] : []),
    ],
  )
}
