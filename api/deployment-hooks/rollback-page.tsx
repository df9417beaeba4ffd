/** The page on which a rollback is confirmed: it names the hooks that receive it. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape, Text } from '../../core/values/schema.ts'
import { Field, Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { Empty, Section } from '../pages/components/structure.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { listHooks, MAX_HOOKS } from './hooks.ts'
import { RollbackInput } from './recovery-schema.ts'
import type { Hook } from './schema.ts'
import { HookTable } from './table.tsx'
import { rollBack } from './triggers.ts'

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
}

const RollbackQuery = Shape({ target_version: Maybe(Text(120)), environment: Maybe(Text(64)) })

const rollbackPage = page(
  '/app/projects/:project_id/rollback',
  { project: 'admin' },
  async ({ project, url, query }) => {
    const hooks = (await listHooks(sql, project, { limit: MAX_HOOKS, after: null })).filter(({ enabled }) => enabled)
    return {
      title: 'Roll back',
      main: (
        <div class="columns">
          <div>
            <Section title="Hooks that receive it" count={hooks.length}>
              {hooks.length === 0 ? (
                <Empty>
                  No hook is enabled, so nothing is deployed. Channels get a message, and the audit log gets an entry.
                </Empty>
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

export const rollbackPages = pageRoutes('rollback-pages', rollbackPage, requestRollback)
