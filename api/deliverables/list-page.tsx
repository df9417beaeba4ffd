/** The documents of a project, and a form that generates one. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape, Uuid } from '../../core/values/schema.ts'
import { Parts, partAfter, shownOf } from '../pages/components/lists.tsx'
import { Empty } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { Cursor, NEWEST_FIRST } from '../plugins/lists.ts'
import { resourceKey } from '../plugins/resources.ts'
import { waitUntilFinished } from '../plugins/waiting.ts'
import { projectPath, tabView } from '../projects/tabs.tsx'
import { findNamed } from '../requirements/requirements.ts'
import { DeliverableList, GenerateForm } from './components.tsx'
import { endOfGeneration, generateDeliverable, listDeliverables } from './deliverables.ts'
import { GenerateInput } from './schema.ts'

/** Documents that the page shows at a time. */
const PART = 10
/** Requirements that the form offers, in addition to the one that the page was opened for. */
const MAX_REQUIREMENTS = 20
/** Seconds that the browser waits for a document: most are generated in less than one. */
const MAX_GENERATE_SECONDS = 5

const Query = Shape({ deliverables_after: Cursor, requirement_id: Maybe(Uuid) })

const deliverablesPage = page(
  '/app/projects/:project_id/deliverables',
  { project: 'member' },
  async ({ project, url, query }) => {
    const [deliverables, requirements] = await Promise.all([
      listDeliverables(sql, project, null, partAfter(url, query, 'deliverables_after', NEWEST_FIRST, PART)),
      findNamed(sql, project, query.requirement_id ?? null, MAX_REQUIREMENTS),
    ])
    const shown = shownOf(deliverables, PART)
    return tabView(project, 'deliverables', {
      aside: (
        <a class="button quiet" href={`${projectPath(project.id)}/api-description`}>
          API description
        </a>
      ),
      main: (
        <div class="columns">
          <div>
            {shown.length === 0 ? (
              <Empty>
                {query.deliverables_after === undefined
                  ? 'No documents yet. Generate the first one: a changelog, a guide for deployments, or a summary.'
                  : 'No older documents.'}
              </Empty>
            ) : (
              <DeliverableList of={shown} />
            )}
            <Parts of="documents" url={url} name="deliverables_after" rows={deliverables} order={NEWEST_FIRST} size={PART} />
          </div>
          <div class="card">
            <GenerateForm project_id={project.id} requirements={requirements} requirement_id={query.requirement_id} />
          </div>
        </div>
      ),
    })
  },
  Query,
)

const generate = actionOn(
  deliverablesPage,
  '',
  { project: 'member' },
  GenerateInput,
  async ({ request, caller, project, change }, body) => {
    const { id } = await change((tx) => generateDeliverable(tx, caller, project, body))
    const finished = await waitUntilFinished(
      request,
      MAX_GENERATE_SECONDS,
      endOfGeneration(resourceKey('deliverable', id, project)),
    )
    return { to: `/app/deliverables/${id}`, notice: finished ? undefined : 'The document is being generated.' }
  },
)

export const deliverableListPages = pageRoutes('deliverable-list-pages', deliverablesPage, generate)
