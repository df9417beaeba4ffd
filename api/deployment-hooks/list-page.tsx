/** The hooks of a project, with the last dispatch of each. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty } from '../pages/components/structure.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { Cursor, NEWEST_FIRST } from '../plugins/lists.ts'
import { projectPath, tabView } from '../projects/tabs.tsx'
import { HookList } from './list.tsx'
import { listHookSummaries } from './summaries.ts'

const hooksPage = page(
  '/app/projects/:project_id/deployment-hooks',
  { project: 'member' },
  async ({ project, url, query }) => {
    const hooks = await listHookSummaries(sql, project)
    const [at = '', last = ''] = partAfter(url, query, 'hooks_after', NEWEST_FIRST).after ?? []
    const rows = at ? hooks.filter(({ created_at, id }) => created_at < at || (created_at === at && id < last)) : hooks
    const isAdmin = project.role === 'admin'
    const newPath = `${projectPath(project.id, 'deployment-hooks')}/new`
    return tabView(project, 'deployment-hooks', {
      aside: isAdmin && (
        <>
          <a class="button quiet" href={`${projectPath(project.id)}/rollback`}>
            Roll back…
          </a>
          <a class="button" href={newPath}>
            New hook
          </a>
        </>
      ),
      main: (
        <>
          {hooks.length === 0 ? (
            <Empty>
              Nothing is deployed from here yet. A hook calls your CI when a gate is approved or a workflow is done.{' '}
              {isAdmin ? <a href={newPath}>Make the first one</a> : 'An admin of the workspace can make one.'}
            </Empty>
          ) : (
            <HookList hooks={shownOf(rows)} />
          )}
          <Parts of="hooks" url={url} name="hooks_after" rows={rows} order={NEWEST_FIRST} />
        </>
      ),
    })
  },
  Shape({ hooks_after: Cursor }),
)

export const hookListPages = pageRoutes('hook-list-pages', hooksPage)
