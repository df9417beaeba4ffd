/** The forms in which a document leaves: the record, its Markdown, or one self-contained page. */

import { contextOf } from '../plugins/request-context.ts'
import { entityTag, matchesEntityTag, SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import type { Deliverable } from './schema.ts'

const TYPES = ['application/json', 'text/markdown', 'text/html'] as const

type MediaType = (typeof TYPES)[number]

/** How well a media range fits a type: 0 for not at all, more for a closer one. */
function fit(range: string, type: MediaType): number {
  if (range === type) return 3
  if (range === `${type.split('/')[0]}/*`) return 2
  return range === '*/*' ? 1 : 0
}

/**
 * The type that a caller likes best (RFC 9110, section 12.5.1); among equals the first of `TYPES`.
 *
 * @throws Problem `not_acceptable`
 */
function accepted(header: string | null): MediaType {
  if (header === null || header.trim() === '') return 'application/json'
  const ranges = header.split(',').map((each) => {
    const [range = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    return { range, quality: quality === undefined ? 1 : Number(quality) || 0 }
  })
  const liked = TYPES.map((type) => {
    const [best] = ranges
      .filter(({ range }) => fit(range, type) > 0)
      .sort((one, other) => fit(other.range, type) - fit(one.range, type))
    return { type, quality: best?.quality ?? 0 }
  })
  const best = Math.max(...liked.map(({ quality }) => quality))
  const chosen = liked.find(({ quality }) => quality > 0 && quality === best)
  if (!chosen) throw new Problem('not_acceptable', `A deliverable can be had as ${TYPES.join(', ')}.`)
  return chosen.type
}

/** The renderer and the sanitiser are loaded by the first who wants a page: a tenth of a start is theirs. */
async function rendered(title: string, markdown: string) {
  const { page } = await import('./page.ts')
  return page(title, markdown)
}

/**
 * A deliverable as its caller wants it.
 *
 * @returns the record, or a response that holds the document
 * @throws Problem `not_acceptable`, or `deliverable_not_ready` where there is no document (yet)
 */
export async function negotiated(request: Request, deliverable: Deliverable): Promise<Deliverable | Response> {
  const type = accepted(request.headers.get('accept'))
  if (type === 'application/json') return deliverable
  if (deliverable.content === null) {
    throw new Problem(
      'deliverable_not_ready',
      deliverable.status === 'failed'
        ? 'The document could not be made; its record says why. Generate it again.'
        : 'The document is being made. Ask again in a moment.',
    )
  }
  const body =
    type === 'text/html' ? await rendered(deliverable.title, deliverable.content) : { text: deliverable.content, style: null }
  const tag = entityTag(deliverable.updated_at, body.text)
  const headers = {
    ...SECURITY_HEADERS,
    ...contextOf(request).headers,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Security-Policy': `default-src 'none'; img-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'${body.style ? `; style-src 'sha256-${body.style}'` : ''}`,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept',
    ETag: tag,
  }
  if (matchesEntityTag(request, tag)) return new Response(null, { status: 304, headers })
  return new Response(body.text, { headers })
}
