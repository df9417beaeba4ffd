/** The gates of a project: the pending ones first, by status. */
import { type GateStatus, shortDigest } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { pageQuery, Shape } from '../../core/values/schema.ts'
import { Filters } from '../pages/components/links.tsx'
import { Empty, Pager, type RowParts, Rows } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { projectPath, tabView } from '../projects/tabs.tsx'
import { type ListedGate, listShownGates } from './listed-gates.ts'
import { GateQuery } from './schema.ts'

const Query = Shape({ ...pageQuery, status: GateQuery.properties.status })

/** The order in which people look for them. */
const STATUSES: GateStatus[] = ['pending', 'approved', 'changes_requested', 'rejected', 'expired', 'cancelled']

const End = ({ of }: { of: ListedGate }) => {
  const { state, approvals, required_approvals, expires_at, decided_at, decided_by_name, created_at } = of
  return state === 'pending' ? (
    <>
      {approvals} of {required_approvals} ·{' '}
      {expires_at === null ? (
        <Time at={created_at} />
      ) : (
        <>
          expires <Time at={expires_at} />
        </>
      )}
    </>
  ) : (
    <>
      {decided_by_name !== null && `${decided_by_name}, `}
      <Time at={decided_at ?? created_at} />
    </>
  )
}

const rowOf = (gate: ListedGate): RowParts => ({
  state: gate.waits_for_reader ? <State of="waiting" text="needs you" /> : <State of={gate.state} />,
  href: `/app/gates/${gate.id}`,
  what: gate.name,
  beside: (
    <>
      {gate.subject !== null && <bdi>{gate.subject.version ?? shortDigest(gate.subject.digest)}</bdi>}
      {gate.subject !== null && gate.environment !== null && ' to '}
      {gate.environment !== null && <bdi>{gate.environment}</bdi>}
      {(gate.subject !== null || gate.environment !== null) && gate.requirement !== null && ' · '}
      {gate.requirement !== null && `#${gate.requirement.number} ${gate.requirement.title}`}
    </>
  ),
  end: <End of={gate} />,
})

const gatesPage = page(
  '/app/projects/:project_id/gates',
  { project: 'member' },
  async ({ caller, project, url, query }) => {
    const { counts, ...gates } = await listShownGates(sql, project, caller, query)
    const all = STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
    const filter = (status: GateStatus | null) => ({
      href: status === null ? url.pathname : `${url.pathname}?status=${status}`,
      text: status?.replaceAll('_', ' ') ?? 'all',
      count: status === null ? all : (counts[status] ?? 0),
      isShown: (query.status ?? null) === status,
    })
    const path = projectPath(project.id, 'gates')
    return tabView(project, 'gates', {
      aside: (
        <>
          <a class="button quiet" href={`${projectPath(project.id)}/attestations`}>
            Attestations
          </a>
          <a class="button" href={`${path}/new`}>
            Open a gate
          </a>
        </>
      ),
      main:
        all === 0 ? (
          <Empty>
            No gates yet. An agent opens one before something is deployed, and people decide it.{' '}
            <a href={`${path}/new`}>Open the first one</a>
          </Empty>
        ) : (
          <>
            <Filters label="Gates by status" of={[null, ...STATUSES].map(filter)} />
            <Rows label="Gates" of={gates.items} row={rowOf}>
              No gate is in this state.
            </Rows>
            <Pager url={url} {...gates} />
          </>
        ),
    })
  },
  Query,
)

export const gateListPages = pageRoutes('gate-list-pages', gatesPage)
