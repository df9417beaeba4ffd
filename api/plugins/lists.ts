/** Cursor pagination: an array, with a `Link` header to the next part if there is more. */
import { listQuery, Maybe, Uuid } from '../../core/values/schema.ts'
import { contextOf } from './request-context.ts'

/** Query parameters of a list. */
export const LIST = { ...listQuery, after: Maybe(Uuid) }

/** The part of a list to read. */
export interface Slice {
  /** One more row than is returned to the client, to know whether there is more. */
  limit: number
  /** The last id of the previous part; for members, the user id. */
  after: string | null
}

/** Rows of a list; fewer than were asked for if there was no room for more. */
export type Part<Row> = Row[] & { isCut?: boolean }

/**
 * Reads one part of a list and sets the `Link` header.
 *
 * @param read reads up to `limit` rows after `after`
 */
export async function listed<Row extends { id: string } | { user_id: string }>(
  request: Request,
  query: { limit: number; after?: string },
  read: (slice: Slice) => Promise<Part<Row>>,
): Promise<Row[]> {
  const rows = await read({ limit: query.limit + 1, after: query.after ?? null })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  if ((rows.length > query.limit || rows.isCut) && last) {
    const next = new URL(request.url)
    next.searchParams.set('after', 'id' in last ? last.id : last.user_id)
    contextOf(request).headers.Link = `<${next.pathname}${next.search}>; rel="next"`
  }
  return shown
}
