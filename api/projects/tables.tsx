/** The projects of a workspace, and what is unfinished in one: executions, and pending gates that no execution waits for. */
import type { ExecutionStatus } from '../../core/records/executions.ts'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { Duration } from '../pages/components/measures.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Money, NONE, State, Time } from '../pages/components/text.tsx'
import { NEWEST_FIRST } from '../plugins/lists.ts'
import { RequirementLink, type RequirementName } from '../requirements/list.tsx'
import type { WorkspaceRole } from '../roles.ts'
import type { Project } from './projects.ts'

const columns: Column<Project>[] = [
  { head: 'Project', main: true, cell: ({ id, name }) => <a href={`/app/projects/${id}`}>{name}</a> },
  { head: 'Repository', cell: ({ repository_url }) => repository_url ?? NONE },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

type ProjectsProps = { url: URL; rows: Project[]; workspace: { id: string; role: WorkspaceRole } }

export function Projects({ url, rows, workspace }: ProjectsProps) {
  const isAdmin = workspace.role === 'admin'
  return (
    <Section title="Projects" aside={isAdmin && <a href={`/app/workspaces/${workspace.id}/projects/new`}>New project</a>}>
      <Table label="Projects" columns={columns} rows={shownOf(rows)}>
        No projects yet. {isAdmin ? 'Create the first one' : 'An admin of the workspace can create one'}; requirements, agents'
        work and hooks belong to a project.
      </Table>
      <Parts of="projects" url={url} name="projects_after" rows={rows} order={NEWEST_FIRST} />
    </Section>
  )
}

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

export const Unfinished = ({ project_id, rows, count }: { project_id: string; rows: UnfinishedExecution[]; count: number }) => (
  <Section title="Running executions" count={count}>
    <Table label="Running executions" columns={unfinishedColumns} rows={rows}>
      No execution is queued or running. <a href={`/app/projects/${project_id}/connect`}>Connect an agent</a>: it starts one when
      it takes a requirement.
    </Table>
    {count > rows.length && (
      <p class="hint">The newest {rows.length} are shown; the page of a requirement lists all of its own.</p>
    )}
  </Section>
)

export interface PendingGate {
  id: string
  name: string
  environment: string | null
  created_at: string
  expires_at: string | null
}

const gateColumns: Column<PendingGate>[] = [
  { head: 'Gate', main: true, cell: ({ id, name }) => <a href={`/app/gates/${id}`}>{name}</a> },
  {
    head: 'Environment',
    cell: ({ environment }) => (environment === null ? NONE : <bdi>{environment}</bdi>),
  },
  { head: 'Opened', cell: ({ created_at }) => <Time at={created_at} /> },
  { head: 'Expires', cell: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} exact />) },
]

/** @param rows oldest first; without any, nothing is shown */
export const PendingGates = ({ rows }: { rows: PendingGate[] }) =>
  rows.length === 0 ? null : (
    <Section title="Gates without an execution" count={rows.length}>
      <Table label="Gates without an execution" columns={gateColumns} rows={rows} />
    </Section>
  )
