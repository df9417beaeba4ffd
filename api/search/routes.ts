import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { SearchQuery, SearchResult, search } from './search.ts'

export const searching = new Elysia({ name: 'search', prefix: '/api/v1', tags: ['Search'] })
  .use(access)
  // It finds only what the caller may see.
  .get(
    '/search',
    ({ caller, query }) => search(sql, caller, query),
    operation('signedIn', 'withRestrictedTokens', {
      id: 'search',
      summary: 'Search by name',
      description:
        'Finds organizations, projects, requirements, gates and deployment hooks of all your organizations, within what you may see: nothing in workspaces in which you have no role. All words of `q` must occur, each as the beginning of a word of the name or title. Case, accents and compatibility forms make no difference (`muller` finds `Müller`, `lodz` finds `Łódź`), nor does the `v` of a version (`1.2.3` finds `v1.2.3`); in scripts without spaces a word is found from any of its characters on. Exact numbers and names come first, then names that begin with `q`, then the newest.',
      query: SearchQuery,
      responses: { 200: Type.Array(SearchResult) },
    }),
  )
