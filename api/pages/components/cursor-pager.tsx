/** Links between the parts of a list that is read with a cursor. */

/**
 * Links to the newest and to older items. Other parameters of the URL stay.
 *
 * @param after the id of the last item shown; null if there are no older ones
 */
export function CursorPager({ url, after }: { url: URL; after: string | null }) {
  const isFirst = !url.searchParams.has('after')
  if (isFirst && after === null) return null
  const to = (cursor: string | null) => {
    const search = new URLSearchParams(url.search)
    if (cursor === null) search.delete('after')
    else search.set('after', cursor)
    return `${url.pathname}?${search}`
  }
  return (
    <nav class="pager" aria-label="Pages">
      {isFirst ? <span class="hint">Newest</span> : <a href={to(null)}>Newest</a>}
      {after === null ? (
        <span class="hint">Older</span>
      ) : (
        <a href={to(after)} rel="next">
          Older
        </a>
      )}
    </nav>
  )
}
