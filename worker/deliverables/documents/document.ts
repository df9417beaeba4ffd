/** What the generators of documents have in common. */
import { heading, inline, joined } from '../markdown.ts'
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

/**
 * A document with its title and, at the end, one line on what it lacks.
 *
 * @param name of the kind of document, as in `Checkout: deployment guide`; of none, the title is the kind alone
 * @param blocks Markdown; empty ones are omitted
 * @param missing sentences in our words, without markup
 */
export function documentOf(data: ProjectData, title: string, blocks: Block[], missing: string[] = []): Document {
  const lacks = [...new Set(missing)]
  return {
    markdown: joined([
      heading(1, `${title}${subject(data)}`),
      limitedTo(data),
      ...blocks,
      lacks.length > 0 && '---',
      lacks.length > 0 && `What would make this document better: ${lacks.map(inline).join(' ')}`,
    ]),
    missing: lacks,
  }
}
