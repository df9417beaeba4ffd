/** Pagination by page number, with a total. */

/** The requested page, counted from 1. */
export interface PageQuery {
  page: number
  page_size: number
}

/** How many rows precede the page. */
export const offsetOf = ({ page, page_size }: PageQuery): number => (page - 1) * page_size

/** The response body of a paged endpoint. */
export const paged = <Row>({ page, page_size }: PageQuery, total: number, items: Row[]) => ({ total, page, page_size, items })
