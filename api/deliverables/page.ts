/** Renders a document as one self-contained, sanitized HTML page for screen and print. */
import { marked, type Tokens } from 'marked'
import sanitize from 'sanitize-html'
import { chart } from './chart.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #17202a; --quiet: #5a6672; --rule: #d5dce3; --paper: #fff; --accent: #0b5cad; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --quiet: #9aa7b4; --rule: #33404d; --paper: #12181f; --accent: #7db8f0; } }
body { margin: 0 auto; max-width: 48rem; padding: 3rem 1.5rem; font: 1.05rem/1.6 ui-serif, Georgia, serif; color: var(--ink); background: var(--paper); }
h1, h2, h3, h4, table, figcaption, text { font-family: system-ui, sans-serif; }
h1 { font-size: 2rem; line-height: 1.2; } h2 { margin-top: 2.5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--rule); } h3 { margin-top: 1.8rem; }
a { color: var(--accent); } hr { border: 0; border-top: 1px solid var(--rule); margin: 2.5rem 0 1rem; }
code { font-size: .9em; overflow-wrap: anywhere; } pre { padding: 1rem; overflow-x: auto; border: 1px solid var(--rule); border-radius: .4rem; }
.wide { margin: 1.2rem 0; overflow-x: auto; } td code { overflow-wrap: break-word; } table { border-collapse: collapse; font-size: .9rem; } th, td { padding: .4rem .7rem; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top; }
[align="right"] { text-align: right; font-variant-numeric: tabular-nums; } figure { margin: 1.5rem 0; } figcaption { color: var(--quiet); font-size: .9rem; } svg text { fill: currentColor; font-size: 14px; }
@media print { :root { --ink: #000; --quiet: #444; --rule: #bbb; --paper: #fff; --accent: #000; } body { max-width: none; padding: 0; font-size: 10.5pt; } h2, h3 { break-after: avoid; } table, pre, figure { break-inside: avoid; } .wide, pre { overflow: visible; } td code { overflow-wrap: anywhere; } pre { white-space: pre-wrap; } a[href^="http"]::after { content: " <" attr(href) ">"; font-size: .8em; color: var(--quiet); overflow-wrap: anywhere; } }
`

const STYLE_HASH = new Bun.CryptoHasher('sha256').update(STYLE).digest('base64')

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

const sanitized = (html: string): string =>
  sanitize(html.replaceAll('<table>', '<div class="wide"><table>').replaceAll('</table>', '</table></div>'), RULES)

const isChart = (token: { type: string }): token is Tokens.Code =>
  token.type === 'code' && (token as Tokens.Code).lang === 'mermaid'

/**
 * The blocks of a document as HTML. Charts are generated from numbers and escaped text; everything else is sanitized after
 * rendering.
 */
export function blocksOf(markdown: string): string[] {
  const tokens = marked.lexer(markdown)
  return tokens.map((token) =>
    isChart(token) ? (chart(token.text) ?? '') : sanitized(marked.parser(Object.assign([token], { links: tokens.links }))),
  )
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * @param title plain text
 * @param markdown CommonMark with the tables of GFM
 * @returns the page, and the hash of its style sheet for the Content-Security-Policy
 */
export const page = (title: string, markdown: string): { text: string; style: string } => ({
  style: STYLE_HASH,
  text: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${blocksOf(markdown).join('')}</main>
</body>
</html>
`,
})
