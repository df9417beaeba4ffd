/** The comparisons of a project. */
import { sql } from '../../core/platform/database.ts'
import { pageQuery, Shape } from '../../core/values/schema.ts'
import { Pager } from '../pages/components/structure.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { projectPath, tabView } from '../projects/tabs.tsx'
import { ComparisonList } from './components.tsx'
import { listComparisonSummaries } from './context.ts'

const comparisonsPage = page(
  '/app/projects/:project_id/dual-track',
  { project: 'member' },
  async ({ project, url, query }) => {
    const comparisons = await listComparisonSummaries(sql, project, query)
    return tabView(project, 'dual-track', {
      main: (
        <>
          <ComparisonList of={comparisons.items}>
            No comparisons yet. Have two agents work on one requirement, then compare what they did on its page.{' '}
            <a href={projectPath(project.id, 'requirements')}>Requirements</a>
          </ComparisonList>
          <Pager url={url} {...comparisons} />
        </>
      ),
    })
  },
  Shape(pageQuery),
)

export const comparisonListPages = pageRoutes('comparison-list-pages', comparisonsPage)
