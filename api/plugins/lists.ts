/** Plain lists: an array, and a `Link` to what follows where there is more. */
import { listQuery, Maybe, Uuid } from '../../core/values/schema.ts'
import { contextOf } from './request-context.ts'

/** The query of a plain list. */
export const LIST = { ...listQuery, after: Maybe(Uuid) }

/** How much of a list is wanted: one more is read than is shown, to know whether there is more. */
export interface Slice {
  limit: number
  /** The last id of what came before; of a member, the id of the user. */
  after: string | null
}

/**
 * Answers a list.
 *
 * @param read reads up to `limit` rows
 */
export async function listed<Row extends { id: string } | { user_id: string }>(
  request: Request,
  query: { limit: number; after?: string },
  read: (slice: Slice) => Promise<Row[]>,
): Promise<Row[]> {
  const rows = await read({ limit: query.limit + 1, after: query.after ?? null })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  if (rows.length > query.limit && last) {
    const next = new URL(request.url)
    next.searchParams.set('after', 'id' in last ? last.id : last.user_id)
    contextOf(request).headers.Link = `<${next.pathname}${next.search}>; rel="next"`
  }
  return shown
}
