/** The search page. The command menu of the script shows its results as well. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Filters } from '../pages/components/lists.tsx'
import { Empty, Rows, Section } from '../pages/components/structure.tsx'
import { State } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { FOUND_TYPES, type FoundType, SearchQuery, type SearchResult, search } from './search.ts'

const OF_EACH = 10
const OF_ONE = 50

const TITLES: Record<FoundType, string> = {
  organization: 'Organizations',
  project: 'Projects',
  requirement: 'Requirements',
  gate: 'Gates',
  deployment_hook: 'Deployment hooks',
}

const row = (found: SearchResult) => ({
  state: found.status && <State of={found.status} />,
  href: new URL(found.url).pathname,
  what: (
    <>
      {found.number !== null && `#${found.number} `}
      <bdi>{found.name}</bdi>
    </>
  ),
  beside:
    found.type !== 'organization' &&
    [found.type === 'project' ? null : found.project_name, found.workspace_name, found.organization_name]
      .filter((each) => each !== null)
      .join(' · '),
})

function Results({ type, of, q }: { type: FoundType; of: SearchResult[]; q: string }) {
  const isCut = of.length > OF_EACH
  return (
    <Section title={TITLES[type]}>
      <Rows label={TITLES[type]} of={isCut ? of.slice(0, OF_EACH) : of} row={row} />
      {isCut && (
        <p class="more">
          <a href={`/app/search?${new URLSearchParams({ q, type })}`}>More {TITLES[type].toLowerCase()}</a>
        </p>
      )}
    </Section>
  )
}

const PageQuery = Shape({ q: SearchQuery.properties.q, type: SearchQuery.properties.type })

const searchPage = page(
  '/app/search',
  { signedIn: true },
  async ({ caller, url, query: { q, type } }) => {
    const limit = type ? OF_ONE : OF_EACH + 1
    const results = q.trim() === '' ? [] : await search(sql, caller, { q, type, limit })
    return {
      title: 'Search',
      main: (
        <>
          <Filters
            url={url}
            button="Search"
            fields={[
              { name: 'q', label: 'Words or number', type: 'search' },
              {
                name: 'type',
                label: 'In',
                options: [['', 'Everything'], ...FOUND_TYPES.map((each): [string, string] => [each, TITLES[each]])],
              },
            ]}
          />
          {results.length === 0 && (
            <Empty>
              {q.trim() === ''
                ? 'Enter the beginning of words in the name of an organization, project, requirement, gate or hook, or the number of a requirement.'
                : 'Nothing that you may see has all of these words in its name. Beginnings of words are enough; try fewer.'}
            </Empty>
          )}
          {type
            ? results.length > 0 && (
                <Section title={TITLES[type]}>
                  <Rows label={TITLES[type]} of={results} row={row} />
                </Section>
              )
            : FOUND_TYPES.map((each) => {
                const of = results.filter((result) => result.type === each)
                return of.length > 0 && <Results type={each} of={of} q={q} />
              })}
        </>
      ),
    }
  },
  PageQuery,
  'nothing',
)

export const searchPages = pageRoutes('search-pages', searchPage)
