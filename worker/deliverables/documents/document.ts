/** What the generators of documents have in common: the form, and where readers get help. */
import { type Block, heading, inline, joined, link, strong } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'
import { limitedTo, subject } from './requirement.ts'

export type Document = { markdown: string; missing: string[] }

/** A pure function: the same data gives the same document. */
export type Generator = (data: ProjectData) => Document

/** Who reads a document: customers do not see what its authors could do better. */
type Audience = 'customers' | 'team'

/** What a document says at its end if the project holds too little for it. */
const lastLine = (missing: string[], audience: Audience): string =>
  audience === 'team'
    ? `${strong('What would make this document better:')} ${missing.map(inline).join(' ')}`
    : '*Parts of this document are short or missing, because its sources say no more about them.*'

/** @param blocks Markdown @param missing sentences in our words, without markup; what is empty is omitted */
export function documentOf(data: ProjectData, audience: Audience, title: string, blocks: Block[], missing: Block[] = []) {
  const lacks = [...new Set(missing.filter((each) => typeof each === 'string'))]
  return {
    markdown: joined([
      heading(1, `${title}${subject(data)}`),
      limitedTo(data),
      ...blocks,
      lacks.length > 0 && '---',
      lacks.length > 0 && lastLine(lacks, audience),
    ]),
    missing: lacks,
  }
}

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
