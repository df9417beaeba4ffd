/** Sections, tables, lists and links between the pages of a list. */
import type { ComponentChildren } from 'preact'
import { pathWith } from '../urls.ts'
import { Time } from './text.tsx'

interface SectionProps {
  title: string
  count?: number
  aside?: ComponentChildren
  /** An id, by which the section is known again when the page has changed. */
  live?: string
  children: ComponentChildren
}

export function Section({ title, count, aside, live, children }: SectionProps) {
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

export interface RowParts {
  /** A state: a pill or a dot. */
  state?: ComponentChildren
  /** Where the row leads to. */
  href?: string | null
  what: ComponentChildren
  beside?: ComponentChildren
  below?: ComponentChildren
  /** When, or how much. */
  end?: ComponentChildren
  /** Buttons. */
  actions?: ComponentChildren
}

interface RowsProps<Item> {
  /** What the list has, for screen readers. */
  label: string
  of: Item[]
  row: (item: Item) => RowParts
  /** What stands in place of a list without rows, as in `Empty`. */
  children?: ComponentChildren
}

/** A list of things. A table is for figures that people compare. */
export function Rows<Item>({ label, of, row, children }: RowsProps<Item>) {
  if (of.length === 0 && children !== undefined) return <Empty>{children}</Empty>
  return (
    <ul class="rows" aria-label={label}>
      {of.map(row).map(({ state, href, what, beside, below, end, actions }) => (
        <li>
          <div class="about">
            {state}
            <div class="what">
              {href ? <a href={href}>{what}</a> : <span>{what}</span>}
              {beside && <span class="beside"> {beside}</span>}
              {below && <p>{below}</p>}
            </div>
          </div>
          {end && <div class="end">{end}</div>}
          {actions}
        </li>
      ))}
    </ul>
  )
}

export interface Column<Row> {
  head: string
  cell: (row: Row) => ComponentChildren
  /** Numbers and amounts are aligned at their end. */
  numeric?: boolean
  /** The column that names the row. */
  main?: boolean
}

interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string
  columns: Column<Row>[]
  rows: Row[]
  /** What stands in place of a table without rows, as in `Empty`. */
  children?: ComponentChildren
}

/** A table of figures that people compare. On narrow screens it scrolls within its frame. */
export function Table<Row>({ label, columns, rows, children }: TableProps<Row>) {
  if (rows.length === 0 && children !== undefined) return <Empty>{children}</Empty>
  const kindOf = ({ numeric, main }: Column<Row>) => (numeric ? 'numeric' : main ? 'main' : undefined)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section class="table" aria-label={label} tabIndex={0}>
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
                <td class={kindOf(column)}>{column.cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function Facts({ of }: { of: [name: string, value: ComponentChildren][] }) {
  const known = of.filter(([, value]) => value !== null && value !== undefined)
  if (known.length === 0) return null
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A link of a pager; its text alone where there is nothing to go to. */
const Turn = ({ to, rel, text }: { to: string | null; rel?: string; text: string }) =>
  to === null ? (
    <span class="hint">{text}</span>
  ) : (
    <a href={to} rel={rel}>
      {text}
    </a>
  )

export function Pager({ url, page, page_size, total }: { url: URL; page: number; page_size: number; total: number }) {
  const last = Math.max(1, Math.ceil(total / page_size))
  if (last === 1 && page === 1) return null
  const to = (target: number) => pathWith(url, { page: String(target) })
  return (
    <nav class="pager" aria-label="Pages">
      <Turn to={page > 1 ? to(page - 1) : null} rel="prev" text="Newer" />
      <span>
        Page {page} of {last}
      </span>
      <Turn to={page < last ? to(page + 1) : null} rel="next" text="Older" />
    </nav>
  )
}

/** Links to the newest and to older items. @param after the cursor after the last item shown; null if there are no older ones */
export function CursorPager({ url, after }: { url: URL; after: string | null }) {
  const isFirst = !url.searchParams.has('after')
  if (isFirst && after === null) return null
  return (
    <nav class="pager" aria-label="Pages">
      <Turn to={isFirst ? null : pathWith(url, { after: null })} text="Newest" />
      <Turn to={after === null ? null : pathWith(url, { after })} rel="next" text="Older" />
    </nav>
  )
}

/** What happened, in the order of the times: to the second if two of them fell into one minute. */
export function Timeline({ of }: { of: { at: string; content: ComponentChildren }[] }) {
  const minutes = new Set(of.map(({ at }) => at.slice(0, 16)))
  const exact = minutes.size < of.length ? 'seconds' : true
  return (
    <ol class="timeline">
      {of.map(({ at, content }) => (
        <li>
          <Time at={at} exact={exact} />
          <div>{content}</div>
        </li>
      ))}
    </ol>
  )
}
