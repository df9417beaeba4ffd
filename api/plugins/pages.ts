/** Pagination by page number, with a total. */
import type { Fragment, Queryable } from '../../sql/index.ts'

/** The requested page, counted from 1. */
export interface PageQuery {
  page: number
  page_size: number
}

/** How many rows precede the page. */
export const offsetOf = ({ page, page_size }: PageQuery): number => (page - 1) * page_size

/** The response body of a paged endpoint. */
export const paged = <Row>({ page, page_size }: PageQuery, total: number, items: Row[]) => ({ total, page, page_size, items })

/**
 * Reads the total and the items of a page in one statement, so that both are of one moment.
 *
 * @param total a query with one value
 * @param items a query with the rows of the page, in their order; not run if the page is behind the end
 */
export async function readPage<Row extends object>(db: Queryable, query: PageQuery, total: Fragment, items: Fragment) {
  const rows = await db<(Row & { page_total: number; is_item: true | null })[]>`
    select counted.page_total, page.*
    from (select (${total}) as page_total) as counted
    left join lateral (
      select true as is_item, item.*
      from (${items}) as item
      where counted.page_total > ${offsetOf(query)}::bigint
    ) as page on true
  `
  const found = rows.filter(({ is_item }) => is_item)
  return paged(
    query,
    rows[0]?.page_total ?? 0,
    found.map(({ page_total: _, is_item: __, ...item }) => item as unknown as Row),
  )
}
