/** Renders a document as one self-contained, sanitized HTML page for screen and print. */
import { marked, type Token, type Tokens } from 'marked'
import sanitize from 'sanitize-html'
import { printable } from '../../core/values/plain-text.ts'
import { chart } from './chart.ts'
import { type ContentsEntry, contentsOf, headingsOf } from './contents.ts'
import { STYLE, STYLE_HASH } from './style.ts'

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

/**
 * The blocks of a document as HTML, and its headings. Charts are generated from numbers and escaped text; everything else is
 * sanitized after rendering, and gets its anchor or class after that.
 */
export function render(markdown: string): { blocks: string[]; headings: ContentsEntry[] } {
  const tokens = marked.lexer(markdown)
  const headings = headingsOf(tokens)
  const html = (...of: Token[]): string => {
    const text = sanitized(marked.parser(Object.assign(of, { links: tokens.links })))
    return of.some(({ type }) => type === 'code') ? text : withWholeDates(text)
  }
  const blocks = tokens.map((token) => {
    if (isCode(token, 'mermaid')) return chart(token.text) ?? ''
    if (isCode(token, 'sh')) return html(token).replace('<pre>', '<pre class="sh">')
    const heading = headings.get(token)
    if (heading && heading.level > 1) return html(token).replace(/^<h\d/, `$& id="${escaped(heading.anchor)}"`)
    const warning = warningOf(token)
    if (warning === null) return html(token)
    return `<blockquote class="warning">\n<p><strong>Warning</strong></p>\n${html(...marked.lexer(warning))}</blockquote>\n`
  })
  return { blocks, headings: [...headings.values()] }
}

/** The contents as a list, which a reader opens on a phone and which is open elsewhere; empty for a short document. */
function contents(headings: ContentsEntry[]): string {
  const items = contentsOf(headings).map(
    ({ level, text, anchor }) =>
      `<li${level > 2 ? ' class="inner"' : ''}><a href="#${escaped(encodeURIComponent(anchor))}">${escaped(text)}</a></li>`,
  )
  return items.length === 0
    ? ''
    : `<nav aria-label="Contents"><details><summary>Contents</summary><ul>\n${items.join('\n')}\n</ul></details></nav>\n`
}

/** Puts the contents between the introduction of a document and its first section. */
function withContents(blocks: string[], headings: ContentsEntry[]): string {
  const first = blocks.findIndex((block) => block.startsWith('<h2'))
  const at = first === -1 ? blocks.length : first
  return [...blocks.slice(0, at), contents(headings), ...blocks.slice(at)].join('')
}

/**
 * @param title plain text
 * @param markdown CommonMark with the tables of GFM
 * @returns the page, and the hash of its style sheet for the Content-Security-Policy
 */
export function page(title: string, markdown: string): { text: string; style: string } {
  const { blocks, headings } = render(markdown)
  return {
    style: STYLE_HASH,
    text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(printable(title))}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${withContents(blocks, headings)}</main>
</body>
</html>
`,
  }
}
