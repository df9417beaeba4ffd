/** References to requirements in documents. */
import { pageUrl } from '../../../core/links.ts'
import { inline, link, withCode } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'

/** The number of a requirement, linked to it. */
export const numbered = ({ id, number }: Requirement): string => link(`#${number}`, pageUrl('requirement', id) ?? '')

/** The number of a requirement, linked to it, and its title. */
export const named = (requirement: Requirement): string => `${numbered(requirement)} ${inline(requirement.title)}`

/** The requirement that a document is limited to; null if the document covers the whole project. */
export const onlyRequirement = ({ only, requirements: [requirement] }: ProjectData): Requirement | null =>
  only === null ? null : (requirement ?? null)

/** The end of the title of a document: the requirement that it is limited to, as plain text. */
export function subject(data: ProjectData): string {
  const requirement = onlyRequirement(data)
  return requirement ? ` (#${requirement.number} ${requirement.title})` : ''
}

/** Names the requirement that a document is limited to; false if the document covers the whole project. */
export function limitedTo(data: ProjectData): string | false {
  const requirement = onlyRequirement(data)
  return requirement !== null && `Limited to one requirement: ${named(requirement)}`
}

/** Kinds whose descriptions tell how it was before. */
const BEFORE = new Set<Requirement['kind']>(['fix', 'security'])

/** A sentence of the description of a finished requirement, as Markdown. */
export const described = ({ kind }: Requirement, sentence: string): string =>
  `${BEFORE.has(kind) ? 'Before: ' : ''}${withCode(sentence)}`
