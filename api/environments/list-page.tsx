/** The environments of a project: what runs in each, and how its deployments go. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty } from '../pages/components/structure.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { Cursor } from '../plugins/lists.ts'
import { projectPath, tabView } from '../projects/tabs.tsx'
import { byChain, placesOf, readBefore } from './chains.ts'
import { findShownEnvironments } from './environments.ts'
import { Figures, PolicyFinder, Running } from './tables.tsx'

const PART = 10

const Query = Shape({ environments_after: Cursor })

const environmentsPage = page(
  '/app/projects/:project_id/environments',
  { project: 'member' },
  async ({ project, url, query }) => {
    const { id } = project
    const places = placesOf(await readBefore(sql, project))
    const order = byChain(places)
    const part = partAfter(url, query, 'environments_after', order, PART)
    const rows = await findShownEnvironments(sql, project, { ...part, places })
    const shown = shownOf(rows, PART)
    return tabView(project, 'environments', {
      aside: (
        <a class="button quiet" href={`${projectPath(id)}/charts`}>
          Charts
        </a>
      ),
      main: (
        <>
          {shown.length > 0 ? (
            <>
              <Running rows={shown} project_id={id} />
              <Figures rows={shown} />
            </>
          ) : query.environments_after !== undefined ? (
            <Empty>No further environments.</Empty>
          ) : (
            <Empty>
              It is not known what runs where. Set “Seconds within which the outcome is reported” of a{' '}
              <a href={projectPath(id, 'deployment-hooks')}>hook</a>: its environment is then shown here.
            </Empty>
          )}
          <Parts of="environments" url={url} name="environments_after" rows={rows} order={order} size={PART} />
          <details class="change">
            <summary>Policy of an environment…</summary>
            <PolicyFinder project_id={id} />
          </details>
        </>
      ),
    })
  },
  Query,
)

export const environmentListPages = pageRoutes('environment-list-pages', environmentsPage)
