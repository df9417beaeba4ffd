import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { Project } from './schema.ts'

const columns: Column<Project>[] = [
  { head: 'Project', main: true, cell: ({ id, name }) => <a href={`/app/projects/${id}`}>{name}</a> },
  { head: 'Repository', cell: ({ repository_url }) => repository_url ?? <span class="hint">–</span> },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** The projects of a workspace. */
export function Projects({ url, rows }: { url: URL; rows: Project[] }) {
  return (
    <Section title="Projects">
      {rows.length === 0 ? (
        <Empty>
          No projects yet. Every member of the workspace can create one through the <a href="/docs">API</a>.
        </Empty>
      ) : (
        <Table label="Projects" columns={columns} rows={shownOf(rows)} keyOf={({ id }) => id} />
      )}
      <Parts of="projects" url={url} name="projects_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}
