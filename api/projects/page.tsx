/** The page of a project: its requirements, and what is done for them. */
import type { ComponentChildren } from 'preact'
import { sql } from '../../core/platform/database.ts'
import { isWebUrl, Shape } from '../../core/values/schema.ts'
import { DeliverableTable, GenerateForm } from '../deliverables/components.tsx'
import { listDeliverables } from '../deliverables/deliverables.ts'
import { HookList } from '../deployment-hooks/list.tsx'
import { ComparisonTable } from '../dual-track/components.tsx'
import { findShownEnvironments } from '../environments/environments.ts'
import { Environments, environmentsPart, environmentsQuery } from '../environments/tables.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Prose, Time } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { Cursor, cursorAfter, type Key, NEWEST_FIRST } from '../plugins/lists.ts'
import { Requirements, requirementsQuery } from '../requirements/list.tsx'
import { findRequirements } from '../requirements/requirements.ts'
import { getProjectContents, type ProjectContents } from './contents.ts'
import { PendingGates, Unfinished } from './lists.tsx'
import type { Project } from './projects.ts'

/** Deliverables that the page shows at a time. */
const MAX_DELIVERABLES = 10

const ProjectQuery = Shape({ ...requirementsQuery, ...environmentsQuery, deliverables_after: Cursor, hooks_after: Cursor })

export const VERSION_SCHEME_NAMES: Record<Project['version_scheme'], string> = {
  numbered: 'numbered',
  calver: 'named by date',
  semver: 'semantic versions',
}

const Support = ({ at }: { at: string }) => (isWebUrl(at) ? <WebLink href={at} /> : <span>{at}</span>)

interface HooksProps {
  project_id: string
  hooks: Parameters<typeof HookList>[0]['hooks']
  url: URL
  after: Key | null
  isAdmin: boolean
}

function Hooks({ project_id, hooks, url, after, isAdmin }: HooksProps) {
  const [at = '', last = ''] = after ?? []
  const rows = after ? hooks.filter(({ created_at, id }) => created_at < at || (created_at === at && id < last)) : hooks
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
        <HookList hooks={shownOf(rows)} />
      )}
      <Parts of="hooks" url={url} name="hooks_after" rows={rows} order={NEWEST_FIRST} />
    </Section>
  )
}

interface DeliverablesProps {
  url: URL
  /** One more than is shown, if there is more. */
  rows: Parameters<typeof DeliverableTable>[0]['deliverables']
  isFirst: boolean
  form: ComponentChildren
}

function Deliverables({ url, rows, isFirst, form }: DeliverablesProps) {
  const shown = rows.slice(0, MAX_DELIVERABLES)
  const last = shown.at(-1)
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
          {(rows.length > MAX_DELIVERABLES || !isFirst) && (
            <nav class="pager" aria-label="Pages of deliverables">
              {!isFirst && <a href={url.pathname}>Newest</a>}
              {rows.length > MAX_DELIVERABLES && last && (
                <a
                  href={`${url.pathname}?deliverables_after=${cursorAfter({ path: url.pathname, name: 'deliverables_after' }, NEWEST_FIRST, last)}`}
                  rel="next"
                >
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

const Comparisons = ({ of: { comparisons, comparison_count } }: { of: ProjectContents }) => (
  <Section title="Comparisons" count={comparison_count}>
    <ComparisonTable comparisons={comparisons}>
      No comparisons yet. Have two agents work on one requirement, then compare what they did on its page.
    </ComparisonTable>
    {comparison_count > comparisons.length && (
      <p class="hint">The newest {comparisons.length} are shown; the page of a requirement lists its own.</p>
    )}
  </Section>
)

export const projectPage = page(
  '/app/projects/:project_id',
  { project: 'member' },
  async ({ project, url: { origin, search }, refused, query }) => {
    // A refused form was posted to another path.
    const url = new URL(`/app/projects/${project.id}${refused ? '' : search}`, origin)
    const [contents, requirements, environments, deliverables] = await Promise.all([
      getProjectContents(sql, project),
      findRequirements(sql, project, query),
      findShownEnvironments(sql, project, environmentsPart(url, query)),
      listDeliverables(sql, project, null, partAfter(url, query, 'deliverables_after', NEWEST_FIRST, MAX_DELIVERABLES)),
    ])
    const { id, name, description, repository_url, support, version_scheme } = contents
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
          <Environments project_id={id} url={url} rows={environments} />
          <Requirements project_id={id} counts={contents.requirement_counts} rows={requirements} url={url} query={query} />
          <Hooks
            project_id={id}
            hooks={contents.hooks}
            url={url}
            after={partAfter(url, query, 'hooks_after', NEWEST_FIRST).after}
            isAdmin={project.role === 'admin'}
          />
          <Deliverables
            url={url}
            rows={deliverables}
            isFirst={query.deliverables_after === undefined}
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
