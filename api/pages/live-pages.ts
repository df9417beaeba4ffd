/** The names of pages that follow changes: in the URL of the stream, and in its events. */
import { Form, Maybe, Shape } from '../../core/values/schema.ts'
import { UUID_PATTERN } from '../../core/values/uuids.ts'
import { type ResourceKey, resourceKey } from '../plugins/resources.ts'

/** What needs its reader, or a gate, with its organization. */
export type LivePage = 'overview' | `gate:${string}:${string}`

export const gateLivePage = ({ id, organization_id }: ResourceKey<'gate'>): LivePage => `gate:${organization_id}:${id}`

/** Pages that one stream follows. */
const MAX_PAGES = 20

const UUID = UUID_PATTERN.replace(/^\^|\$$/g, '')
const NAME = `(?:overview|gate:${UUID}:${UUID})`

export const LiveQuery = Shape({
  pages: Maybe(Form(`^${NAME}(?:,${NAME}){0,${MAX_PAGES - 1}}$`, `must be names of pages, up to ${MAX_PAGES}`)),
})

/** The pages that a query names; by default what needs the reader. */
export const livePagesIn = (pages = 'overview'): LivePage[] => [...new Set(pages.split(','))] as LivePage[]

/** The gate of a page; null for what needs its reader. */
export function gateOf(page: LivePage): ResourceKey<'gate'> | null {
  const [, organization_id, id] = page.split(':')
  return organization_id !== undefined && id !== undefined ? resourceKey('gate', id, { organization_id }) : null
}
