/** Pending gates of a project that no execution waits for: a part of the project's page. */
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'

export interface PendingGate {
  id: string
  name: string
  environment: string | null
  created_at: string
  expires_at: string | null
}

const columns: Column<PendingGate>[] = [
  { head: 'Gate', main: true, cell: ({ id, name }) => <a href={`/app/gates/${id}`}>{name}</a> },
  {
    head: 'Environment',
    cell: ({ environment }) => (environment === null ? <span class="hint">–</span> : <bdi>{environment}</bdi>),
  },
  { head: 'Opened', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} exact />) },
]

/** @param rows oldest first; without any, nothing is shown */
export const PendingGates = ({ rows }: { rows: PendingGate[] }) =>
  rows.length === 0 ? null : (
    <Section title="Gates without an execution" count={rows.length}>
      <Table label="Gates without an execution" columns={columns} rows={rows} />
    </Section>
  )
