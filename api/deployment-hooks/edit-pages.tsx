/** Making, changing and deleting deployment hooks, and trying a filter before it is saved. */

import { sql } from '../../core/platform/database.ts'
import { Nothing } from '../../core/values/schema.ts'
import { Button, Form, RefusedForm, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { Tabs } from '../pages/components/lists.tsx'
import { type Column, Section, Table } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import type { Refused } from '../pages/forms.ts'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { invalidFields } from '../problems.ts'
import { projectPath, tabCrumb } from '../projects/tabs.tsx'
import { ciTemplates } from './ci-templates.ts'
import { changedHookIn, HookFields, HookForm, newHookIn } from './hook-form.tsx'
import { createHook, deleteHook, getHook, updateHook } from './hooks.ts'
import { copied, once } from './keys-pages.tsx'
import { type TriedEvent, tryFilter } from './preview.ts'
import { templateFieldErrors } from './rules.ts'
import type { CreatedHook, Hook } from './schema.ts'

const newPath = ({ id }: { id: string }): string => `/app/projects/${id}/deployment-hooks/new`

const newPage = page('/app/projects/:project_id/deployment-hooks/new', { project: 'admin' }, async ({ project, url }) => {
  const templates = await ciTemplates()
  // A refused form was posted to the same address.
  const chosen = templates.find(({ name }) => name === url.searchParams.get('template'))
  const path = newPath(project)
  const action = chosen ? `${path}?template=${chosen.name}` : path
  return {
    title: 'New deployment hook',
    crumbs: [tabCrumb(project.id, 'deployment-hooks')],
    main: (
      <>
        <Tabs
          label="Templates for CI systems"
          path={action}
          tabs={[[path, 'Empty'], ...templates.map(({ name, title }): [string, string] => [`${path}?template=${name}`, title])]}
        />
        {chosen && (
          <p class="hint">
            Put in your repository and credentials. <a href={`/docs/receivers/ci-systems#${chosen.name}`}>The pipeline for it</a>
          </p>
        )}
        <Form card action={action}>
          <HookFields of={(chosen?.hook as Partial<Hook> | undefined) ?? {}} isNew />
          <Submit>Create the hook</Submit>
        </Form>
      </>
    ),
  }
})

function madeOf({ id, mode, secret, public_key }: CreatedHook) {
  const to = `/app/deployment-hooks/${id}`
  if (secret !== undefined)
    return copied('Secret of the new hook', id, {
      value: secret,
      notice: once('secret', 'makes another hook'),
      children: (
        <p class="hint">
          A receiver of your own verifies with it that requests come from here. CI systems that the hook calls directly, such as
          GitHub, do not need it.
        </p>
      ),
    })
  if (public_key !== null) return { to, notice: 'The hook was created. Its receiver verifies with the public key on this page.' }
  return { to, notice: mode === 'pull' ? 'The hook was created. Make a pull token for its agent.' : 'The hook was created.' }
}

const create = actionOn(newPage, '', { project: 'admin' }, HookForm, async ({ caller, project, change }, form) => {
  const input = newHookIn(form)
  return madeOf(await change((tx) => createHook(tx, caller, project, input)))
})

const editPath = ({ id }: { id: string }): string => `/app/deployment-hooks/${id}/edit`

const triedColumns: Column<TriedEvent>[] = [
  { head: 'Event', main: true, cell: ({ created_at }) => <Time at={created_at} exact /> },
  { head: 'Outcome', cell: ({ failed }) => <State of={failed ? 'left out' : 'sent'} tone={failed ? 'wait' : 'good'} /> },
  {
    head: 'Because of',
    cell: ({ failed }) =>
      failed && (
        <>
          <code>{failed.pointer}</code> is <code>{JSON.stringify(failed.value)}</code>
        </>
      ),
  },
]

/** @param tried the newest events, and what the filter in the form does with them; null before it was tried */
function editView(hook: Hook, tried: TriedEvent[] | null) {
  const path = editPath(hook)
  return {
    title: 'Edit the hook',
    crumbs: [tabCrumb(hook.project_id, 'deployment-hooks'), { href: `/app/deployment-hooks/${hook.id}`, text: hook.name }],
    main: (
      <>
        {tried && (
          <>
            <Notice tone="warn">Not saved yet.</Notice>
            <Section title="What the filter does with the newest events">
              <Table label="Newest events" columns={triedColumns} rows={tried}>
                There was no such event in this project yet.
              </Table>
            </Section>
          </>
        )}
        <Form card action={path} others={[`${path}/try`]} updated_at={hook.updated_at}>
          <HookFields of={hook} isNew={false} />
          <div class="buttons">
            <Submit>Save</Submit>
            <SubmitTo action={`${path}/try`}>Try the filter</SubmitTo>
          </div>
        </Form>
        <Section title="Delete">
          <Button
            action={`${path}/delete`}
            kind="danger"
            confirm={`Delete the hook ${hook.name} and its dispatches? This cannot be undone.`}
          >
            Delete the hook
          </Button>
        </Section>
      </>
    ),
  }
}

const editPage = page('/app/deployment-hooks/:hook_id/edit', { hook: 'admin' }, async ({ hook }) =>
  editView(await getHook(sql, hook), null),
)

const save = actionOn(editPage, '', { hook: 'admin' }, HookForm, async ({ request, caller, hook, change }, form) => {
  const { mode } = await getHook(sql, hook)
  const input = changedHookIn(form, mode)
  await change((tx) => updateHook(tx, caller, hook, input, request))
  return { to: `/app/deployment-hooks/${hook.id}`, notice: 'The hook was saved.' }
})

const tryOut = actionOn(editPage, '/try', { hook: 'admin' }, HookForm, async ({ hook }, form) => {
  const stored = await getHook(sql, hook)
  const { filter = null } = changedHookIn(form, stored.mode)
  const errors = templateFieldErrors({ filter }, null)
  if (errors.length > 0) throw invalidFields(errors)
  const view = editView(stored, await tryFilter(sql, hook, filter))
  const typed: Refused = {
    action: editPath(hook),
    values: valuesOf(form),
    typed: [],
    errors: {},
    message: null,
    isOutdated: false,
    isShown: false,
  }
  return { ...view, main: <RefusedForm.Provider value={typed}>{view.main}</RefusedForm.Provider> }
})

/** The fields as they were sent, so that the form shows them again. */
function valuesOf({ filter = {}, ...fields }: HookForm): URLSearchParams {
  const values = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) values.set(name, String(value))
  for (const [name, text] of Object.entries(filter)) values.set(`filter/${name}`, text)
  return values
}

const remove = actionOn(editPage, '/delete', { hook: 'admin' }, Nothing, async ({ request, caller, hook, change }) => {
  const { name } = await getHook(sql, hook)
  await change((tx) => deleteHook(tx, caller, hook, request))
  return { to: projectPath(hook.project_id, 'deployment-hooks'), notice: `The hook ${name} was deleted.` }
})

export const hookEditPages = pageRoutes('hook-edit-pages', newPage, create, editPage, save, tryOut, remove)
