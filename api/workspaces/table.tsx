import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Money, Time } from '../pages/components/text.tsx'
import type { WorkspaceSummary } from './schema.ts'

const columns: Column<WorkspaceSummary>[] = [
  { head: 'Workspace', main: true, cell: ({ id, name }) => <a href={`/app/workspaces/${id}`}>{name}</a> },
  { head: 'Key', cell: ({ workspace_key }) => workspace_key },
  { head: 'Monthly limit', numeric: true, cell: ({ budget_monthly_limit_usd }) => <Money usd={budget_monthly_limit_usd} /> },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** The workspaces of an organization. */
export function Workspaces({ url, rows, organization_id }: { url: URL; rows: WorkspaceSummary[]; organization_id: string }) {
  return (
    <Section title="Workspaces" aside={<a href={`/app/organizations/${organization_id}/workspaces/new`}>New workspace</a>}>
      {rows.length === 0 ? (
        <Empty>No workspaces yet. A workspace holds the projects, channels and budget of a team.</Empty>
      ) : (
        <Table label="Workspaces" columns={columns} rows={shownOf(rows)} />
      )}
      <Parts of="workspaces" url={url} name="workspaces_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}
