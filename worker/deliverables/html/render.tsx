/** Renders a document as nodes, in parts. */
import { setImmediate } from 'node:timers/promises'
import type { Token, Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { parseMarkdown, renderTokens } from '../../../core/markdown/markdown.tsx'
import { type StoredNode, storedNodes } from '../../../core/markdown/stored.ts'
import { chart } from './chart.tsx'
import { type ContentsEntry, contentsOf, headingsOf } from './contents.ts'

/** Dates in text, which must not break at their hyphens. */
const withWholeDates = (nodes: StoredNode[]): StoredNode[] =>
  nodes.flatMap((node): StoredNode[] => {
    if (typeof node !== 'string') {
      const [name, attributes, ...children] = node
      return [name === 'pre' ? node : [name, attributes, ...withWholeDates(children)]]
    }
    const pieces = node.split(/(?<![\w-])(\d{4}-\d\d-\d\d)(?![\w-])/)
    return pieces.flatMap((piece, index): StoredNode[] =>
      index % 2 === 1 ? [['span', { class: 'date' }, piece]] : piece === '' ? [] : [piece],
    )
  })

const isCode = (token: Token, language: string): token is Tokens.Code => token.type === 'code' && token.lang === language

const WARNING = '[!WARNING]'

/** Of a box that warns, in the syntax of GitHub, the Markdown in it. */
const warningOf = (token: Token): string | null =>
  token.type === 'blockquote' && String(token.text).startsWith(`${WARNING}\n`) ? String(token.text).slice(WARNING.length) : null

/** Rows of a table, and items of a list, that stay together: a page shows a part of a long one. */
const MAX_ROWS = 250

/** The most bytes of JSON in a part: with style and script, a page of the web app stays below 100 KiB. */
const MAX_PART_BYTES = 60 * 1024

/** Blocks that are rendered at once. Other work of the worker goes on in between. */
const BATCH = 20

const chunks = <Item,>(items: Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_ROWS) }, (_, index) => items.slice(index * MAX_ROWS, (index + 1) * MAX_ROWS))

/** A block; a long table or list as several. */
function divided(token: Token): Token[] {
  if (token.type === 'table') return chunks((token as Tokens.Table).rows).map((rows) => ({ ...token, rows }) as Token)
  if (token.type !== 'list') return [token]
  const { items, start } = token as Tokens.List
  return chunks(items).map(
    (part, index) => ({ ...token, items: part, start: start === '' ? start : start + index * MAX_ROWS }) as Token,
  )
}

function blockOf(token: Token, headings: Map<Token, ContentsEntry>): ComponentChildren {
  const rendered = (tokens: Token[]) =>
    renderTokens(tokens, { idOf: (heading) => (heading.depth > 1 ? headings.get(heading)?.anchor : undefined), scrolling: {} })
  const warning = warningOf(token)
  if (isCode(token, 'mermaid')) return chart(token.text)
  if (isCode(token, 'sh'))
    return (
      <pre class="sh">
        <code>{`${token.text}\n`}</code>
      </pre>
    )
  if (warning === null) return rendered([token])
  return (
    <blockquote class="warning">
      <p>
        <strong>Warning</strong>
      </p>
      {rendered(parseMarkdown(warning))}
    </blockquote>
  )
}

/** The contents as a list, which a reader opens on a phone and which is open elsewhere; nothing for a short document. */
function contents(headings: Iterable<ContentsEntry>): ComponentChildren {
  const entries = contentsOf(headings)
  if (entries.length === 0) return null
  return (
    <nav aria-label="Contents">
      <details>
        <summary>Contents</summary>
        <ul>
          {entries.map(({ level, text, anchor }) => (
            <li class={level > 2 ? 'inner' : undefined}>
              <a href={`#${encodeURIComponent(anchor)}`}>{text}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}

/**
 * Renders a document. The contents are between its introduction and its first section.
 *
 * @param markdown CommonMark with the tables of GFM
 * @returns parts as JSON, of at most `MAX_PART_BYTES`, except of one longer block; together they are the document
 */
export async function render(markdown: string): Promise<string[]> {
  const tokens = parseMarkdown(markdown)
  const headings = headingsOf(tokens)
  const parts: StoredNode[][] = [[]]
  let bytes = 0
  let hasContents = false
  for (const [index, token] of tokens.flatMap(divided).entries()) {
    if (index % BATCH === BATCH - 1) await setImmediate()
    const nodes = storedNodes(blockOf(token, headings))
    const block = isCode(token, 'mermaid') ? nodes : withWholeDates(nodes)
    const length = Buffer.byteLength(JSON.stringify(block))
    if (bytes > 0 && bytes + length > MAX_PART_BYTES) {
      parts.push([])
      bytes = 0
    }
    if (!hasContents && headings.get(token)?.level === 2) {
      parts.at(-1)?.push(...storedNodes(contents(headings.values())))
      hasContents = true
    }
    parts.at(-1)?.push(...block)
    bytes += length
  }
  return parts.map((part) => JSON.stringify(part))
}
