/** Lists in parts. Each part but the last has a `Link` header to the next, whose cursor holds the sort key of the last row shown. */
import { sql } from '../../core/platform/database.ts'
import { inUtc, isInstant } from '../../core/values/instants.ts'
import { listQuery, Maybe, pageQuery, Type } from '../../core/values/schema.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import { contextOf } from './request-context.ts'

/** More than the longest key needs: the name of a model, 200 code points. */
const MAX_LENGTH = 1200

export const Cursor = Maybe(
  Type.String({ maxLength: MAX_LENGTH, description: 'The cursor in the `Link` header of the previous part.' }),
)

export const LIST = { ...listQuery, after: Cursor }

export const PAGED_LIST = {
  ...pageQuery,
  after: Maybe(
    Type.String({
      maxLength: MAX_LENGTH,
      description: 'Instead of `page`: the cursor in the `Link` header of the previous part. `page` is then 1 in the response.',
    }),
  ),
}

/** The sort key of a row, as text. */
export type Key = readonly string[]

/** How a list is sorted. A key must not change, or a walk could miss its row. */
export interface Order<Row> {
  keyOf: (row: Row) => Key
  /** Whether a text can be this part of a key. Cursors can be forged. */
  parts: readonly ((text: string) => boolean)[]
  /** Tells lists of one URL apart. */
  variant?: string
}

const isTime = (text: string): boolean => isInstant(text) && inUtc(text) === text
export const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** By a time, then by an id, both in descending order. */
export const latestFirst = <Row>(keyOf: (row: Row) => [time: string, id: string]): Order<Row> => ({
  keyOf,
  parts: [isTime, isUuid],
})

export const NEWEST_FIRST = latestFirst(({ created_at, id }: { created_at: string; id: string }) => [created_at, id])
export const BY_JOINING = latestFirst(({ joined_at, user_id }: { joined_at: string; user_id: string }) => [joined_at, user_id])

/** Newest first: ids begin with a time. */
export const BY_ID: Order<{ id: string }> = { keyOf: ({ id }) => [id], parts: [isUuid] }

export interface Slice {
  /** One more row than is returned to the client, to know whether there is more. */
  limit: number
  /** The key of the last row of the previous part; null for the first part. */
  after: Key | null
}

/** Rows of a list; fewer than were asked for if there was no room for more. */
type Part<Row> = Row[] & { isCut?: boolean }

/** The query of a list with page numbers, with the key that its cursor holds. Pages of the web app have none. */
export type Paged<Query> = Omit<Query, 'after'> & { after?: Key | null }

/** SQL: the rows that follow a key in a list that is sorted in descending order. @param columns that the list is sorted by */
export const following = (columns: Fragment, after: Key | null | undefined): Fragment =>
  after ? sql`and (${columns}) < (${after.map((part, index) => (index === 0 ? sql`${part}` : sql`, ${part}`))})` : sql``

/** Where a cursor is used: the path of its list, and the parameter of the query. */
interface Place {
  path: string
  name: string
}

/** Binds a cursor to its list. It is no secret: a forged cursor selects from the same rows. */
const tagOf = <Row>({ path, name }: Place, { variant = '' }: Order<Row>): string =>
  new Bun.CryptoHasher('sha256').update(`${path} ${name} ${variant}`).digest('base64url').slice(0, 8)

const encoded = (tag: string, key: Key): string => Buffer.from(JSON.stringify([tag, ...key])).toString('base64url')

function decoded(cursor: string): unknown[] {
  try {
    const [...values] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return values
  } catch {
    return []
  }
}

export const cursorAfter = <Row>(place: Place, order: Order<Row>, row: Row): string =>
  encoded(tagOf(place, order), order.keyOf(row))

/** The key in a cursor; null without one. @throws Problem `validation_failed` if it is no cursor of the list */
export function keyIn<Row>(place: Place, order: Order<Row>, cursor: string | undefined): Key | null {
  if (cursor === undefined) return null
  const [tag, ...key] = decoded(cursor) as string[]
  const isKey = key.length === order.parts.length && key.every((part, at) => typeof part === 'string' && order.parts[at]?.(part))
  if (tag === tagOf(place, order) && isKey && encoded(tag, key) === cursor) return key
  throw invalidField(`/${place.name}`, 'malformed', 'is no cursor of this list: take it from the `Link` of the previous part')
}

const placeOf = (request: Request): Place => ({ path: contextOf(request).path, name: 'after' })

/** The cursor in a `Link` header of ours; null without one. */
export const cursorIn = (link: string | undefined): string | null => (link && /[?&]after=([\w-]+)/.exec(link)?.[1]) ?? null

function linkNext<Row>(request: Request, order: Order<Row>, last: Row): void {
  const next = new URL(request.url)
  next.searchParams.delete('page')
  next.searchParams.set('after', cursorAfter(placeOf(request), order, last))
  contextOf(request).headers.Link = `<${next.pathname}${next.search}>; rel="next"`
}

/** Reads one part of a list and sets the `Link` header. @throws Problem `validation_failed` if `after` is no cursor of it */
export async function listed<Row>(
  request: Request,
  query: { limit: number; after?: string },
  order: Order<Row>,
  read: (slice: Slice) => Promise<Part<Row>>,
): Promise<Row[]> {
  const rows = await read({ limit: query.limit + 1, after: keyIn(placeOf(request), order, query.after) })
  const shown = rows.slice(0, query.limit)
  const last = shown.at(-1)
  if ((rows.length > query.limit || rows.isCut) && last) linkNext(request, order, last)
  return shown
}

/** @param read as with `readPage` @throws Problem `validation_failed` if `after` is no cursor of this list, or if `page` is given as well */
export async function listedPage<Row, Query extends { after?: string }, Page extends { items: Part<Row> }>(
  request: Request,
  { after, ...query }: Query,
  order: Order<Row>,
  read: (query: Omit<Query, 'after'> & { after: Key | null }) => Promise<Page>,
): Promise<Page> {
  if (after !== undefined && new URL(request.url).searchParams.has('page'))
    throw invalidField('/page', 'not_allowed', 'must be omitted if after is given')
  const page = await read({ ...query, after: keyIn(placeOf(request), order, after) })
  const last = page.items.at(-1)
  if (page.items.isCut && last) linkNext(request, order, last)
  return page
}

export interface PageQuery {
  page: number
  page_size: number
  after?: Key | null
}

const offsetOf = ({ page, page_size }: PageQuery): number => (page - 1) * page_size

/** SQL: the rows of a page, and one more, which tells whether there are others. */
export const pageLimit = (query: PageQuery): Fragment => sql`limit ${query.page_size + 1} offset ${offsetOf(query)}`

/** The response body of a paged endpoint. @param rows as read with `pageLimit` */
export function paged<Row>({ page, page_size }: PageQuery, total: number, rows: Row[]) {
  const items: Part<Row> = rows.slice(0, page_size)
  return { total, page, page_size, items: Object.assign(items, { isCut: rows.length > page_size }) }
}

/**
 * Reads the total and the items of a page in one statement, so that both are of one moment.
 *
 * @param total a query with one value
 * @param items a query with the rows of the page and `pageLimit`, in their order; not run if the page is behind the end
 */
export async function readPage<Row extends object>(db: Queryable, query: PageQuery, total: Fragment, items: Fragment) {
  const rows = await db<(Row & { page_total: number; is_item: true | null })[]>`
    select counted.page_total, page.*
    -- Without the first offset PostgreSQL would count twice: for the total, and to compare it; without the second it would read the items
    -- before it compares.
    from (select (${total}) as page_total offset 0) as counted
    left join lateral (
      select true as is_item, item.*
      from (${items}) as item
      where counted.page_total > ${offsetOf(query)}::bigint
      offset 0
    ) as page on true
  `
  const found = rows.filter(({ is_item }) => is_item)
  return paged(
    query,
    rows[0]?.page_total ?? 0,
    found.map(({ page_total: _, is_item: __, ...item }) => item as unknown as Row),
  )
}
