/** The contents of a document: its headings with their anchors. */
import type { Token, Tokens } from 'marked'
import { anchors } from '../../../core/markdown/anchors.ts'

export interface ContentsEntry {
  level: number
  /** Plain text. */
  text: string
  anchor: string
}

/** A document with fewer headings needs no contents. */
const MIN_ENTRIES = 3
/** With more entries than this, only headings of the second level are listed. */
const MAX_ENTRIES = 60

/** The text of inline tokens, without markup. */
const textOf = (tokens: Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? String(token.text) : ''))
    .join('')

/** The headings below the title. The anchors are those that a reader of the Markdown on GitHub has. */
export function headingsOf(tokens: Token[]): Map<Token, ContentsEntry> {
  const name = anchors()
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  return new Map(
    headings.map((token) => {
      const text = textOf(token.tokens)
      return [token, { level: token.depth, text, anchor: name(text) }]
    }),
  )
}

/** The entries to list; none for a short document. */
export function contentsOf(headings: Iterable<ContentsEntry>): ContentsEntry[] {
  const below = [...headings].filter(({ level }) => level === 2 || level === 3)
  // Such as the sections of each release: a list of equal names leads nowhere.
  const repeats = new Set(below.map(({ text }) => text)).size < below.length
  const listed = below.length > MAX_ENTRIES || repeats ? below.filter(({ level }) => level === 2) : below
  return listed.length < MIN_ENTRIES ? [] : listed
}
