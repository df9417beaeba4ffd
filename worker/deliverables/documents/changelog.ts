/** changelog: what changed for users, as Keep a Changelog 1.1.0 asks (https://keepachangelog.com/en/1.1.0/). */
import { bullets, heading, inline, joined } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { counted, day } from '../words.ts'
import { narrowedTo, numbered } from './requirement.ts'

const SECTIONS = [
  ['feature', 'Added'],
  ['change', 'Changed'],
  ['deprecation', 'Deprecated'],
  ['removal', 'Removed'],
  ['fix', 'Fixed'],
  ['security', 'Security'],
] as const

const isTold = ({ kind }: Requirement): boolean => kind !== 'docs' && kind !== 'chore'

const entry = (requirement: Requirement): string => `${inline(requirement.title)} (${numbered(requirement)})`

function groups(requirements: Requirement[]): string[] {
  return SECTIONS.flatMap(([kind, name]) => {
    const entries = requirements.filter((requirement) => requirement.kind === kind).map(entry)
    return entries.length > 0 ? [heading(3, name), bullets(entries)] : []
  })
}

/**
 * What is done stands under the first release that was published after it: a published changelog is a release. What is
 * younger is unreleased.
 */
export function changelog(data: ProjectData): string {
  const done = data.requirements
    .filter(({ status }) => status === 'done')
    .sort((one, other) => Date.parse(other.completed_at ?? '') - Date.parse(one.completed_at ?? '') || other.number - one.number)
  const left = new Set(done)
  const releases = data.releases.map(({ version, as_of, published_at }) => {
    const inside = [...left].filter(({ completed_at }) => (completed_at ?? '') <= as_of)
    for (const requirement of inside) left.delete(requirement)
    return { title: `## [${version}] - ${day(published_at)}`, requirements: inside.filter(isTold) }
  })
  const unreleased = [...left].filter(isTold)
  const hidden = done.filter((requirement) => !isTold(requirement))
  const told = done.length - hidden.length
  return joined([
    heading(1, 'Changelog'),
    `All notable changes to ${inline(data.project.name)}. The format is that of [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).`,
    narrowedTo(data),
    '## [Unreleased]',
    ...(unreleased.length > 0 ? groups(unreleased) : ['Nothing yet.']),
    ...releases
      .reverse()
      .flatMap(({ title, requirements }) => [
        title,
        ...(requirements.length > 0 ? groups(requirements) : ['No notable changes.']),
      ]),
    '---',
    `${counted(told, 'change')}, made from the requirements that are done.${
      hidden.length > 0
        ? ` Left out: ${counted(hidden.filter(({ kind }) => kind === 'docs').length, 'documentation requirement')} and ${counted(hidden.filter(({ kind }) => kind === 'chore').length, 'chore')}.`
        : ''
    }`,
  ])
}
