/** The names of pages that follow changes: in the URL of the stream, and in its events. */
import { scopePath, userPath } from '../../core/changes.ts'
import type { Scope } from '../../core/scopes.ts'
import { Form, Maybe, Shape } from '../../core/values/schema.ts'
import { UUID_PATTERN } from '../../core/values/uuids.ts'

/** What needs its reader, what belongs to them, or what is in a scope: an organization, workspace or project. */
export type LivePage = 'overview' | 'account' | `in:${string}`

/** The name of a page about a resource, or about its reader. */
export const livePageOf = (resource: Scope | null): LivePage => (resource ? `in:${scopePath(resource)}` : 'account')

/** Pages that one stream follows. */
const MAX_PAGES = 20

const UUID = UUID_PATTERN.replace(/^\^|\$$/g, '')
const NAME = `(?:overview|account|in:${UUID}(?:/${UUID}){0,2})`

export const LiveQuery = Shape({
  pages: Maybe(Form(`^${NAME}(?:,${NAME}){0,${MAX_PAGES - 1}}$`, `must be names of pages, up to ${MAX_PAGES}`)),
})

/** The pages that a query names; by default what needs the reader. */
export const livePagesIn = (pages = 'overview'): LivePage[] => [...new Set(pages.split(','))] as LivePage[]

/** The ids of the scope of a page, the outermost first; none for pages about the reader. */
export const idsIn = (page: LivePage): string[] => (page.startsWith('in:') ? page.slice('in:'.length).split('/') : [])

/**
 * What a page depends on: anything in its scope, what is set for the scopes around it, and its reader.
 *
 * @returns keys of `api/pages/changes.ts`
 */
export function keysOf(page: LivePage, user_id: string): string[] {
  const ids = idsIn(page)
  const around = ids.slice(0, -1).map((_, index) => `=${ids.slice(0, index + 1).join('/')}`)
  return [userPath(user_id), ...around, ...(ids.length > 0 ? [ids.join('/')] : [])]
}
