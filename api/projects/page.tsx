/** The page of a project, and the page on which a rollback is confirmed. */
import { DELIVERABLE_TITLES, type DeliverableType } from '../../core/deliverables.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, pageQuery, Shape, Text, Uuid } from '../../core/values/schema.ts'
import { finishedDeliverable, generateDeliverable, listDeliverables } from '../deliverables/deliverables.ts'
import { GenerateInput } from '../deliverables/schema.ts'
import { listHooks, MAX_HOOKS } from '../deployment-hooks/hooks.ts'
import { type Hook, RollbackInput } from '../deployment-hooks/schema.ts'
import { rollBack } from '../deployment-hooks/triggers.ts'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Filters, WebLink } from '../pages/components/links.tsx'
import { type Column, Empty, Facts, Pager, Section, Table } from '../pages/components/structure.tsx'
import { Prose, State, Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { waitUntilFinished } from '../plugins/prefer-wait.ts'
import { findRequirements } from '../requirements/requirements.ts'
import { REQUIREMENT_STATUSES, type Requirement, RequirementStatus } from '../requirements/schema.ts'
import { getProjectContents, type ProjectContents } from './contents.ts'
import { ComparisonTable, DeliverableTable, deliverableTitle, HookTable, Unfinished } from './sections.tsx'

/** Deliverables that the page shows at a time. */
const MAX_DELIVERABLES = 10

/** Seconds that the browser waits for a document: most are generated in less than one. */
const MAX_GENERATE_SECONDS = 5

const ALL_HOOKS = { limit: MAX_HOOKS, after: null }

const ProjectQuery = Shape({ ...pageQuery, status: Maybe(RequirementStatus), deliverables_after: Maybe(Uuid) })

const requirementColumns: Column<Requirement>[] = [
  { head: 'No.', numeric: true, cell: ({ number }) => `#${number}` },
  { head: 'Requirement', main: true, cell: ({ id, title }) => <a href={`/app/requirements/${id}`}>{title}</a> },
  { head: 'Kind', cell: ({ kind }) => kind },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

function Requirements(props: {
  contents: ProjectContents
  rows: Requirement[]
  url: URL
  query: { page: number; page_size: number; status?: RequirementStatus }
}) {
  const { contents, rows, url, query } = props
  const counts = contents.requirement_counts
  const total = REQUIREMENT_STATUSES.reduce((sum, status) => sum + (counts[status] ?? 0), 0)
  const filter = (status: RequirementStatus | null) => ({
    href: status === null ? url.pathname : `${url.pathname}?status=${status}`,
    text: status?.replaceAll('_', ' ') ?? 'all',
    count: status === null ? total : (counts[status] ?? 0),
    isShown: (query.status ?? null) === status,
  })
  return (
    <Section title="Requirements">
      {total === 0 ? (
        <Empty>
          No requirements yet. Create the first one with <code>POST /api/v1/projects/{contents.id}/requirements</code>.
        </Empty>
      ) : (
        <>
          <Filters label="Requirements by status" of={[null, ...REQUIREMENT_STATUSES].map(filter)} />
          {rows.length === 0 ? (
            <Empty>No requirement is in this state.</Empty>
          ) : (
            <Table label="Requirements" columns={requirementColumns} rows={rows} keyOf={({ id }) => id} />
          )}
          <Pager url={url} {...query} total={query.status ? (counts[query.status] ?? 0) : total} />
        </>
      )}
    </Section>
  )
}

function GenerateForm({ project_id, requirements }: { project_id: string; requirements: Requirement[] }) {
  const types = Object.keys(DELIVERABLE_TITLES) as DeliverableType[]
  return (
    <Form action={`/app/projects/${project_id}/deliverables`}>
      <Select
        name="deliverable_type"
        label="Document"
        required
        value="changelog"
        options={types.map((type) => [type, deliverableTitle(type)])}
      />
      <Select
        name="requirement_id"
        label="About"
        required
        hint="The project, or one of the requirements listed on this page."
        options={[
          ['', 'The whole project'],
          ...requirements.map(({ id, number, title }): [string, string] => [id, `#${number} ${title}`]),
        ]}
      />
      <Submit>Generate</Submit>
    </Form>
  )
}

const projectPage = page(
  '/app/projects/:project_id',
  { project: 'member' },
  async ({ project: place, url: { origin, search }, refused, query }) => {
    const { deliverables_after: after = null } = query
    const [contents, requirements, hooks, deliverables] = await Promise.all([
      getProjectContents(sql, place),
      findRequirements(sql, place, query),
      listHooks(sql, place, ALL_HOOKS),
      listDeliverables(sql, place, null, { limit: MAX_DELIVERABLES + 1, after }),
    ])
    const { id, name, description, repository_url, comparisons, comparison_count } = contents
    // A refused form was posted to another path.
    const url = new URL(`/app/projects/${id}${refused ? '' : search}`, origin)
    const shown = deliverables.slice(0, MAX_DELIVERABLES)
    return {
      title: name,
      main: (
        <div class="columns">
          <div>
            {description !== null && (
              <section>
                <Prose>{description}</Prose>
              </section>
            )}
            <Unfinished rows={contents.unfinished} count={contents.unfinished_count} />
            <Requirements contents={contents} rows={requirements} url={url} query={query} />
            <Section
              title="Deployment hooks"
              count={hooks.length}
              aside={place.role === 'admin' && <a href={`/app/projects/${id}/rollback`}>Roll back…</a>}
            >
              {hooks.length === 0 ? (
                <Empty>
                  Nothing is deployed from here yet. Create a hook with <code>POST /api/v1/projects/{id}/deployment-hooks</code>.
                  It calls your CI when a workflow is done.
                </Empty>
              ) : (
                <HookTable hooks={hooks} />
              )}
            </Section>
            <Section title="Deliverables">
              {shown.length === 0 ? (
                <Empty>
                  {after === null
                    ? 'No documents yet. Generate the first one with the form on this page.'
                    : 'No older documents.'}
                </Empty>
              ) : (
                <DeliverableTable deliverables={shown} />
              )}
              {(after !== null || deliverables.length > MAX_DELIVERABLES) && (
                <nav class="pager" aria-label="Pages of deliverables">
                  {after !== null && <a href={url.pathname}>Newest</a>}
                  {deliverables.length > MAX_DELIVERABLES && (
                    <a href={`${url.pathname}?deliverables_after=${shown.at(-1)?.id}`} rel="next">
                      Older
                    </a>
                  )}
                </nav>
              )}
            </Section>
            <Section title="Comparisons" count={comparison_count}>
              {comparisons.length === 0 ? (
                <Empty>
                  No comparisons yet. Run two workflow graphs of one requirement, then compare them with{' '}
                  <code>POST /api/v1/projects/{id}/dual-track</code>.
                </Empty>
              ) : (
                <ComparisonTable comparisons={comparisons} />
              )}
              {comparison_count > comparisons.length && (
                <p class="hint">The newest {comparisons.length} are shown; the page of a requirement lists its own.</p>
              )}
            </Section>
          </div>
          <div>
            <Section title="Details">
              <Facts
                of={[
                  ['Repository', repository_url === null ? <span class="hint">none</span> : <WebLink href={repository_url} />],
                  ['Created', <Time at={contents.created_at} />],
                ]}
              />
            </Section>
            <Section title="Generate a document">
              <div class="card">
                <GenerateForm project_id={id} requirements={requirements} />
              </div>
            </Section>
          </div>
        </div>
      ),
    }
  },
  ProjectQuery,
)

const generate = action(
  '/app/projects/:project_id/deliverables',
  { project: 'member' },
  { on: projectPage, body: GenerateInput },
  async ({ request, caller, project, change }, body) => {
    const { id } = await change((tx) => generateDeliverable(tx, caller, project, body))
    const finished = await waitUntilFinished(request, MAX_GENERATE_SECONDS, () => finishedDeliverable(sql, { ...project, id }))
    return { to: `/app/deliverables/${id}`, notice: finished ? undefined : 'The document is being generated.' }
  },
)

const count = (hooks: number): string => `${hooks} hook${hooks === 1 ? '' : 's'}`

function RollbackForm({
  path,
  hooks,
  query,
}: {
  path: string
  hooks: Hook[]
  query: { target_version?: string; environment?: string }
}) {
  return (
    <Form action={path}>
      <Field
        name="target_version"
        label="Version to return to"
        required
        maxLength={120}
        value={query.target_version}
        hint="As your receivers know it, such as v1.4.2."
      />
      <TextArea name="reason" label="Reason" maxLength={2000} hint="Sent to the hooks and channels, and kept in the audit log." />
      <Field
        name="environment"
        label="Environment"
        maxLength={64}
        value={query.environment}
        hint="Passed to every hook, whatever its own environment is."
      />
      <Submit kind="danger">{hooks.length === 0 ? 'Roll back without hooks' : `Roll back through ${count(hooks.length)}`}</Submit>
    </Form>
  )
}

const RollbackQuery = Shape({ target_version: Maybe(Text(120)), environment: Maybe(Text(64)) })

const rollbackPage = page(
  '/app/projects/:project_id/rollback',
  { project: 'admin' },
  async ({ project, url, query }) => {
    const hooks = (await listHooks(sql, project, ALL_HOOKS)).filter(({ enabled }) => enabled)
    return {
      title: 'Roll back',
      main: (
        <div class="columns">
          <div>
            <Section title="Hooks that receive it" count={hooks.length}>
              {hooks.length === 0 ? (
                <Empty>No hook is enabled, so nothing is deployed. Channels are told, and the audit log has an entry.</Empty>
              ) : (
                <HookTable hooks={hooks} />
              )}
            </Section>
          </div>
          <div>
            <Section title="What to return to">
              <div class="card">
                <RollbackForm path={url.pathname} hooks={hooks} query={query} />
              </div>
              <p class="more">
                <a href={`/app/projects/${project.id}`}>Back without a rollback</a>
              </p>
            </Section>
          </div>
        </div>
      ),
    }
  },
  RollbackQuery,
)

const requestRollback = action(
  '/app/projects/:project_id/rollback',
  { project: 'admin' },
  { on: rollbackPage, body: RollbackInput },
  async ({ caller, project, change }, body) => {
    const { dispatches } = await change((tx) => rollBack(tx, caller, project, body))
    const sent = dispatches.length === 0 ? 'No hook is enabled, so it was sent to none.' : `Sent to ${count(dispatches.length)}.`
    return { to: `/app/projects/${project.id}`, notice: `A rollback to ${body.target_version} was requested. ${sent}` }
  },
)

export const projectPages = pageRoutes('project-pages', projectPage, generate, rollbackPage, requestRollback)
