/** The requirements of a project, by status. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, pageQuery, Shape } from '../../core/values/schema.ts'
import { Filters } from '../pages/components/links.tsx'
import { Empty, Pager, Rows } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { projectPath, tabView } from '../projects/tabs.tsx'
import { countRequirements, findRequirements, type RequirementCounts } from './requirements.ts'
import { REQUIREMENT_STATUSES, type Requirement, RequirementStatus } from './schema.ts'

const Query = Shape({ ...pageQuery, status: Maybe(RequirementStatus) })

type ListProps = {
  counts: RequirementCounts
  rows: Requirement[]
  url: URL
  query: { page: number; page_size: number; status?: RequirementStatus }
}

function List({ counts, rows, url, query }: ListProps) {
  const total = REQUIREMENT_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  if (total === 0)
    return (
      <Empty>
        No requirements yet. A requirement says what an agent is to do, and when it is done.{' '}
        <a href={`${url.pathname}/new`}>Write the first one</a>
      </Empty>
    )
  const filter = (status: RequirementStatus | null) => ({
    href: status === null ? url.pathname : `${url.pathname}?status=${status}`,
    text: status?.replaceAll('_', ' ') ?? 'all',
    count: status === null ? total : (counts[status] ?? 0),
    isShown: (query.status ?? null) === status,
  })
  return (
    <>
      <Filters label="Requirements by status" of={[null, ...REQUIREMENT_STATUSES].map(filter)} />
      <Rows
        label="Requirements"
        of={rows}
        row={({ id, number, title, kind, status: state, created_at }) => ({
          state: <State of={state} />,
          href: `/app/requirements/${id}`,
          what: `#${number} ${title}`,
          beside: kind,
          end: <Time at={created_at} />,
        })}
      >
        No requirement is in this state.
      </Rows>
      <Pager url={url} {...query} total={query.status ? (counts[query.status] ?? 0) : total} />
    </>
  )
}

const requirementsPage = page(
  '/app/projects/:project_id/requirements',
  { project: 'member' },
  async ({ project, url, query }) => {
    const [counts, rows] = await Promise.all([countRequirements(sql, project), findRequirements(sql, project, query)])
    return tabView(project, 'requirements', {
      aside: (
        <a class="button" href={`${projectPath(project.id, 'requirements')}/new`}>
          New requirement
        </a>
      ),
      main: <List counts={counts} rows={rows} url={url} query={query} />,
    })
  },
  Query,
)

export const requirementListPages = pageRoutes('requirement-list-pages', requirementsPage)
