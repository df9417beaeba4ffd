/** What the generators of documents have in common. */
import { heading, inline, joined, strong } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'
import { limitedTo, subject } from './requirement.ts'

/** A generated document. */
export interface Document {
  markdown: string
  /** Sentences on what would make the document better. */
  missing: string[]
}

/** A pure function: the same data gives the same document. */
export type Generator = (data: ProjectData) => Document

type Block = string | null | false

/** Who reads a document: customers do not see what its authors could do better. */
type Audience = 'customers' | 'team'

/** What a document says at its end if the project holds too little for it. */
const lastLine = (missing: string[], audience: Audience): string =>
  audience === 'team'
    ? `${strong('What would make this document better:')} ${missing.map(inline).join(' ')}`
    : '*Parts of this document are short or missing, because its sources say no more about them.*'

/**
 * A document with its title and, at the end, one line if it lacks something.
 *
 * @param title plain text, such as `Checkout: deployment guide`
 * @param blocks Markdown; empty ones are omitted
 * @param missing sentences in our words, without markup
 */
export function documentOf(
  data: ProjectData,
  audience: Audience,
  title: string,
  blocks: Block[],
  missing: string[] = [],
): Document {
  const lacks = [...new Set(missing)]
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
