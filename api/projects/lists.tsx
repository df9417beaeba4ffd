/** The projects of a workspace, the executions of one that have not ended, and what happened in it. */
import type { ExecutionStatus } from '../../core/records/executions.ts'
import { Parts, shownOf } from '../pages/components/lists.tsx'
import { Duration } from '../pages/components/measures.tsx'
import { Empty, Rows, Section } from '../pages/components/structure.tsx'
import { Dot, Money, State, Time, type Tone } from '../pages/components/text.tsx'
import { NEWEST_FIRST } from '../plugins/lists.ts'
import type { RequirementName } from '../requirements/list.tsx'
import type { WorkspaceRole } from '../roles.ts'
import type { listActivity } from './activity.ts'
import type { Project } from './projects.ts'
import { projectPath } from './tabs.tsx'

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

type UnfinishedProps = { project_id: string; rows: UnfinishedExecution[]; count: number }

export const Unfinished = ({ project_id, rows, count }: UnfinishedProps) => (
  <Section title="Agents at work" count={count} aside={<a href={`${projectPath(project_id)}/connect`}>Connect an agent</a>}>
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
      No agent works on anything now. Queue an execution on the page of a{' '}
      <a href={projectPath(project_id, 'requirements')}>requirement</a>, or let an agent take one.
    </Rows>
    {count > rows.length && (
      <p class="hint">The newest {rows.length} are shown; the page of a requirement lists all of its own.</p>
    )}
  </Section>
)

type Happened = Awaited<ReturnType<typeof listActivity>>[number]

const BAD = /\.(failed|rejected|revoked|expired|overridden|disabled|not_delivered)$|^deployment\.rollback$/
const GOOD = /\.(succeeded|approved|completed|published|decided)$/

/** @param kind of what happened */
const toneOf = (kind: string): [tone: Tone, word: string] =>
  BAD.test(kind)
    ? ['bad', 'needs attention']
    : GOOD.test(kind)
      ? ['good', 'went well']
      : kind === 'gate.pending'
        ? ['wait', 'waits']
        : ['off', '']

const days = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

/** By day in UTC; where it is another one by the clock of the reader, the script says so. @param log the path of the audit log, for those who may see it */
export const Activity = ({ of, log }: { of: Happened[]; log: string | null }) => (
  <Section title="What happened" live="activity" aside={log !== null && <a href={log}>Audit log</a>}>
    {of.length === 0 && <Empty>Nothing yet. What people and agents do here is listed with its outcome.</Empty>}
    {[...Map.groupBy(of, ({ at }) => at.slice(0, 10))].map(([day, entries]) => (
      <>
        <h3>{days.format(new Date(day))}</h3>
        <Rows
          label={days.format(new Date(day))}
          of={entries}
          row={({ at, kind, text, url }) => ({
            state: <Dot tone={toneOf(kind)[0]} text={toneOf(kind)[1]} />,
            href: url.slice(new URL(url).origin.length),
            what: text,
            end: <Time at={at} exact="clock" />,
          })}
        />
      </>
    ))}
  </Section>
)
