/** The description of the API of a project, from which its documentation is generated. */

import { sql } from '../../core/platform/database.ts'
import { Shape, Text } from '../../core/values/schema.ts'
import { Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { Problem } from '../problems.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { findDescription, putDescription, readDescription } from './api-descriptions.ts'

/** Bytes of a document that a page shows: a longer one is sent to the API. */
const MAX_SHOWN = 65_536

const pathOf = ({ id }: { id: string }): string => `/app/projects/${id}/api-description`

const descriptionPage = page('/app/projects/:project_id/api-description', { project: 'member' }, async ({ project }) => {
  const found = await findDescription(sql, project)
  const excerpt = excerptOf(found?.source ?? '', MAX_SHOWN)
  return {
    title: 'API description',
    crumbs: [tabCrumb(project.id, 'deliverables')],
    main: (
      <>
        {found ? (
          <Facts
            of={[
              ['Title', found.title],
              ['Version', found.version],
              ['Operations', found.operation_count.toLocaleString('en')],
              ['Changed', <Time at={found.updated_at} />],
            ]}
          />
        ) : (
          <Empty>None yet. With one, the project gets API documentation among its deliverables.</Empty>
        )}
        <Section title="Document">
          {excerpt.isCut ? (
            <Verbatim label="API description" excerpt={excerpt} whole={`GET ${pathOf(project).replace('/app', '/api/v1')}`} />
          ) : (
            <Form card="wide" action={pathOf(project)} updated_at={found?.updated_at ?? ''}>
              <TextArea
                class="code"
                name="document"
                label="OpenAPI document"
                rows={20}
                required
                value={found?.source}
                hint="OpenAPI 3.0 or 3.1, in YAML or JSON. Longer documents than the form takes, up to 1 MiB, are sent with the API."
              />
              <Submit>Save</Submit>
            </Form>
          )}
        </Section>
      </>
    ),
  }
})

const save = actionOn(
  descriptionPage,
  '',
  { project: 'member' },
  Shape({ document: Text(262_144) }),
  async ({ request, caller, project, change }, { document }) => {
    const type = document.trimStart().startsWith('{') ? 'application/json' : 'application/yaml'
    const read = await readDescription(document, type, caller.id).catch((error: unknown) => {
      if (!(error instanceof Problem) || !error.errors) throw error
      // Its errors have pointers into the document, which is one field here.
      const detail = error.errors.map(({ pointer, detail }) => `${pointer || 'the document'} ${detail}`).join('; ')
      throw new Problem('validation_failed', detail, [
        { pointer: '/document', code: 'malformed', detail: `is refused: ${detail}` },
      ])
    })
    await change((tx) => putDescription(tx, caller, project, read, request))
    return { notice: 'The description was saved. Documents that are generated from now on use it.' }
  },
)

export const apiDescriptionPages = pageRoutes('api-description-pages', descriptionPage, save)
