/** Making, changing and deleting projects. */

import { sql } from '../../core/platform/database.ts'
import { VERSION_SCHEMES } from '../../core/records/deliverables.ts'
import { Confirmation, ConfirmedForm, requireConfirmed } from '../pages/components/folded.tsx'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { VERSION_SCHEME_NAMES } from './page.tsx'
import { createProject, deleteProject, getProject, type Project, ProjectInput, ProjectUpdate, updateProject } from './projects.ts'

/** The fields of a project. @param of null for a new one */
const ProjectFields = ({ of }: { of: Project | null }) => (
  <>
    <Field name="name" label="Name" required maxLength={200} value={of?.name} hint="Such as the name of a product or service." />
    <TextArea name="description" label="Description" maxLength={10_000} value={of?.description ?? ''} />
    <Field name="repository_url" label="Address of the repository" type="url" maxLength={2048} value={of?.repository_url ?? ''} />
    <Field
      name="support"
      label="Where users get help"
      maxLength={200}
      value={of?.support ?? ''}
      hint="The address of a page, or an e-mail address. Documents name it."
    />
    <Select
      name="version_scheme"
      label="How releases are named in changelogs"
      required
      value={of?.version_scheme ?? 'numbered'}
      options={VERSION_SCHEMES.map((scheme) => [scheme, VERSION_SCHEME_NAMES[scheme]])}
    />
  </>
)

const newPath = ({ id }: { id: string }): string => `/app/workspaces/${id}/projects/new`

const newPage = page('/app/workspaces/:workspace_id/projects/new', { workspace: 'admin' }, ({ workspace }) => ({
  title: 'New project',
  main: (
    <Form card action={newPath(workspace)}>
      <ProjectFields of={null} />
      <Submit>Create the project</Submit>
    </Form>
  ),
}))

const admin = { project: 'admin' } as const

const create = actionOn(newPage, '', { workspace: 'admin' }, ProjectInput, async ({ caller, workspace, change }, input) => {
  const { id, name } = await change((tx) => createProject(tx, caller, workspace, input))
  return { to: `/app/projects/${id}`, notice: `The project ${name} was created.` }
})

const settingsPath = ({ id }: { id: string }): string => `/app/projects/${id}/settings`

const settingsPage = page('/app/projects/:project_id/settings', { project: 'admin' }, async ({ project }) => {
  const shown = await getProject(sql, project)
  const path = settingsPath(project)
  return {
    title: 'Settings',
    main: (
      <>
        <Form card action={path} updated_at={shown.updated_at}>
          <ProjectFields of={shown} />
          <Submit>Save</Submit>
        </Form>
        <Section title="Delete">
          <ConfirmedForm action={`${path}/delete`} name={shown.name} button="Delete the project" updated_at={shown.updated_at}>
            <p>All its requirements, executions, gates, hooks and documents are deleted at once. This cannot be undone.</p>
          </ConfirmedForm>
        </Section>
      </>
    ),
  }
})

const save = actionOn(settingsPage, '', admin, ProjectUpdate, async ({ request, caller, project, change }, input) => {
  await change((tx) => updateProject(tx, caller, project, input, request))
  return { notice: 'The settings were saved.' }
})

const remove = actionOn(settingsPage, '/delete', admin, Confirmation, async ({ request, caller, project, change }, confirmed) => {
  const { name } = await getProject(sql, project)
  requireConfirmed(confirmed, name)
  await change((tx) => deleteProject(tx, caller, project, request))
  return { to: `/app/workspaces/${project.workspace_id}`, notice: `The project ${name} and everything in it were deleted.` }
})

export const projectSettingsPages = pageRoutes('project-settings-pages', newPage, create, settingsPage, save, remove)
