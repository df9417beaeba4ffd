/** Finds the paragraphs of a document that may be reworded, and replaces them. */
import { marked } from 'marked'
import { line } from '../markdown.ts'

/** Shorter paragraphs are not reworded. */
const MIN_LENGTH = 60

/** A paragraph or an item of a list, without markup. */
export interface Paragraph {
  /** The index of its block in the document. */
  block: number
  /** Of an item, the index of its line in the block; null for a whole paragraph. */
  line: number | null
  /** The unescaped text. */
  text: string
  /** The links of the numbers of requirements in it, by the escaped number. */
  links: Map<string, string>
  /** Whether it may be written anew from its facts, not only worded better. */
  isRewritable: boolean
}

/** The blocks of a document, and its paragraphs. */
export interface Blocks {
  blocks: string[]
  paragraphs: Paragraph[]
}

const plain = (markdown: string): string => markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')

/** Whether a text has no invisible or direction-changing characters. Others are neither sent to the model nor accepted from it. */
export const isVisible = (text: string): boolean => !/\p{C}/u.test(text)

/** The number of a requirement, linked to its page. */
const NUMBER_LINK = /\[(\\#\d+)\]\(<[^<>]+>\)/g

/** Markdown with the linked numbers of requirements as plain text, and their links. */
function withoutNumberLinks(markdown: string): { markdown: string; links: Map<string, string> } {
  const links = new Map([...markdown.matchAll(NUMBER_LINK)].map(([link, number = '']) => [number, link]))
  return { markdown: markdown.replaceAll(NUMBER_LINK, '$1'), links }
}

/** Escaped text in which the numbers of requirements are links again. */
const withNumberLinks = (markdown: string, { links }: Paragraph): string =>
  markdown.replaceAll(/\\#\d+/g, (number) => links.get(number) ?? number)

/**
 * The text of a block; null if it contains markup. A block is plain text if escaping its text gives the same Markdown again: a
 * link, code or list never does. The linked numbers of requirements count as text.
 */
function textOf(raw: string): Pick<Paragraph, 'text' | 'links'> | null {
  const { markdown, links } = withoutNumberLinks(raw.trimEnd())
  const lines = markdown.split('\n')
  const texts = lines.map(plain)
  if (texts.some((text, index) => line(text) !== lines[index])) return null
  const text = texts.join(' ')
  return text.length >= MIN_LENGTH && isVisible(text) ? { text, links } : null
}

const ITEM = /^(?<mark>(?:-|\d+\.) )(?<markdown>.+)$/

/** The items of a list that may be written anew. */
function itemsOf(raw: string, block: number, rewritable: Set<string>): Paragraph[] {
  return raw.split('\n').flatMap((each, index) => {
    const { markdown = '' } = ITEM.exec(each)?.groups ?? {}
    const text = plain(markdown)
    const isPlain = rewritable.has(markdown) && line(text) === markdown && isVisible(text)
    return isPlain ? [{ block, line: index, text, links: new Map(), isRewritable: true }] : []
  })
}

/**
 * @param markdown a document written by `markdown.ts`
 * @param rewritable the paragraphs and items in it that may be written anew
 */
export function blocksOf(markdown: string, rewritable: string[]): Blocks {
  const tokens = marked.lexer(markdown)
  const blocks = tokens.map(({ raw }) => raw)
  // If the tokens are not exactly the document, it is left unchanged.
  if (blocks.join('') !== markdown) return { blocks: [markdown], paragraphs: [] }
  const anew = new Set(rewritable)
  const paragraphs = tokens.flatMap(({ type, raw }, block): Paragraph[] => {
    if (type === 'list') return itemsOf(raw, block, anew)
    const text = type === 'paragraph' ? textOf(raw) : null
    return text === null ? [] : [{ block, line: null, ...text, isRewritable: anew.has(raw.trimEnd()) }]
  })
  return { blocks, paragraphs }
}

/** A block with new Markdown for the whole paragraph, or for some of its lines. */
function rewordedBlock(raw: string, texts: Map<number | null, string>): string {
  const whole = texts.get(null)
  if (whole !== undefined) return whole + raw.slice(raw.trimEnd().length)
  return raw
    .split('\n')
    .map((each, index) => {
      const text = texts.get(index)
      return text === undefined ? each : (ITEM.exec(each)?.groups?.mark ?? '') + text
    })
    .join('\n')
}

/** The document with new texts for some paragraphs. The texts are escaped. */
export function reworded(blocks: string[], texts: Map<Paragraph, string>): string {
  const byBlock = new Map<number, Map<number | null, string>>()
  for (const [paragraph, text] of texts) {
    const lines = byBlock.get(paragraph.block) ?? new Map()
    byBlock.set(paragraph.block, lines.set(paragraph.line, withNumberLinks(line(text), paragraph)))
  }
  return blocks
    .map((raw, index) => {
      const lines = byBlock.get(index)
      return lines === undefined ? raw : rewordedBlock(raw, lines)
    })
    .join('')
}
