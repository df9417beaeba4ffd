/** The sections of the page of a project, apart from its requirements and its forms. */
import { DELIVERABLE_TITLES } from '../../core/deliverables.ts'
import type { DeliverableSummary } from '../deliverables/schema.ts'
import type { Hook } from '../deployment-hooks/schema.ts'
import { Duration } from '../pages/components/measures.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Money, State, Time } from '../pages/components/text.tsx'
import type { ComparisonSummary, RequirementName, UnfinishedExecution } from './contents.ts'

/** The name of a type of deliverable, as a heading. */
export function deliverableTitle(type: keyof typeof DELIVERABLE_TITLES): string {
  const title = DELIVERABLE_TITLES[type]
  return title.charAt(0).toUpperCase() + title.slice(1)
}

/** A link to a requirement. */
export const RequirementLink = ({ of: { id, number, title } }: { of: RequirementName }) => (
  <a href={`/app/requirements/${id}`}>
    #{number} {title}
  </a>
)

const unfinishedColumns: Column<UnfinishedExecution>[] = [
  { head: 'Agent', main: true, cell: ({ id, agent }) => <a href={`/app/executions/${id}`}>{agent}</a> },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Requirement', cell: ({ requirement }) => <RequirementLink of={requirement} /> },
  { head: 'Queued', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Running for', numeric: true, cell: ({ started_at }) => <Duration from={started_at} to={null} /> },
  { head: 'Cost', numeric: true, cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
]

export function Unfinished({ rows, count }: { rows: UnfinishedExecution[]; count: number }) {
  return (
    <Section title="Running executions" count={count}>
      {rows.length === 0 ? (
        <Empty>No execution is queued or running. Agents queue executions of a requirement through the API.</Empty>
      ) : (
        <Table label="Running executions" columns={unfinishedColumns} rows={rows} keyOf={({ id }) => id} />
      )}
      {count > rows.length && (
        <p class="hint">The newest {rows.length} are shown; the page of a requirement lists all of its own.</p>
      )}
    </Section>
  )
}

const TRIGGERS: Record<Hook['trigger_on'], string> = { workflow_done: 'workflow completed', gate_approved: 'gate approved' }

/** What dispatches of a hook meet. */
const hookState = ({ enabled, paused }: Hook): string => (!enabled ? 'disabled' : paused ? 'paused' : 'enabled')

const hookColumns: Column<Hook>[] = [
  { head: 'Hook', main: true, cell: ({ id, name }) => <a href={`/app/deployment-hooks/${id}`}>{name}</a> },
  { head: 'Environment', cell: ({ environment }) => environment },
  {
    head: 'State',
    cell: (hook) => (
      <>
        <State of={hookState(hook)} />
        {hook.disabled_reason !== null && <p class="hint">{hook.disabled_reason}</p>}
      </>
    ),
  },
  { head: 'Sent when', cell: ({ trigger_on }) => TRIGGERS[trigger_on] },
  { head: 'Receiver', cell: ({ url }) => URL.parse(url)?.host ?? url },
]

export function HookTable({ hooks }: { hooks: Hook[] }) {
  return <Table label="Deployment hooks" columns={hookColumns} rows={hooks} keyOf={({ id }) => id} />
}

type DeliverableRow = Pick<DeliverableSummary, 'id' | 'deliverable_type' | 'version' | 'status' | 'created_at'> & {
  /** Absent where the page is about the requirement. */
  requirement_id?: string | null
}

const deliverableColumns: Column<DeliverableRow>[] = [
  {
    head: 'Document',
    main: true,
    cell: ({ id, deliverable_type }) => <a href={`/app/deliverables/${id}`}>{deliverableTitle(deliverable_type)}</a>,
  },
  { head: 'Version', numeric: true, cell: ({ version }) => version },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  {
    head: 'About',
    cell: ({ requirement_id }) =>
      !requirement_id ? 'the project' : <a href={`/app/requirements/${requirement_id}`}>one requirement</a>,
  },
  { head: 'Generated', cell: ({ created_at }) => <Time at={created_at} /> },
]

export function DeliverableTable({ deliverables }: { deliverables: DeliverableRow[] }) {
  const isOfProject = deliverables.some(({ requirement_id }) => requirement_id !== undefined)
  const columns = deliverableColumns.filter(({ head }) => isOfProject || head !== 'About')
  return <Table label="Deliverables" columns={columns} rows={deliverables} keyOf={({ id }) => id} />
}

/** What a person decided, or else what the judge recommends. */
function Verdict({ of }: { of: ComparisonRow }) {
  const winner = of.winner ?? of.recommendation
  if (winner === null) return <span class="hint">–</span>
  const name = winner === 'tie' ? 'a tie' : winner === 'a' ? of.track_a_agent : of.track_b_agent
  return (
    <>
      {name} {of.winner === null && <span class="hint">recommended</span>}
    </>
  )
}

type ComparisonRow = Omit<ComparisonSummary, 'requirement'> & { requirement?: RequirementName }

const comparisonColumns: Column<ComparisonRow>[] = [
  {
    head: 'Tracks',
    main: true,
    cell: ({ id, track_a_agent, track_b_agent }) => (
      <a href={`/app/dual-track/${id}`}>
        {track_a_agent} and {track_b_agent}
      </a>
    ),
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Better', cell: (comparison) => <Verdict of={comparison} /> },
  {
    head: 'Requirement',
    cell: ({ requirement }) => requirement && <RequirementLink of={requirement} />,
  },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** @param comparisons without a requirement where the page is about one */
export function ComparisonTable({ comparisons }: { comparisons: ComparisonRow[] }) {
  const hasRequirement = comparisons.some(({ requirement }) => requirement)
  const columns = comparisonColumns.filter(({ head }) => hasRequirement || head !== 'Requirement')
  return <Table label="Comparisons" columns={columns} rows={comparisons} keyOf={({ id }) => id} />
}
