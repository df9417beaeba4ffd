/** The running text of a document: what may be worded anew, and how that is put in its place. */
import { marked } from 'marked'
import { line } from '../markdown.ts'

/** Shorter ones hold nothing to improve. */
const SHORTEST = 60

/** One paragraph that is words and nothing else. */
export interface Paragraph {
  /** Where it stands among the blocks of its document. */
  block: number
  /** What a reader sees of it. */
  text: string
}

/** A document as its blocks, and those of them that are running text. */
export interface Blocks {
  blocks: string[]
  paragraphs: Paragraph[]
}

const plain = (markdown: string): string => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

/** What is invisible, or turns the direction of writing: no paragraph with it is shown to a model, or taken from one. */
export const isVisible = (text: string): boolean => !/\p{C}/u.test(text)

/**
 * The text of a block; null where it is more than text. Text is what our own escaping turns into the very bytes that
 * stand there: a link, code or a list is never that.
 */
function textOf(markdown: string): string | null {
  const lines = markdown.trimEnd().split('\n')
  const texts = lines.map(plain)
  if (texts.some((text, index) => line(text) !== lines[index])) return null
  const text = texts.join(' ')
  return text.length >= SHORTEST && isVisible(text) ? text : null
}

/** @param markdown a document of ours */
export function blocksOf(markdown: string): Blocks {
  const tokens = marked.lexer(markdown)
  const blocks = tokens.map(({ raw }) => raw)
  // A reading that is not the document byte for byte is no ground to change it on.
  if (blocks.join('') !== markdown) return { blocks: [markdown], paragraphs: [] }
  const paragraphs = tokens.flatMap(({ type, raw }, block) => {
    const text = type === 'paragraph' ? textOf(raw) : null
    return text === null ? [] : [{ block, text }]
  })
  return { blocks, paragraphs }
}

/**
 * The document with other words in some of its paragraphs; whatever the words are, they are no markup.
 *
 * @param texts the new text, by the number of the block
 */
export const reworded = (blocks: string[], texts: Map<number, string>): string =>
  blocks
    .map((raw, index) => {
      const text = texts.get(index)
      return text === undefined ? raw : line(text) + raw.slice(raw.trimEnd().length)
    })
    .join('')
