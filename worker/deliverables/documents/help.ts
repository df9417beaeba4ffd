/** Where readers of a document get help. */
import { inline, link } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'

/** Said in `source.missing` while the project names no support. */
const NO_SUPPORT = 'The project has no support: set it to a URL or an e-mail address at which readers get help.'

interface Help {
  /** Markdown within a line: a link that reaches someone. */
  contact: string
  /** Whom the contact reaches, in our words. */
  who: string
  missing: string[]
}

export const mailTo = (address: string): string => link(address, `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`)

/** The support of the project, else its repository, else the address of the owner of the workspace. */
export function help({ project, workspace }: ProjectData): Help {
  const { support, repository_url } = project
  if (support !== null) {
    return { contact: support.includes('://') ? link(support, support) : mailTo(support), who: 'support', missing: [] }
  }
  if (repository_url !== null) {
    return { contact: link(repository_url, repository_url), who: 'the repository', missing: [NO_SUPPORT] }
  }
  const { name, email } = workspace.owner
  return { contact: `${inline(name)}, ${mailTo(email)}`, who: 'the owner of the workspace', missing: [NO_SUPPORT] }
}
