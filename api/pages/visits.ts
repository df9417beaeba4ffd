/** How a page was requested. */

/**
 * Whether a person opens a page, rather than a program that only looks at a link, or a browser that loads it ahead: neither must use
 * up what the link contains.
 */
export function isVisit({ method, headers }: Request): boolean {
  const purpose = ['Sec-Purpose', 'Purpose', 'X-Purpose', 'X-Moz'].map((name) => headers.get(name) ?? '').join(' ')
  const destination = headers.get('Sec-Fetch-Dest') ?? 'document'
  return method === 'GET' && !/prefetch|prerender|preview/i.test(purpose) && destination === 'document'
}
