/** Pages: how many there are, and the rows of one of them. */

/** Which page is wanted. */
export interface PageQuery {
  page: number
  page_size: number
}

/** Rows to pass over before the page begins. */
export const offsetOf = ({ page, page_size }: PageQuery): number => (page - 1) * page_size

/** The answer of a paged endpoint. */
export const paged = <Row>({ page, page_size }: PageQuery, total: number, items: Row[]) => ({ total, page, page_size, items })
