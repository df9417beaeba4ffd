/** Sections, tables and lists. */
import type { ComponentChildren } from 'preact'

/** A part of a page with a heading. */
export function Section({
  title,
  count,
  aside,
  live,
  children,
}: {
  title: string
  count?: number
  /** Beside the heading, such as a button. */
  aside?: ComponentChildren
  /** An id, by which the section is known again when the page has changed. */
  live?: string
  children: ComponentChildren
}) {
  return (
    <section id={live}>
      <div class="heading">
        <h2>
          {title}
          {count !== undefined && count > 0 && <span class="count">{count}</span>}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** What an empty list says: that there is nothing, and what to do next. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>

export interface Column<Row> {
  head: string
  cell: (row: Row) => ComponentChildren
  /** Numbers and amounts are aligned at their end. */
  numeric?: boolean
  /** The column that names the row. */
  main?: boolean
  /** Its words are not broken, however little room long addresses beside it leave. */
  word?: boolean
}

/**
 * A table. On narrow screens each row is a block, with the heads as labels.
 *
 * @param label what the table lists, for screen readers
 */
export function Table<Row>({ label, columns, rows }: { label: string; columns: Column<Row>[]; rows: Row[] }) {
  const kindOf = ({ numeric, main, word }: Column<Row>) => (numeric ? 'numeric' : main ? 'main' : word ? 'word' : undefined)
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={kindOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) => (
              <td class={kindOf(column)} data-head={column.head}>
                <div>{column.cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Names and values; entries whose value is null are left out. */
export function Facts({ of }: { of: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Links to the pages before and after the one shown. Other parameters of the URL stay. */
export function Pager({ url, page, page_size, total }: { url: URL; page: number; page_size: number; total: number }) {
  const last = Math.max(1, Math.ceil(total / page_size))
  if (last === 1 && page === 1) return null
  const to = (target: number) => {
    const search = new URLSearchParams(url.search)
    search.set('page', String(target))
    return `${url.pathname}?${search}`
  }
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 ? (
        <a href={to(page - 1)} rel="prev">
          Newer
        </a>
      ) : (
        <span class="hint">Newer</span>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last ? (
        <a href={to(page + 1)} rel="next">
          Older
        </a>
      ) : (
        <span class="hint">Older</span>
      )}
    </nav>
  )
}
