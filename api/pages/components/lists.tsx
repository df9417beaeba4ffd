/** Lists that are read in parts, tabs, and filters. */
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Maybe, Uuid } from '../../../core/values/schema.ts'
import type { Slice } from '../../plugins/lists.ts'
import { RefusedForm } from './forms.tsx'
import { Notice } from './text.tsx'

/** Rows of a list that a page shows at a time. */
const PART = 25

/** A parameter of the query: the last row of the part before. */
export const Cursor = Maybe(Uuid)

/** The part of a list that starts after a row; one row more tells whether there are others. */
export const partAfter = (after: string | undefined): Slice => ({ limit: PART + 1, after: after ?? null })

/** The rows that the page shows. */
export const shownOf = <Row,>(rows: Row[]): Row[] => rows.slice(0, PART)

/**
 * Links to the next part of a list, and to its start.
 *
 * @param name the parameter of the query with the cursor
 * @param rows as read with `partAfter`
 */
export function Parts<Row>({
  of,
  url,
  name,
  rows,
  idOf,
}: {
  of: string
  url: URL
  name: string
  rows: Row[]
  idOf: (row: Row) => string
}) {
  const last = rows[PART - 1]
  const isFirst = !url.searchParams.get(name)
  const hasMore = rows.length > PART && last !== undefined
  if (isFirst && !hasMore) return null
  const to = (after: string | null) => {
    const search = new URLSearchParams(url.search)
    if (after === null) search.delete(name)
    else search.set(name, after)
    return `${url.pathname}?${search}`
  }
  return (
    <nav class="pager" aria-label={`Parts of ${of}`}>
      {!isFirst && (
        <a href={to(null)} rel="first">
          First {of}
        </a>
      )}
      {hasMore && (
        <a href={to(idOf(last))} rel="next">
          More {of}
        </a>
      )}
    </nav>
  )
}

/** Links between the pages about one thing. */
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
  options?: [value: string, text: string][]
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
      {error && (
        <p class="wrong" id={`${id}-error`}>
          {of.label} {error}.
        </p>
      )}
    </div>
  )
}

/** A form that filters the page: its fields are parameters of the URL, and show what the URL has. */
export function Filters({
  url,
  fields,
  keep = {},
  button = 'Filter',
}: {
  url: URL
  fields: FilterField[]
  /** Further parameters that stay. */
  keep?: Record<string, string | undefined>
  button?: string
}) {
  const refused = useContext(RefusedForm)
  const own = refused?.action === url.pathname ? refused : null
  if (own) own.isShown = true
  const isFiltered = [...fields.map(({ name }) => name), ...Object.keys(keep)].some((name) => url.searchParams.get(name))
  return (
    <form method="get" action={url.pathname} class="filters">
      {own?.message && (
        <div role="alert">
          <Notice tone="bad">{own.message}</Notice>
        </div>
      )}
      {Object.entries(keep).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
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

/** Buttons of a row, side by side. */
export const Actions = ({ children }: { children: ComponentChildren }) => <div class="buttons">{children}</div>
