/** The page of a project: what runs where, how deployments go, who works, and what happened. */
import { sql } from '../../core/platform/database.ts'
import { readTrack } from '../environments/track.ts'
import { Track } from '../environments/track-list.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Rows } from '../pages/components/structure.tsx'
import { Prose } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { hasAtLeast } from '../roles.ts'
import { listActivity } from './activity.ts'
import { getProjectContents, type ProjectContents } from './contents.ts'
import { FigureCards } from './figure-cards.tsx'
import { getFigures } from './figures.ts'
import { Activity, Unfinished } from './lists.tsx'
import { projectPath, tabView } from './tabs.tsx'

const MAX_ACTIVITY = 20
/** Characters of the address of the repository that are shown. */
const MAX_ADDRESS = 100

const About = ({ of: { description, repository_url } }: { of: ProjectContents }) =>
  description === null && repository_url === null ? null : (
    <>
      {description !== null && <Prose>{description}</Prose>}
      {repository_url !== null && (
        <p class="small">
          <WebLink href={repository_url} limit={MAX_ADDRESS} />
        </p>
      )}
    </>
  )

/** What to do in a new project. */
const FirstSteps = ({ path, isAdmin }: { path: string; isAdmin: boolean }) => (
  <>
    <p>Nothing was done here yet. Three steps lead to the first deployment.</p>
    <Rows
      label="First steps"
      of={[
        {
          href: `${path}/requirements/new`,
          what: 'Write the first requirement',
          below: 'It says what an agent is to do, and when it is done.',
        },
        {
          href: `${path}/connect`,
          what: 'Connect an agent',
          below: 'It takes a requirement, works on it, and opens a gate before something is deployed.',
        },
        {
          href: isAdmin ? `${path}/deployment-hooks/new` : null,
          what: 'Connect your CI',
          below: isAdmin
            ? 'A hook calls it when a gate is approved. What runs where is then shown here.'
            : 'An admin of the workspace can make a hook, which calls it when a gate is approved.',
        },
      ]}
      row={(step) => step}
    />
  </>
)

const projectPage = page('/app/projects/:project_id', { project: 'member' }, async ({ caller, project }) => {
  const [contents, track, figures, activity] = await Promise.all([
    getProjectContents(sql, project),
    readTrack(sql, project, caller),
    getFigures(sql, project),
    listActivity(sql, project, { limit: MAX_ACTIVITY, after: null }),
  ])
  const { id, name, work, unfinished, is_new } = contents
  const { running = 0, queued = 0, awaiting_gate = 0 } = work
  const path = projectPath(id)
  const isAdmin = project.role === 'admin'
  const log = `/app/organizations/${project.organization_id}/audit-log?workspace_id=${project.workspace_id}`
  return tabView(project, '', {
    title: name,
    aside: (
      <>
        {isAdmin && !is_new && (
          <a class="button quiet" href={`${path}/rollback`}>
            Roll back…
          </a>
        )}
        <a class="button" href={`${path}/gates/new`}>
          Open a gate
        </a>
      </>
    ),
    main: (
      <>
        <About of={contents} />
        {is_new && track.places.length === 0 ? (
          <FirstSteps path={path} isAdmin={isAdmin} />
        ) : (
          <>
            <Track
              of={track}
              project_id={id}
              work={{ running, queued, awaiting_gate, requirements: unfinished.map(({ requirement }) => requirement) }}
            />
            <FigureCards of={figures} project_id={id} />
            <Unfinished project_id={id} rows={unfinished} count={running + queued + awaiting_gate} />
          </>
        )}
        <Activity of={activity} log={hasAtLeast(project.organization_role, 'admin') ? log : null} />
      </>
    ),
  })
})

export const projectPages = pageRoutes('project-pages', projectPage)
