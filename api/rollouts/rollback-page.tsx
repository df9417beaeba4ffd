/** The page on which a rollback is confirmed: it names the hooks that receive it. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape, type Static, Text } from '../../core/values/schema.ts'
import { HookList } from '../deployment-hooks/list.tsx'
import { findVersions, type HookSummary, listHookSummaries, type RanVersion } from '../deployment-hooks/summaries.ts'
import { RollbackInput } from '../dispatches/schema.ts'
import { rollBack } from '../dispatches/triggers.ts'
import { Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { shownOf } from '../pages/components/lists.tsx'
import { Empty, type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'

const RollbackQuery = Shape({ target_version: Maybe(Text(120)), environment: Maybe(Text(64)) })
type RollbackQuery = Static<typeof RollbackQuery>

const count = (hooks: number): string => `${hooks} hook${hooks === 1 ? '' : 's'}`

const RollbackForm = ({ path, hooks, query }: { path: string; hooks: HookSummary[]; query: RollbackQuery }) => (
  <Form action={path}>
    <Field
      name="target_version"
      label="Version to return to"
      required
      maxLength={120}
      value={query.target_version}
      hint="As your receivers know it, such as v1.4.2. Choose one that ran, or enter another: a rollback needs no approval."
    />
    <TextArea name="reason" label="Reason" maxLength={2000} hint="Sent to the hooks and channels." />
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

const versionRow =
  (path: string, chosen: string | undefined) =>
  ({ version, environment, at, is_current }: RanVersion): RowParts => ({
    what: <bdi>{version}</bdi>,
    beside: (
      <>
        <bdi>{environment}</bdi> {is_current && <State of="current" tone="run" text="runs now" />}
      </>
    ),
    end: <Time at={at} />,
    actions:
      version === chosen ? (
        <State of="chosen" tone="good" />
      ) : (
        <a class="button quiet" href={`${path}?${new URLSearchParams({ target_version: version, environment })}`}>
          Choose<span class="unseen"> {version}</span>
        </a>
      ),
  })

const Versions = ({ rows, path, query }: { rows: RanVersion[]; path: string; query: RollbackQuery }) => (
  <Section title="Versions that ran" count={rows.length}>
    <Rows label="Versions that ran" of={rows} row={versionRow(path, query.target_version)}>
      None is known: no hook reported a version that was deployed. Enter the version as your receivers know it.
    </Rows>
    {query.environment !== undefined && (
      <p class="more">
        <a href={path}>Versions of all environments</a>
      </p>
    )}
  </Section>
)

const rollbackPage = page(
  '/app/projects/:project_id/rollback',
  { project: 'admin' },
  async ({ project, url, query }) => {
    const [all, versions] = await Promise.all([listHookSummaries(sql, project), findVersions(sql, project, query.environment)])
    const hooks = all.filter(({ enabled }) => enabled)
    return {
      title: 'Roll back',
      main: (
        <div class="columns">
          <div>
            <Versions rows={versions} path={url.pathname} query={query} />
            <Section title="Hooks that receive it" count={hooks.length}>
              {hooks.length === 0 ? (
                <Empty>
                  No hook is enabled, so nothing is deployed. Channels get a message, and the audit log gets an entry.
                </Empty>
              ) : (
                <>
                  <HookList hooks={shownOf(hooks)} />
                  <p class="hint">
                    {hooks.length > shownOf(hooks).length && `The newest ${shownOf(hooks).length} are shown. `}
                    Every enabled hook of the project gets it, whatever its environment is; a paused one when it is resumed.
                  </p>
                </>
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

const admin = { project: 'admin' } as const

const requestRollback = actionOn(rollbackPage, '', admin, RollbackInput, async ({ caller, project, change }, body) => {
  const { dispatches } = await change((tx) => rollBack(tx, caller, project, body))
  const sent = dispatches.length === 0 ? 'No hook is enabled, so it was sent to none.' : `Sent to ${count(dispatches.length)}.`
  return { to: `/app/projects/${project.id}`, notice: `A rollback to ${body.target_version} was requested. ${sent}` }
})

export const rollbackPages = pageRoutes('rollback-pages', rollbackPage, requestRollback)
