/** Lists that are read in parts, tabs, and filters. */
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { cursorAfter, keyIn, type Order, type Slice } from '../../plugins/lists.ts'
import { pathWith } from '../urls.ts'
import { type Options, RefusedForm, Wrong } from './forms.tsx'
import { Notice } from './text.tsx'

/** Rows of a list that a page shows at a time. */
const PART = 25

/** The rows after a cursor; one row more tells whether there are others. @throws Problem `validation_failed` */
export const partAfter = <Row,>(url: URL, query: object, name: string, order: Order<Row>, size = PART): Slice => ({
  limit: size + 1,
  after: keyIn({ path: url.pathname, name }, order, (query as Record<string, string | undefined>)[name]),
})

export const shownOf = <Row,>(rows: Row[], size = PART): Row[] => rows.slice(0, size)

type PartsProps<Row> = { of: string; url: URL; name: string; rows: Row[]; order: Order<Row>; size?: number }

/** Links to the next part of a list, and to its start. @param rows as read with `partAfter` */
export function Parts<Row>({ of, url, name, rows, order, size = PART }: PartsProps<Row>) {
  const last = rows[size - 1]
  const isFirst = !url.searchParams.get(name)
  const hasMore = rows.length > size && last !== undefined
  if (isFirst && !hasMore) return null
  const to = (after: string | null) => pathWith(url, { [name]: after })
  return (
    <nav class="pager" aria-label={`Parts of ${of}`}>
      {!isFirst && (
        <a href={to(null)} rel="first">
          First {of}
        </a>
      )}
      {hasMore && (
        <a href={to(cursorAfter({ path: url.pathname, name }, order, last))} rel="next">
          More {of}
        </a>
      )}
    </nav>
  )
}

export function Tabs({ label, path, tabs }: { label: string; path: string; tabs: [href: string, text: string][] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([href, text]) => (
        <a href={href} aria-current={href === path ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  )
}

interface FilterField {
  name: string
  label: string
  type?: 'text' | 'search' | 'date'
  hint?: string
  /** What the field shows instead of what the URL has, such as the name for an id. */
  shown?: string | undefined
  /** The allowed values, if they are few. */
  options?: Options
}

function FilterInput({ of, value }: { of: FilterField; value: string }) {
  const error = useContext(RefusedForm)?.errors[of.name] ?? null
  const id = `filter-${of.name}`
  const described = [of.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const attributes = {
    id,
    name: of.name,
    'aria-describedby': described || undefined,
    'aria-invalid': error !== null || undefined,
  }
  return (
    <div class="field">
      <label for={id}>{of.label}</label>
      {of.options ? (
        <select {...attributes}>
          {of.options.map(([each, text]) => (
            <option value={each} selected={each === value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input {...attributes} type={(of.type ?? 'text') as 'text'} value={value} />
      )}
      {of.hint && (
        <p class="hint" id={`${id}-hint`}>
          {of.hint}
        </p>
      )}
      {error && <Wrong id={id} text={`${of.label} ${error}.`} />}
    </div>
  )
}

/** A form that filters the page: its fields are parameters of the URL, and show what the URL has. */
export function Filters({ url, fields, button = 'Filter' }: { url: URL; fields: FilterField[]; button?: string }) {
  const refused = useContext(RefusedForm)
  const own = refused?.action === url.pathname ? refused : null
  if (own) own.isShown = true
  const isFiltered = fields.some(({ name }) => url.searchParams.get(name))
  return (
    <form method="get" action={url.pathname} class="filters">
      {own?.message && (
        <div role="alert">
          <Notice tone="bad">{own.message}</Notice>
        </div>
      )}
      {fields.map((field) => (
        <FilterInput of={field} value={field.shown ?? url.searchParams.get(field.name) ?? ''} />
      ))}
      <div class="buttons">
        <button type="submit" class="quiet">
          {button}
        </button>
        {isFiltered && <a href={url.pathname}>Show all</a>}
      </div>
    </form>
  )
}

export const Actions = ({ children }: { children: ComponentChildren }) => <div class="buttons">{children}</div>
