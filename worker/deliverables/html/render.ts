/** Renders a document as sanitized HTML, in parts. */
import { setImmediate } from 'node:timers/promises'
import { Marked, type Token, type Tokens, type TokensList } from 'marked'
import sanitize from 'sanitize-html'
import { chart } from './chart.ts'
import { type ContentsEntry, contentsOf, headingsOf } from './contents.ts'

/** Documents have no underlined headings: looking for one takes a time that grows with the square of the length of a paragraph. */
const marked = new Marked({ tokenizer: { lheading: () => undefined } })

const RULES: sanitize.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'hr', 'br'],
    ...['strong', 'em', 'del', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div'],
  ],
  allowedAttributes: { a: ['href', 'rel'], th: ['align'], td: ['align'], div: ['class'], ol: ['start'] },
  allowedClasses: { div: ['wide'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer' }) },
}

/** Links whose text is their address get a class: print adds the address to all others. */
const withUrlClass = (html: string): string => html.replaceAll(/<a (href="(http[^"]+)"[^>]*>\2<\/a>)/g, '<a class="url" $1')

/** Dates in text, which must not break at their hyphens. Sanitized attributes contain no `>`. */
const withWholeDates = (html: string): string =>
  html.replaceAll(/>[^<]*\d{4}-\d\d-\d\d[^<]*/g, (text) =>
    text.replaceAll(/(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g, '<span class="date">$&</span>'),
  )

const sanitized = (html: string): string =>
  withUrlClass(sanitize(html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>'), RULES))

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const isCode = (token: Token, language: string): token is Tokens.Code => token.type === 'code' && token.lang === language

const WARNING = '[!WARNING]'

/** Of a box that warns, in the syntax of GitHub, the Markdown in it. */
const warningOf = (token: Token): string | null =>
  token.type === 'blockquote' && String(token.text).startsWith(`${WARNING}\n`) ? String(token.text).slice(WARNING.length) : null

/** Rows of a table, and items of a list, that stay together: a page shows a part of a long one. */
const MAX_ROWS = 250

/** The most bytes of HTML in a part: with style and script, a page of the web app stays below 100 KiB. */
const MAX_PART_BYTES = 60 * 1024

/** Blocks that are rendered at once. Other work of the worker goes on in between. */
const BATCH = 20

const chunks = <Item>(items: Item[]): Item[][] =>
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

/**
 * The blocks of a document. Charts are generated from numbers and escaped text; everything else is sanitized after rendering, and gets
 * its anchor or class after that.
 */
async function* blocksOf(tokens: TokensList, headings: Map<Token, ContentsEntry>): AsyncGenerator<string> {
  const html = (...of: Token[]): string => {
    const text = sanitized(marked.parser(Object.assign(of, { links: tokens.links })))
    return of.some(({ type }) => type === 'code') ? text : withWholeDates(text)
  }
  for (const [index, token] of tokens.flatMap(divided).entries()) {
    if (index % BATCH === BATCH - 1) await setImmediate()
    const heading = headings.get(token)
    const warning = warningOf(token)
    if (isCode(token, 'mermaid')) yield chart(token.text) ?? ''
    else if (isCode(token, 'sh')) yield html(token).replace('<pre>', '<pre class="sh">')
    else if (heading && heading.level > 1) yield html(token).replace(/^<h\d/, `$& id="${escaped(heading.anchor)}"`)
    else if (warning === null) yield html(token)
    else yield `<blockquote class="warning">\n<p><strong>Warning</strong></p>\n${html(...marked.lexer(warning))}</blockquote>\n`
  }
}

/** The contents as a list, which a reader opens on a phone and which is open elsewhere; empty for a short document. */
function contents(headings: Iterable<ContentsEntry>): string {
  const items = contentsOf(headings).map(
    ({ level, text, anchor }) =>
      `<li${level > 2 ? ' class="inner"' : ''}><a href="#${escaped(encodeURIComponent(anchor))}">${escaped(text)}</a></li>`,
  )
  return items.length === 0
    ? ''
    : `<nav aria-label="Contents"><details><summary>Contents</summary><ul>\n${items.join('\n')}\n</ul></details></nav>\n`
}

/**
 * Renders a document. The contents are between its introduction and its first section.
 *
 * @param markdown CommonMark with the tables of GFM
 * @returns parts of at most `MAX_PART_BYTES`, except of one longer block; together they are the document
 */
export async function render(markdown: string): Promise<string[]> {
  const tokens = marked.lexer(markdown)
  const headings = headingsOf(tokens)
  const parts = ['']
  let bytes = 0
  let hasContents = false
  for await (const block of blocksOf(tokens, headings)) {
    const isFirst: boolean = !hasContents && block.startsWith('<h2')
    const html = isFirst ? contents(headings.values()) + block : block
    hasContents ||= isFirst
    const length = Buffer.byteLength(block)
    if (bytes > 0 && bytes + length > MAX_PART_BYTES) {
      parts.push('')
      bytes = 0
    }
    parts[parts.length - 1] += html
    bytes += length
  }
  return parts
}
