/** What the generators of documents have in common. */
import { heading, inline, joined, strong } from '../markdown.ts'
import type { ProjectData } from '../project-data.ts'
import { limitedTo, subject } from './requirement.ts'

/** A generated document. */
export interface Document {
  markdown: string
  /** Sentences on what would make the document better. */
  missing: string[]
  /**
   * Paragraphs and items of lists, as they stand in the Markdown, that a model may write anew from the facts in them. Other
   * paragraphs may only be worded better.
   */
  rewritable: string[]
}

/** A pure function: the same data gives the same document. */
export type Generator = (data: ProjectData) => Document

type Block = string | null | false

/**
 * A document with its title and, at the end, one line on what it lacks.
 *
 * @param title plain text, such as `Checkout: deployment guide`
 * @param blocks Markdown; empty ones are omitted
 * @param missing sentences in our words, without markup
 * @param rewritable paragraphs and items that a model may write anew
 */
export function documentOf(
  data: ProjectData,
  title: string,
  blocks: Block[],
  missing: string[] = [],
  rewritable: string[] = [],
): Document {
  const lacks = [...new Set(missing)]
  return {
    markdown: joined([
      heading(1, `${title}${subject(data)}`),
      limitedTo(data),
      ...blocks,
      lacks.length > 0 && '---',
      // Marked up, so that it is left out when a model improves the wording.
      lacks.length > 0 && `${strong('What would make this document better:')} ${lacks.map(inline).join(' ')}`,
    ]),
    missing: lacks,
    rewritable,
  }
}
