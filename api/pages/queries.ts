/** The parameters of the URL of a page. */
import type { Static, TSchema } from '../../core/values/schema.ts'
import { queryInput } from '../plugins/validation.ts'

/** The token in the URL of a mailed link; empty if there is none. */
export const tokenOf = (url: URL): string => url.searchParams.get('token') ?? ''

/** The query of a page: only the parameters that it knows, without the empty ones that forms send. */
export function queryOf<Query extends TSchema>(schema: Query, url: URL): Static<Query> {
  const known = 'properties' in schema ? Object.keys(schema.properties as object) : []
  const given = [...url.searchParams].filter(([name, value]) => known.includes(name) && value !== '')
  return queryInput(schema)['~standard'].validate(Object.fromEntries(given)).value
}
