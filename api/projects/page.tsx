/** The page of a project: its requirements, and what is done for them. */
import type { ComponentChildren } from 'preact'
import { sql } from '../../core/platform/database.ts'
import { isWebUrl, Shape } from '../../core/values/schema.ts'
import { DeliverableTable, GenerateForm } from '../deliverables/components.tsx'
import { listDeliverables } from '../deliverables/deliverables.ts'
import { HookTable } from '../deployment-hooks/table.tsx'
import { ComparisonTable } from '../dual-track/table.tsx'
import { findShownEnvironments } from '../environments/environments.ts'
import { Environments, environmentsPart, environmentsQuery } from '../environments/section.tsx'
import { Unfinished } from '../executions/unfinished.tsx'
import { PendingGates } from '../gates/pending.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Cursor, Parts, shownOf } from '../pages/components/lists.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Prose, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { Requirements, requirementsQuery } from '../requirements/list.tsx'
import { findRequirements } from '../requirements/requirements.ts'
import { getProjectContents, type ProjectContents } from './contents.ts'
import type { Project } from './schema.ts'

/** Deliverables that the page shows at a time. */
const MAX_DELIVERABLES = 10

const ProjectQuery = Shape({ ...requirementsQuery, ...environmentsQuery, deliverables_after: Cursor, hooks_after: Cursor })

export const VERSION_SCHEME_NAMES: Record<Project['version_scheme'], string> = {
  numbered: 'numbered',
  calver: 'named by date',
  semver: 'semantic versions',
}

/** Where users get help. */
const Support = ({ at }: { at: string }) => (isWebUrl(at) ? <WebLink href={at} /> : <span>{at}</span>)

function Hooks({
  project_id,
  hooks,
  url,
  after,
  isAdmin,
}: {
  project_id: string
  hooks: Parameters<typeof HookTable>[0]['hooks']
  url: URL
  after: string | undefined
  isAdmin: boolean
}) {
  // All of them if the last one of the part before was deleted.
  const rows = hooks.slice(hooks.findIndex(({ id }) => id === after) + 1)
  return (
    <Section
      title="Deployment hooks"
      count={hooks.length}
      aside={
        isAdmin && (
          <div class="buttons">
            <a href={`/app/projects/${project_id}/deployment-hooks/new`}>New hook</a>
            <a href={`/app/projects/${project_id}/rollback`}>Roll back…</a>
          </div>
        )
      }
    >
      {hooks.length === 0 ? (
        <Empty>Nothing is deployed from here yet. A hook calls your CI when a gate is approved or a workflow is done.</Empty>
      ) : (
        <HookTable hooks={shownOf(rows)} />
      )}
      <Parts of="hooks" url={url} name="hooks_after" rows={rows} idOf={({ id }) => id} />
    </Section>
  )
}

function Deliverables({
  path,
  rows,
  isFirst,
  form,
}: {
  path: string
  /** One more than is shown, if there is more. */
  rows: Parameters<typeof DeliverableTable>[0]['deliverables']
  isFirst: boolean
  form: ComponentChildren
}) {
  const shown = rows.slice(0, MAX_DELIVERABLES)
  const hasMore = rows.length > MAX_DELIVERABLES
  return (
    <Section title="Deliverables">
      <div class="beside">
        <div>
          {shown.length === 0 ? (
            <Empty>
              {isFirst ? 'No documents yet. Generate the first one with the form on this page.' : 'No older documents.'}
            </Empty>
          ) : (
            <DeliverableTable deliverables={shown} />
          )}
          {(hasMore || !isFirst) && (
            <nav class="pager" aria-label="Pages of deliverables">
              {!isFirst && <a href={path}>Newest</a>}
              {hasMore && (
                <a href={`${path}?deliverables_after=${shown.at(-1)?.id}`} rel="next">
                  Older
                </a>
              )}
            </nav>
          )}
        </div>
        <div class="card">{form}</div>
      </div>
    </Section>
  )
}

function Comparisons({ of: { comparisons, comparison_count } }: { of: ProjectContents }) {
  return (
    <Section title="Comparisons" count={comparison_count}>
      {comparisons.length === 0 ? (
        <Empty>No comparisons yet. Have two agents work on one requirement, then compare what they did on its page.</Empty>
      ) : (
        <ComparisonTable comparisons={comparisons} />
      )}
      {comparison_count > comparisons.length && (
        <p class="hint">The newest {comparisons.length} are shown; the page of a requirement lists its own.</p>
      )}
    </Section>
  )
}

/** The page of a project. */
export const projectPage = page(
  '/app/projects/:project_id',
  { project: 'member' },
  async ({ project, url: { origin, search }, refused, query }) => {
    const { deliverables_after: after = null } = query
    const [contents, requirements, environments, deliverables] = await Promise.all([
      getProjectContents(sql, project),
      findRequirements(sql, project, query),
      findShownEnvironments(sql, project, environmentsPart(query)),
      listDeliverables(sql, project, null, { limit: MAX_DELIVERABLES + 1, after }),
    ])
    const { id, name, description, repository_url, support, version_scheme } = contents
    // A refused form was posted to another path.
    const url = new URL(`/app/projects/${id}${refused ? '' : search}`, origin)
    return {
      title: name,
      aside: (
        <div class="buttons">
          <a href={`/app/projects/${id}/gates/new`}>Open a gate</a>
          {project.role === 'admin' && <a href={`/app/projects/${id}/settings`}>Settings</a>}
        </div>
      ),
      main: (
        <>
          {description !== null && <Prose>{description}</Prose>}
          <Facts
            of={[
              ['Repository', repository_url && <WebLink href={repository_url} />],
              ['Support', support && <Support at={support} />],
              ['Releases', VERSION_SCHEME_NAMES[version_scheme]],
              ['Created', <Time at={contents.created_at} />],
            ]}
          />
          <p class="more">
            <a href={`/app/projects/${id}/connect`}>Connect an agent</a>
            <a href={`/app/projects/${id}/attestations`}>Attestations</a>
            <a href={`/app/projects/${id}/api-description`}>API description</a>
            <a href={`/app/projects/${id}/workflow-template`}>Workflow template</a>
          </p>
          <Unfinished project_id={id} rows={contents.unfinished} count={contents.unfinished_count} />
          <PendingGates rows={contents.pending_gates} />
          <Environments project_id={id} path={url.pathname} rows={environments} after={query.environments_after} />
          <Requirements project_id={id} counts={contents.requirement_counts} rows={requirements} url={url} query={query} />
          <Hooks project_id={id} hooks={contents.hooks} url={url} after={query.hooks_after} isAdmin={project.role === 'admin'} />
          <Deliverables
            path={url.pathname}
            rows={deliverables}
            isFirst={after === null}
            form={<GenerateForm project_id={id} requirements={requirements} />}
          />
          <Comparisons of={contents} />
        </>
      ),
    }
  },
  ProjectQuery,
)

export const projectPages = pageRoutes('project-pages', projectPage)
