/** Content negotiation for deliverables: the JSON record, Markdown, or a self-contained HTML page. */

import { sql } from '../../core/platform/database.ts'
import { contextOf } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { entityTag, matchesEntityTag, SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { getParts } from './deliverables.ts'
import { page } from './page.tsx'
import type { Deliverable } from './schema.ts'
import { STYLE_HASH } from './style.ts'

const TYPES = ['application/json', 'text/markdown', 'text/html'] as const

type MediaType = (typeof TYPES)[number]

/** How specifically a media range matches a type; 0 if it does not. */
function specificity(range: string, type: MediaType): number {
  if (range === type) return 3
  if (range === `${type.split('/')[0]}/*`) return 2
  return range === '*/*' ? 1 : 0
}

/**
 * The preferred type (RFC 9110, section 12.5.1); the first of `TYPES` among equals.
 *
 * @throws Problem `not_acceptable`
 */
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

/**
 * The document in a format.
 *
 * @throws Problem `deliverable_not_ready`
 */
async function documentOf(
  { title, status, content }: Deliverable,
  type: MediaType,
  deliverable: ResourceKey<'deliverable'>,
): Promise<string> {
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

/**
 * The document as a file to keep.
 *
 * @throws Problem `deliverable_not_ready` if there is no document
 */
export async function fileOf(
  request: Request,
  deliverable: ResourceKey<'deliverable'>,
  shown: Deliverable,
  type: 'text/html' | 'text/markdown',
): Promise<Response> {
  const text = await documentOf(shown, type, deliverable)
  const name = `${shown.deliverable_type.replaceAll('_', '-')}-${shown.version}.${type === 'text/html' ? 'html' : 'md'}`
  contextOf(request).status = 200
  return new Response(text, {
    headers: { ...headersOf(request, type), 'Content-Disposition': `attachment; filename="${name}"` },
  })
}

/**
 * A deliverable in the format that the client accepts.
 *
 * @returns the record, or a response with the document
 * @throws Problem `not_acceptable`; `deliverable_not_ready` if there is no document
 */
export async function negotiate(
  request: Request,
  deliverable: ResourceKey<'deliverable'>,
  shown: Deliverable,
): Promise<Deliverable | Response> {
  const type = negotiateType(request.headers.get('accept'))
  if (type === 'application/json') return shown
  const text = await documentOf(shown, type, deliverable)
  const tag = entityTag(shown.updated_at, text)
  const headers = { ...headersOf(request, type), Vary: 'Accept', ETag: tag }
  if (matchesEntityTag(request, tag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers })
}
