/** Content negotiation for deliverables: the JSON record, Markdown, or a self-contained HTML page. */
import { setImmediate } from 'node:timers/promises'
import { Fragment, h } from 'preact'
import { render } from 'preact-render-to-string'
import { restored, type StoredNode } from '../../core/markdown/markdown.tsx'
import { sql } from '../../core/platform/database.ts'
import { printable } from '../../core/values/plain-text.ts'
import { contextOf } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { entityTag, matchesEntityTag, SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { getParts } from './deliverables.ts'
import type { Deliverable } from './schema.ts'

const TYPES = ['application/json', 'text/markdown', 'text/html'] as const

type MediaType = (typeof TYPES)[number]

/** How specifically a media range matches a type; 0 if it does not. */
function specificity(range: string, type: MediaType): number {
  if (range === type) return 3
  if (range === `${type.split('/')[0]}/*`) return 2
  return range === '*/*' ? 1 : 0
}

/** The preferred type (RFC 9110, section 12.5.1); the first of `TYPES` among equals. @throws Problem `not_acceptable` */
function negotiateType(header: string | null): MediaType {
  if (header === null || header.trim() === '') return 'application/json'
  const ranges = header.split(',').map((each) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { range, quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const weighted = TYPES.map((type) => {
    const [best] = ranges
      .filter(({ range }) => specificity(range, type) > 0)
      .sort((one, other) => specificity(other.range, type) - specificity(one.range, type))
    return { type, quality: best?.quality ?? 0 }
  })
  const best = Math.max(...weighted.map(({ quality }) => quality))
  const chosen = weighted.find(({ quality }) => quality > 0 && quality === best)
  if (!chosen) throw new Problem('not_acceptable', `Deliverables are available as ${TYPES.join(', ')}.`)
  return chosen.type
}

/** The document in a format. @throws Problem `deliverable_not_ready` */
async function documentOf({ title, status, content }: Deliverable, type: MediaType, deliverable: ResourceKey<'deliverable'>) {
  if (type === 'text/html') {
    const parts = await getParts(sql, deliverable)
    if (parts !== null) return await page(title, parts)
  } else if (content !== null) return content
  throw new Problem(
    'deliverable_not_ready',
    status === 'failed'
      ? 'The document could not be generated; see error in its record. Generate it again.'
      : 'The document is being generated. Try again shortly.',
  )
}

/** The headers of a document, which can load and do nothing. */
const headersOf = (request: Request, type: MediaType) => ({
  ...SECURITY_HEADERS,
  ...contextOf(request).headers,
  'Content-Type': `${type}; charset=utf-8`,
  'Content-Security-Policy': `default-src 'none'; img-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'${type === 'text/html' ? `; style-src 'sha256-${STYLE_HASH}'` : ''}`,
  'Cache-Control': 'private, no-cache',
})

/** The document as a file to keep. @throws Problem `deliverable_not_ready` if there is no document */
export async function fileOf(
  request: Request,
  deliverable: ResourceKey<'deliverable'>,
  shown: Deliverable,
  type: 'text/html' | 'text/markdown',
): Promise<Response> {
  const text = await documentOf(shown, type, deliverable)
  const name = `${shown.deliverable_type.replaceAll('_', '-')}-${shown.version}.${type === 'text/html' ? 'html' : 'md'}`
  contextOf(request).status = 200
  return new Response(text, { headers: { ...headersOf(request, type), 'Content-Disposition': `attachment; filename="${name}"` } })
}

/**
 * A deliverable in the format that the client accepts.
 * @returns the record, or a response with the document
 * @throws Problem `not_acceptable`; `deliverable_not_ready` if there is no document
 */
export async function negotiate(request: Request, deliverable: ResourceKey<'deliverable'>, shown: Deliverable) {
  const type = negotiateType(request.headers.get('accept'))
  const { headers: given } = contextOf(request)
  given.Vary = given.Vary === undefined ? 'Accept' : `${given.Vary}, Accept`
  if (type === 'application/json') return shown
  const text = await documentOf(shown, type, deliverable)
  const tag = entityTag(shown.updated_at, text)
  const headers = { ...headersOf(request, type), ETag: tag }
  if (matchesEntityTag(request, tag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers })
}

const STYLE = `
:root { color-scheme: light dark; --ink: #17202a; --quiet: #5a6672; --rule: #d5dce3; --paper: #fff; --panel: #f5f7f9; --accent: #0b5cad; --warn: #8a4b00; --warn-paper: #fff6e5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --quiet: #9aa7b4; --rule: #33404d; --paper: #12181f; --panel: #1a222b; --accent: #7db8f0; --warn: #f0b35a; --warn-paper: #2a2213; } }
body { margin: 0 auto; max-width: 48rem; padding: 3rem 1.5rem; font: 1.05rem/1.6 ui-serif, Georgia, serif; color: var(--ink); background: var(--paper); overflow-wrap: break-word; }
h1, h2, h3, h4, h5, table, figcaption, text, nav, summary { font-family: system-ui, sans-serif; }
h1 { font-size: 2rem; line-height: 1.2; } h2 { margin-top: 2.5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--rule); } h3 { margin-top: 1.8rem; }
h2, h3, h4 { scroll-margin-top: 1rem; line-height: 1.3; } :target { outline: 2px solid var(--accent); outline-offset: .3rem; }
a { color: var(--accent); } a, code, strong { unicode-bidi: isolate; } .date { white-space: nowrap; } hr { border: 0; border-top: 1px solid var(--rule); margin: 2.5rem 0 1rem; }
nav { margin: 1.5rem 0 2.5rem; padding: .8rem 1.2rem; background: var(--panel); border: 1px solid var(--rule); border-radius: .4rem; font-size: .95rem; }
nav summary { font-weight: 600; cursor: pointer; } @media print, (min-width: 40.01rem) { nav details::details-content { content-visibility: visible; display: block; height: auto; } nav summary { list-style: none; pointer-events: none; } nav summary::-webkit-details-marker { display: none; } } nav ul { margin: .5rem 0 0; padding: 0; list-style: none; columns: 16rem; } nav li { break-inside: avoid; padding: .1rem 0; } nav li.inner { padding-left: 1rem; font-size: .9rem; } nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
code { font-size: .9em; overflow-wrap: anywhere; } pre { padding: 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--rule); border-radius: .4rem; line-height: 1.45; } pre code { overflow-wrap: normal; } pre.sh { white-space: pre-wrap; } pre.sh code { user-select: all; overflow-wrap: anywhere; }
blockquote { margin: 1.5rem 0; padding: .2rem 1.2rem; border-left: .3rem solid var(--rule); } blockquote.warning { color: var(--ink); background: var(--warn-paper); border-color: var(--warn); } blockquote.warning > p:first-child { margin-bottom: 0; color: var(--warn); }
.wide { margin: 1.2rem 0; overflow-x: auto; } td code { overflow-wrap: break-word; } table { border-collapse: collapse; font-size: .9rem; line-height: 1.45; } th, td { padding: .4rem .7rem; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top; } td { unicode-bidi: isolate; }
[align='right'] { text-align: right; font-variant-numeric: tabular-nums; } figure { margin: 1.5rem 0; } figcaption { color: var(--quiet); font-size: .9rem; } svg text { fill: currentColor; font-size: 14px; }
figure.bars { display: inline-block; box-sizing: border-box; width: 32.5%; min-width: 11rem; margin: 1rem 0 0; padding-right: 1rem; } figure.bars rect { fill: var(--accent); } figure.bars svg text { fill: var(--quiet); font-size: 12px; } figure.bars figcaption { color: var(--ink); font-weight: 600; }
@media (max-width: 40rem) { body { padding: 1.5rem 1rem; font-size: 1rem; } h1 { font-size: 1.6rem; } th, td { padding: .35rem .5rem; } figure.bars { width: 100%; } }
@media print { @page { margin: 18mm 16mm; } :root { --ink: #000; --quiet: #444; --rule: #bbb; --paper: #fff; --panel: #fff; --accent: #000; --warn: #000; --warn-paper: #fff; } body { max-width: none; padding: 0; font-size: 10.5pt; } h2, h3, h4 { break-after: avoid; } tr, pre, figure, blockquote, li { break-inside: avoid; } thead { display: table-header-group; } .wide, pre { overflow: visible; } td code { overflow-wrap: anywhere; } pre { white-space: pre-wrap; } pre code { overflow-wrap: anywhere; } blockquote.warning { border: 1pt solid #000; border-left-width: .3rem; } figure.bars rect { fill: #555; } main a[href^='http']::after { content: ' \\3c ' attr(href) '>'; font-size: .8em; color: var(--quiet); overflow-wrap: anywhere; } td a[href^='http']::after, a.url::after, a[href*='/app/']::after { content: none !important; } }
`

const STYLE_HASH = new Bun.CryptoHasher('sha256').update(STYLE).digest('base64')

/** @param title plain text @param parts JSON, as the worker stored them */
async function page(title: string, parts: string[]): Promise<string> {
  const head = (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{printable(title)}</title>
      <style>{STYLE}</style>
    </head>
  )
  const html: string[] = []
  for (const part of parts) {
    const nodes = (JSON.parse(part) as StoredNode[]).map((node) => restored(node))
    html.push(render(h(Fragment, {}, ...nodes)))
    // A large document takes long: other requests go on in between.
    await setImmediate()
  }
  return `<!doctype html>\n<html lang="en">\n${render(head)}\n<body>\n<main>\n${html.join('\n')}</main>\n</body>\n</html>\n`
}
