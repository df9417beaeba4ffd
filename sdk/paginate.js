/** Iterates over lists. */
import { SignalboxError } from './error.js'

/**
 * The query of the next part of a list.
 *
 * @param {any} data
 * @param {Response} response
 */
function nextQuery(data, response) {
  if (!Array.isArray(data)) return data.page * data.page_size < data.total ? { page: data.page + 1 } : null
  const [, link] = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return link ? { after: new URL(link, response.url).searchParams.get('after') } : null
}

/**
 * `index.d.ts` has its types.
 *
 * @param {any} client
 * @param {string} path
 * @param {any} init
 */
export async function* paginate(client, path, init = {}) {
  for (let query = init.params?.query, next = null; ; query = { ...query, ...next }) {
    const { data, error, response } = await client.GET(path, { ...init, params: { ...init.params, query } })
    if (!response.ok) throw new SignalboxError(response.status, error?.code ? error : undefined)
    yield* Array.isArray(data) ? data : data.items
    next = nextQuery(data, response)
    if (!next) return
  }
}
