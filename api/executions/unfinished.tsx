import type { ExecutionStatus } from '../../core/executions/records.ts'
import { Duration } from '../pages/components/measures.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Money, State, Time } from '../pages/components/text.tsx'
import { RequirementLink, type RequirementName } from '../requirements/link.tsx'

export interface UnfinishedExecution {
  id: string
  agent: string
  status: ExecutionStatus
  cost_usd: number | null
  created_at: string
  started_at: string | null
  requirement: RequirementName
}

const unfinishedColumns: Column<UnfinishedExecution>[] = [
  { head: 'Agent', main: true, cell: ({ id, agent }) => <a href={`/app/executions/${id}`}>{agent}</a> },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Requirement', cell: ({ requirement }) => <RequirementLink of={requirement} /> },
  { head: 'Queued', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Running for', numeric: true, cell: ({ started_at }) => <Duration from={started_at} to={null} /> },
  { head: 'Cost', numeric: true, cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
]

/** The executions of a project that have not ended. */
export function Unfinished({ project_id, rows, count }: { project_id: string; rows: UnfinishedExecution[]; count: number }) {
  return (
    <Section title="Running executions" count={count}>
      {rows.length === 0 ? (
        <Empty>
          No execution is queued or running. <a href={`/app/projects/${project_id}/connect`}>Connect an agent</a>: it starts one
          when it takes a requirement.
        </Empty>
      ) : (
        <Table label="Running executions" columns={unfinishedColumns} rows={rows} />
      )}
      {count > rows.length && (
        <p class="hint">The newest {rows.length} are shown; the page of a requirement lists all of its own.</p>
      )}
    </Section>
  )
}
