import { Parts, shownOf } from '../pages/components/lists.tsx'
import { type Column, Empty, Section, Table } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import type { WorkspaceRole } from '../roles.ts'
import type { Project } from './schema.ts'

const columns: Column<Project>[] = [
  { head: 'Project', main: true, cell: ({ id, name }) => <a href={`/app/projects/${id}`}>{name}</a> },
  { head: 'Repository', cell: ({ repository_url }) => repository_url ?? <span class="hint">–</span> },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** The projects of a workspace. */
export function Projects({
  url,
  rows,
  workspace,
}: {
  url: URL
  rows: Project[]
  workspace: { id: string; role: WorkspaceRole }
}) {
  const isAdmin = workspace.role === 'admin'
  return (
    <Section title="Projects" aside={isAdmin && <a href={`/app/workspaces/${workspace.id}/projects/new`}>New project</a>}>
      {rows.length === 0 ? (
        <Empty>
          No projects yet. {isAdmin ? 'Create the first one' : 'An admin of the workspace can create one'}; requirements, agents'
          work and hooks belong to a project.
        </Empty>
      ) : (
        <Table label="Projects" columns={columns} rows={shownOf(rows)} />
      )}
      <Parts of="projects" url={url} name="projects_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}
