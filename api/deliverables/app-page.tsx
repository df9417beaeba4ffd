/** The page of a deliverable in the web app: the document, its state, and what it was made from. */
import type { ComponentChildren } from 'preact'
import { sql } from '../../core/platform/database.ts'
import { Nothing, OneOf, Shape, Type } from '../../core/values/schema.ts'
import { Button, Choice, Form, Submit } from '../pages/components/forms.tsx'
import { Empty, Facts, Section } from '../pages/components/structure.tsx'
import { Prose, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { projectPath, tabCrumb } from '../projects/tabs.tsx'
import { deliverableTitle, nodesOf } from './components.tsx'
import { deleteDeliverable, getDeliverable, getPart, isTransition, transitionDeliverable } from './deliverables.ts'
import { fileOf } from './formats.tsx'
import type { Deliverable } from './schema.ts'

function Parts({ path, number, parts }: { path: string; number: number; parts: number }) {
  if (parts < 2) return null
  return (
    <nav class="pager" aria-label="Parts of the document">
      {number > 1 && (
        <a href={`${path}?part=${number - 1}`} rel="prev">
          Previous
        </a>
      )}
      <span>
        Part {number} of {parts}
      </span>
      {number < parts && (
        <a href={`${path}?part=${number + 1}`} rel="next">
          Next
        </a>
      )}
    </nav>
  )
}

/** The document, or why there is none. */
async function contentOf(deliverable: ResourceKey<'deliverable'>, shown: Deliverable, number: number) {
  const { id, status, error, project_id } = shown
  const { part, count } = await getPart(sql, deliverable, number)
  if (count === null) {
    if (status === 'generating') return <Empty>The document is being generated. Reload this page in a few seconds.</Empty>
    return (
      <div class="card failed">
        <Prose>{error ?? 'The document could not be generated.'}</Prose>
        <p>
          <a href={projectPath(project_id, 'deliverables')}>Generate it again</a>
        </p>
      </div>
    )
  }
  const path = `/app/deliverables/${id}`
  return (
    <>
      <article class="document card">{part === null ? <a href={path}>To the first part</a> : nodesOf(part)}</article>
      <Parts path={path} number={number} parts={count} />
    </>
  )
}

function Actions({ of: { id, status }, deliverable }: { of: Deliverable; deliverable: Resource<'deliverable'> }) {
  const canPublish = isTransition(status, 'published')
  const canArchive = isTransition(status, 'archived')
  if (deliverable.role !== 'admin') {
    if (!canPublish && !canArchive) return null
    return <p class="more hint">An admin of the workspace can publish or archive it.</p>
  }
  return (
    <div class="more">
      {canPublish && (
        <Button action={`/app/deliverables/${id}/publish`} kind="primary">
          Publish
        </Button>
      )}
      {canArchive && (
        <Button action={`/app/deliverables/${id}/archive`} confirm="Archive this document? It cannot be published again.">
          Archive
        </Button>
      )}
      <Button
        action={`/app/deliverables/${id}/delete`}
        kind="danger"
        confirm="Delete this document? It cannot be undone, and its version is not used again."
      >
        Delete
      </Button>
    </div>
  )
}

function Source({ of: { source, generator } }: { of: Deliverable }) {
  if (!source) return null
  const { as_of, counts, data_hash } = source
  return (
    <Section title="Source">
      <Facts
        of={[
          ['Data of', <Time at={as_of} exact />],
          ['Generator', <code>{generator}</code>],
          ...Object.entries(counts).map(([name, count]): [string, ComponentChildren] => [
            name.replaceAll('_', ' '),
            <span class="number">{count.toLocaleString('en')}</span>,
          ]),
          ['Data hash', <code title={data_hash}>{data_hash.slice(0, 12)}…</code>],
        ]}
      />
    </Section>
  )
}

const DeliverableQuery = Shape({ part: Type.Integer({ minimum: 1, maximum: 10_000, default: 1 }) })

const deliverablePage = page(
  '/app/deliverables/:deliverable_id',
  { deliverable: 'member' },
  async ({ deliverable, query }) => {
    const shown = await getDeliverable(sql, deliverable)
    const { title, version, status, deliverable_type, requirement_id, created_at, published_at, archived_at } = shown
    return {
      title,
      crumbs: [tabCrumb(shown.project_id, 'deliverables')],
      aside: (
        <>
          <State of={status} /> <span class="hint">Version {version}</span>
        </>
      ),
      main: (
        <div class="columns">
          <div>
            {await contentOf(deliverable, shown, query.part)}
            <Source of={shown} />
          </div>
          <div>
            <Section title="Details">
              <Facts
                of={[
                  ['Kind', deliverableTitle(deliverable_type)],
                  ['About', requirement_id ? <a href={`/app/requirements/${requirement_id}`}>one requirement</a> : 'the project'],
                  ['Requested', <Time at={created_at} />],
                  ['Published', published_at && <Time at={published_at} exact />],
                  ['Archived', archived_at && <Time at={archived_at} exact />],
                ]}
              />
              {shown.content !== null && (
                <p class="more">
                  <a href={`/app/deliverables/${shown.id}/download`}>Download</a>
                </p>
              )}
              <Actions of={shown} deliverable={deliverable} />
            </Section>
          </div>
        </div>
      ),
    }
  },
  DeliverableQuery,
)

const admin = { deliverable: 'admin' } as const

const publish = actionOn(deliverablePage, '/publish', admin, Nothing, async ({ caller, deliverable, change }) => {
  await change((tx) => transitionDeliverable(tx, caller, deliverable, 'published'))
  return { notice: 'The document was published.' }
})

const archive = actionOn(deliverablePage, '/archive', admin, Nothing, async ({ caller, deliverable, change }) => {
  await change((tx) => transitionDeliverable(tx, caller, deliverable, 'archived'))
  return { notice: 'The document was archived.' }
})

const downloadPage = page('/app/deliverables/:deliverable_id/download', { deliverable: 'member' }, async ({ deliverable }) => {
  const { id, title, version } = await getDeliverable(sql, deliverable)
  return {
    title: 'Download',
    crumbs: [tabCrumb(deliverable.project_id, 'deliverables'), { href: `/app/deliverables/${id}`, text: title }],
    main: (
      <Form card action={`/app/deliverables/${id}/download`}>
        <Choice
          name="format"
          label={`Version ${version} as`}
          value="text/html"
          options={Object.entries({
            'text/html': 'HTML, in one file, to read or print',
            'text/markdown': 'Markdown, as it was generated',
          })}
        />
        <Submit>Download</Submit>
      </Form>
    ),
  }
})

const download = actionOn(
  downloadPage,
  '',
  { deliverable: 'member' },
  Shape({ format: OneOf(['text/html', 'text/markdown']) }),
  async ({ request, deliverable }, { format }) => fileOf(request, deliverable, await getDeliverable(sql, deliverable), format),
)

const remove = actionOn(deliverablePage, '/delete', admin, Nothing, async ({ request, caller, deliverable, change }) => {
  const { title } = await getDeliverable(sql, deliverable)
  await change((tx) => deleteDeliverable(tx, caller, deliverable, request))
  return { to: projectPath(deliverable.project_id, 'deliverables'), notice: `The document ${title} was deleted.` }
})

export const deliverablePages = pageRoutes('deliverable-pages', deliverablePage, publish, archive, downloadPage, download, remove)
