/** Renders a document as nodes, in parts: with its contents, and its Mermaid charts as SVG, without a script, so that they print. */
import { setImmediate } from 'node:timers/promises'
import type { Token, Tokens } from 'marked'
import type { ComponentChildren, VNode } from 'preact'
import { anchors } from '../../core/markdown/anchors.ts'
import { parseMarkdown, plainTextOf, renderTokens, type StoredNode, storedNodes } from '../../core/markdown/markdown.tsx'

type ContentsEntry = { level: number; text: string; anchor: string }

/** A document with fewer headings needs no contents. */
const MIN_ENTRIES = 3
/** With more entries than this, only headings of the second level are listed. */
const MAX_ENTRIES = 60

/** The headings below the title. The anchors are those that a reader of the Markdown on GitHub has. */
function headingsOf(tokens: Token[]): Map<Token, ContentsEntry> {
  const name = anchors()
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading')
  return new Map(
    headings.map((token) => {
      const text = plainTextOf(token.tokens)
      return [token, { level: token.depth, text, anchor: name(text) }]
    }),
  )
}

function contentsOf(headings: Iterable<ContentsEntry>): ContentsEntry[] {
  const below = [...headings].filter(({ level }) => level === 2 || level === 3)
  // Such as the sections of each release: a list of equal names leads nowhere.
  const repeats = new Set(below.map(({ text }) => text)).size < below.length
  const listed = below.length > MAX_ENTRIES || repeats ? below.filter(({ level }) => level === 2) : below
  return listed.length < MIN_ENTRIES ? [] : listed
}

type Bar = { name: string; value: number }

const COLORS = ['#2f7d4f', '#0b5cad', '#b7791f', '#7a8794', '#8a4fbf', '#b3403a']
const ROW = 30
const LABELS = 130
const WIDTH = 560

function figure(title: string, bars: Bar[], width: number, height: number, shapes: ComponentChildren, kind?: string): VNode {
  const description = `${title}. ${bars.map(({ name, value }) => `${name}: ${value}`).join(', ')}`
  return (
    <figure class={kind}>
      <figcaption>{title}</figcaption>
      <svg xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} width="100%" role="img" aria-label={description}>
        {shapes}
      </svg>
    </figure>
  )
}

/** Parts of a whole, as horizontal bars: they are easier to read than a pie. */
function parts(title: string, lines: string[]): VNode | null {
  const bars = lines.flatMap((line) => {
    const [, name, value] = /^ {2}"([^"]+)" : (\d+(?:\.\d+)?)$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, value: Number(value) }]
  })
  if (bars.length === 0) return null
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const shapes = bars.map(({ name, value }, index) => {
    const y = index * ROW
    const width = Math.round((value / most) * (WIDTH - LABELS - 60))
    return [
      <text x={LABELS - 10} y={y + 20} text-anchor="end">
        {name}
      </text>,
      <rect x={LABELS} y={y + 5} width={width} height={ROW - 10} rx={3} fill={COLORS[index % COLORS.length]} />,
      <text x={LABELS + width + 8} y={y + 20}>
        {value}
      </text>,
    ]
  })
  return figure(title, bars, WIDTH, bars.length * ROW, shapes)
}

const COLUMN = 30
const PLOT = 90
const TOP = 18

/** Values over time, as vertical bars; the first and the last are labelled, and each has its value above. */
function columns(title: string, lines: string[]): VNode | null {
  const [, names] = /^ {2}x-axis \[(.+)\]$/.exec(lines.find((line) => line.startsWith('  x-axis')) ?? '') ?? []
  const [, values] = /^ {2}bar \[([\d., ]+)\]$/.exec(lines.find((line) => line.startsWith('  bar')) ?? '') ?? []
  if (names === undefined || values === undefined) return null
  const labels = [...names.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name)
  const bars = values.split(', ').map((value, index) => ({ name: labels[index] ?? '', value: Number(value) }))
  const most = Math.max(...bars.map(({ value }) => value)) || 1
  const shapes = bars.map(({ name, value }, index) => {
    const x = index * COLUMN
    const height = value === 0 ? 1 : Math.max(2, Math.round((value / most) * PLOT))
    const isFirst = index === 0
    return [
      <rect x={x + 3} y={TOP + PLOT - height} width={COLUMN - 6} height={height} rx={2} />,
      <text x={x + COLUMN / 2} y={TOP + PLOT - height - 5} text-anchor="middle">
        {value === 0 ? '' : value >= 100 ? Math.round(value) : value}
      </text>,
      (isFirst || index === bars.length - 1) && (
        <text x={isFirst ? x + 3 : x + COLUMN - 3} y={TOP + PLOT + 16} text-anchor={isFirst ? 'start' : 'end'}>
          {name}
        </text>
      ),
    ]
  })
  return figure(title, bars, bars.length * COLUMN, TOP + PLOT + 22, shapes, 'bars')
}

function chart(mermaid: string): VNode | null {
  const [first = '', ...rest] = mermaid.split('\n')
  const [, pie] = /^pie showData title (.+)$/.exec(first) ?? []
  if (pie !== undefined) return parts(pie, rest)
  const [, title] = /^ {2}title "([^"]+)"$/.exec(rest[0] ?? '') ?? []
  return first === 'xychart-beta' && title !== undefined ? columns(title, rest) : null
}

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

/** @returns parts as JSON, of at most `MAX_PART_BYTES`, except of one longer block; together they are the document */
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
