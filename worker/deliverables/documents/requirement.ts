/** References to requirements in documents. */
import { pageUrl } from '../../../core/links.ts'
import { inline, link } from '../markdown.ts'
import type { ProjectData, Requirement } from '../project-data.ts'

/** The number of a requirement, linked to it. */
export const numbered = ({ id, number }: Requirement): string => link(`#${number}`, pageUrl('requirement', id) ?? '')

/** The number of a requirement, linked to it, and its title. */
export const named = (requirement: Requirement): string => `${numbered(requirement)} ${inline(requirement.title)}`

/** Names the requirement that a document is limited to; false if the document covers the whole project. */
export const limitedTo = ({ only, requirements: [requirement] }: ProjectData): string | false =>
  only !== null && requirement !== undefined && `Limited to one requirement: ${named(requirement)}`
