/** Where readers of a document get help. */
import { inline, link } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'

/** Said in `source.missing` while the project names no support. */
const NO_SUPPORT = 'The project has no support: set it to a URL or an e-mail address at which readers get help.'

interface Help {
  /** Markdown within a line: whom to ask, with a link where there is one. */
  contact: string
  /** Whom the contact reaches, in our words. */
  who: string
  missing: string[]
}

export const mailTo = (address: string): string => link(address, `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`)

/** A person with the address, if there is one, as Markdown within a line. */
export const person = ({ name, email }: { name: string; email: string | null }): string =>
  email === null ? inline(name) : `${inline(name)}, ${mailTo(email)}`

/** The support of the project, else its repository, else the owner of the workspace. */
export function help({ project, workspace }: ProjectData): Help {
  const { support, repository_url } = project
  if (support !== null) {
    return { contact: support.includes('://') ? link(support, support) : mailTo(support), who: 'support', missing: [] }
  }
  if (repository_url !== null) {
    return { contact: link(repository_url, repository_url), who: 'the repository', missing: [NO_SUPPORT] }
  }
  return { contact: person(workspace.owner), who: 'the owner of the workspace', missing: [NO_SUPPORT] }
}
