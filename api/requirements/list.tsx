/** The requirements of a project by status, as a section of its page. */
import { Maybe, pageQuery } from '../../core/values/schema.ts'
import { Filters } from '../pages/components/links.tsx'
import { Empty, Pager, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { REQUIREMENT_STATUSES, type Requirement, RequirementStatus } from './schema.ts'

export const requirementsQuery = { ...pageQuery, status: Maybe(RequirementStatus) }

/** How many requirements have each status; statuses without requirements are absent. */
export type RequirementCounts = Partial<Record<RequirementStatus, number>>

export function Requirements(props: {
  project_id: string
  counts: RequirementCounts
  rows: Requirement[]
  url: URL
  query: { page: number; page_size: number; status?: RequirementStatus }
}) {
  const { project_id, counts, rows, url, query } = props
  const total = REQUIREMENT_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const filter = (status: RequirementStatus | null) => ({
    href: status === null ? url.pathname : `${url.pathname}?status=${status}`,
    text: status?.replaceAll('_', ' ') ?? 'all',
    count: status === null ? total : (counts[status] ?? 0),
    isShown: (query.status ?? null) === status,
  })
  return (
    <Section title="Requirements" aside={<a href={`/app/projects/${project_id}/requirements/new`}>New requirement</a>}>
      {total === 0 ? (
        <Empty>No requirements yet. A requirement says what an agent is to do, and when it is done.</Empty>
      ) : (
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
      )}
    </Section>
  )
}

/** A requirement, as lists of other things name it. */
export type RequirementName = { id: string; number: number; title: string }

export const RequirementLink = ({ of: { id, number, title } }: { of: RequirementName }) => (
  <a href={`/app/requirements/${id}`}>
    #{number} {title}
  </a>
)
