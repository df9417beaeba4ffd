/** Finds the pages of the app by following links, as a person would. */
import { PageClient } from '../support/page-client.ts'
import type { Box } from '../support/signalbox.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const MAX_PAGES = 400
/** Of each kind, so that different states are seen. */
const PAGES_PER_KIND = 2

/** @returns the paths of pages by kind, such as `/app/gates/{id}` */
export async function crawl(box: Box, email: string): Promise<Map<string, string[]>> {
  const visitor = await PageClient.signedIn(box, { email } as Parameters<typeof PageClient.signedIn>[1])
  const found = new Map<string, string[]>()
  const waiting = ['/app']
  const seen = new Set(waiting)
  for (let path = waiting.shift(); path !== undefined && seen.size < MAX_PAGES; path = waiting.shift()) {
    const kind = path.replace(/\?.*$/, '').replaceAll(UUID, '{id}')
    const known = found.get(kind) ?? []
    if (known.length >= PAGES_PER_KIND) continue
    const { status, document } = await visitor.open(path)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    found.set(kind, [...known, path])
    for (const link of document.querySelectorAll('a[href]')) {
      const { pathname, search, origin } = new URL(link.getAttribute('href') ?? '', box.base + path)
      const next = pathname + search
      if (origin !== box.base || !pathname.startsWith('/app') || seen.has(next)) continue
      seen.add(next)
      waiting.push(next)
    }
  }
  return found
}
