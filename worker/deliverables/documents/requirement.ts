/** How documents name a requirement. */
import { inline, link } from '../markdown.ts'
import { address, type ProjectData, type Requirement } from '../project-data.ts'

/** The number of a requirement, linked to it. */
export const numbered = ({ id, number }: Requirement): string => link(`#${number}`, address(`/requirements/${id}`))

/** The number of a requirement, linked to it, and its title. */
export const named = (requirement: Requirement): string => `${numbered(requirement)} ${inline(requirement.title)}`

/** Names the requirement that a document is narrowed to; false where the document covers the whole project. */
export const narrowedTo = ({ only, requirements: [requirement] }: ProjectData): string | false =>
  only !== null && requirement !== undefined && `Narrowed to one requirement: ${named(requirement)}`
