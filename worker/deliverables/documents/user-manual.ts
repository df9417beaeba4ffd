/** user_manual: what users can do with the project, one section per finished feature. */

import { counted } from '../format.ts'
import { bullets, heading, inline, line, prose } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'
import { type Document, documentOf } from './document.ts'
import { numbered } from './requirement.ts'

const task = ({ title, description, acceptance_criteria }: Requirement): (string | null)[] => [
  heading(3, title),
  description && prose(description),
  acceptance_criteria.length > 0 ? 'What you can rely on:' : null,
  acceptance_criteria.length > 0 ? bullets(acceptance_criteria.map(inline)) : null,
]

export function userManual(data: ProjectData): Document {
  const done = data.requirements.filter(({ status }) => status === 'done')
  const of = (...kinds: string[]) => done.filter(({ kind }) => kinds.includes(kind))
  const features = of('feature', 'change')
  const limits = data.requirements.filter(
    ({ kind, status }) => (kind === 'fix' || kind === 'security') && (status === 'open' || status === 'in_progress'),
  )
  const changed = of('deprecation', 'removal')
  return documentOf(data, `${data.project.name}: user manual`, [
    heading(2, 'What it is'),
    data.project.description ? prose(data.project.description) : `${line(data.project.name)} has no description yet.`,
    heading(2, 'What you can do'),
    features.length > 0 ? null : 'No feature is finished yet.',
    features.length > 1 ? bullets(features.map(({ title }) => inline(title))) : null,
    ...features.flatMap(task),
    changed.length > 0 && heading(2, 'Deprecated and removed'),
    changed.length > 0 &&
      bullets(changed.map(({ title, kind }) => `${inline(title)} (${kind === 'removal' ? 'removed' : 'deprecated'})`)),
    limits.length > 0 && heading(2, 'Known limitations'),
    limits.length > 0 && bullets(limits.map((requirement) => `${inline(requirement.title)} (${numbered(requirement)})`)),
    heading(2, 'Help'),
    data.members.length > 0
      ? `Ask ${data.members
          .filter(({ role }) => role !== 'member')
          .slice(0, 5)
          .map(({ name }) => inline(name))
          .join(', ')}.`
      : 'The project has no members.',
    '---',
    `${counted(features.length, 'finished feature')} of ${counted(data.requirements.length, 'requirement')}.`,
  ])
}
