/** The projects of a workspace, and what is unfinished in one: executions, and pending gates that no execution waits for. */
import type { ExecutionStatus } from '../../core/records/executions.ts'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { Duration } from '../pages/components/measures.tsx'
import { Rows, Section } from '../pages/components/structure.tsx'
import { Money, State, Time } from '../pages/components/text.tsx'
import { NEWEST_FIRST } from '../plugins/lists.ts'
import type { RequirementName } from '../requirements/list.tsx'
import type { WorkspaceRole } from '../roles.ts'
import type { Project } from './projects.ts'

type ProjectsProps = { url: URL; rows: Project[]; workspace: { id: string; role: WorkspaceRole } }

export function Projects({ url, rows, workspace }: ProjectsProps) {
  const isAdmin = workspace.role === 'admin'
  return (
    <Section title="Projects" aside={isAdmin && <a href={`/app/workspaces/${workspace.id}/projects/new`}>New project</a>}>
      <Rows
        label="Projects"
        of={shownOf(rows)}
        row={({ id, name, repository_url, created_at }) => ({
          href: `/app/projects/${id}`,
          what: name,
          beside: repository_url,
          end: <Time at={created_at} />,
        })}
      >
        No projects yet. {isAdmin ? 'Create the first one' : 'An admin of the workspace can create one'}; requirements, agents'
        work and hooks belong to a project.
      </Rows>
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

export const Unfinished = ({ project_id, rows, count }: { project_id: string; rows: UnfinishedExecution[]; count: number }) => (
  <Section title="Agents at work" count={count}>
    <Rows
      label="Agents at work"
      of={rows}
      row={({ id, agent, status, requirement, created_at, started_at, cost_usd }) => ({
        state: <State of={status} />,
        href: `/app/executions/${id}`,
        what: `#${requirement.number} ${requirement.title}`,
        beside: agent,
        end: (
          <>
            {started_at === null ? <Time at={created_at} /> : <Duration from={started_at} to={null} />}
            {cost_usd !== null && (
              <>
                {' · '}
                <Money usd={cost_usd} />
              </>
            )}
          </>
        ),
      })}
    >
      No execution is queued or running. <a href={`/app/projects/${project_id}/connect`}>Connect an agent</a>: it starts one when
      it takes a requirement.
    </Rows>
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

/** @param rows oldest first; without any, nothing is shown */
export const PendingGates = ({ rows }: { rows: PendingGate[] }) =>
  rows.length === 0 ? null : (
    <Section title="Gates without an execution" count={rows.length}>
      <Rows
        label="Gates without an execution"
        of={rows}
        row={({ id, name, environment, created_at, expires_at }) => ({
          href: `/app/gates/${id}`,
          what: name,
          beside: environment !== null && <bdi>{environment}</bdi>,
          end: (
            <>
              {expires_at !== null && (
                <>
                  expires <Time at={expires_at} /> ·{' '}
                </>
              )}
              <Time at={created_at} />
            </>
          ),
        })}
      />
    </Section>
  )
