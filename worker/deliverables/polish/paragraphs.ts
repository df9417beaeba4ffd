/** Finds the paragraphs of a document that may be reworded, and replaces them. */
import { marked } from 'marked'
import { line } from '../markdown.ts'

/** Shorter paragraphs are not reworded. */
const MIN_LENGTH = 60

/** A paragraph without markup. */
export interface Paragraph {
  /** The index of its block in the document. */
  block: number
  /** The unescaped text. */
  text: string
}

/** The blocks of a document, and its paragraphs. */
export interface Blocks {
  blocks: string[]
  paragraphs: Paragraph[]
}

const plain = (markdown: string): string => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

/** Whether a text has no invisible or direction-changing characters. Others are neither sent to the model nor accepted from it. */
export const isVisible = (text: string): boolean => !/\p{C}/u.test(text)

/**
 * The text of a block; null if it contains markup. A block is plain text if escaping its text gives the same Markdown again: a
 * link, code or list never does.
 */
function textOf(markdown: string): string | null {
  const lines = markdown.trimEnd().split('\n')
  const texts = lines.map(plain)
  if (texts.some((text, index) => line(text) !== lines[index])) return null
  const text = texts.join(' ')
  return text.length >= MIN_LENGTH && isVisible(text) ? text : null
}

/** @param markdown a document written by `markdown.ts` */
export function blocksOf(markdown: string): Blocks {
  const tokens = marked.lexer(markdown)
  const blocks = tokens.map(({ raw }) => raw)
  // If the tokens are not exactly the document, it is left unchanged.
  if (blocks.join('') !== markdown) return { blocks: [markdown], paragraphs: [] }
  const paragraphs = tokens.flatMap(({ type, raw }, block) => {
    const text = type === 'paragraph' ? textOf(raw) : null
    return text === null ? [] : [{ block, text }]
  })
  return { blocks, paragraphs }
}

/**
 * The document with new texts for some paragraphs. The texts are escaped.
 *
 * @param texts the new texts, by block index
 */
export const reworded = (blocks: string[], texts: Map<number, string>): string =>
  blocks
    .map((raw, index) => {
      const text = texts.get(index)
      return text === undefined ? raw : line(text) + raw.slice(raw.trimEnd().length)
    })
    .join('')
