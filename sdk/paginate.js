/** Iterates over lists. */
import { SignalboxError } from './error.js'

/**
 * The query of the next part of a list, which goes on after the last item of this one. Page numbers would skip items when some are
 * deleted meanwhile.
 *
 * @param {any} query
 * @param {Response} response
 */
function nextQuery({ page: _, ...query } = {}, response) {
  const [, after] = /<[^>]*[?&]after=([\w-]+)[^>]*>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return after ? { ...query, after } : null
}

/**
 * `index.d.ts` has its types.
 *
 * @param {any} client
 * @param {string} path
 * @param {any} init
 */
export async function* paginate(client, path, init = {}) {
  for (let query = init.params?.query, isMore = true; isMore; ) {
    const { data, error, response } = await client.GET(path, { ...init, params: { ...init.params, query } })
    if (!response.ok) throw new SignalboxError(response.status, error?.code ? error : undefined)
    yield* Array.isArray(data) ? data : data.items
    query = nextQuery(query, response)
    isMore = query !== null
  }
}
