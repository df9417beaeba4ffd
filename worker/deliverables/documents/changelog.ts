/** changelog: user-visible changes, in the format of Keep a Changelog 1.1.0 (https://keepachangelog.com/en/1.1.0/). */

import { counted, day } from '../format.ts'
import { bullets, heading, inline } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { type Document, documentOf } from './document.ts'
import { numbered } from './requirement.ts'

const SECTIONS = [
  ['feature', 'Added'],
  ['change', 'Changed'],
  ['deprecation', 'Deprecated'],
  ['removal', 'Removed'],
  ['fix', 'Fixed'],
  ['security', 'Security'],
] as const

const isNotable = ({ kind }: Requirement): boolean => kind !== 'docs' && kind !== 'chore'

const entry = (requirement: Requirement): string => `${inline(requirement.title)} (${numbered(requirement)})`

function groups(requirements: Requirement[]): string[] {
  return SECTIONS.flatMap(([kind, name]) => {
    const entries = requirements.filter((requirement) => requirement.kind === kind).map(entry)
    return entries.length > 0 ? [heading(3, name), bullets(entries)] : []
  })
}

/**
 * A published changelog is a release. A completed requirement is listed under the first release after its completion; later ones
 * are unreleased.
 */
export function changelog(data: ProjectData): Document {
  const done = data.requirements
    .filter(({ status }) => status === 'done')
    .sort((one, other) => Date.parse(other.completed_at ?? '') - Date.parse(one.completed_at ?? '') || other.number - one.number)
  const left = new Set(done)
  const releases = data.releases.map(({ as_of, published_at }, index) => {
    const inside = [...left].filter(({ completed_at }) => (completed_at ?? '') <= as_of)
    for (const requirement of inside) left.delete(requirement)
    return { title: `## [${index + 1}] - ${day(published_at)}`, requirements: inside.filter(isNotable) }
  })
  const unreleased = [...left].filter(isNotable)
  const hidden = done.filter((requirement) => !isNotable(requirement))
  const notable = done.length - hidden.length
  return documentOf(data, 'Changelog', [
    `All notable changes to ${inline(data.project.name)}. The format is [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).`,
    '## [Unreleased]',
    ...(unreleased.length > 0 ? groups(unreleased) : ['Nothing yet.']),
    ...releases
      .reverse()
      .flatMap(({ title, requirements }) => [
        title,
        ...(requirements.length > 0 ? groups(requirements) : ['No notable changes.']),
      ]),
    '---',
    `${counted(notable, 'change')}, from completed requirements.${
      hidden.length > 0
        ? ` Not included: ${counted(hidden.filter(({ kind }) => kind === 'docs').length, 'documentation requirement')} and ${counted(hidden.filter(({ kind }) => kind === 'chore').length, 'chore')}.`
        : ''
    }`,
  ])
}
