/** Making, changing and deleting projects. */

import { isAppKnown } from '../../core/github/app.ts'
import { sql } from '../../core/platform/database.ts'
import { VERSION_SCHEMES } from '../../core/records/deliverables.ts'
import { isWebUrl } from '../../core/values/schema.ts'
import { Confirmation, ConfirmedForm, requireConfirmed } from '../pages/components/folded.tsx'
import { Field, Form, Select, Submit, TextArea } from '../pages/components/forms.tsx'
import { WebLink } from '../pages/components/links.tsx'
import { Facts, Rows, Section } from '../pages/components/structure.tsx'
import { Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { createProject, deleteProject, getProject, type Project, ProjectInput, ProjectUpdate, updateProject } from './projects.ts'
import { projectPath, tabView } from './tabs.tsx'

const VERSION_SCHEME_NAMES: Record<Project['version_scheme'], string> = {
  numbered: 'numbered',
  calver: 'named by date',
  semver: 'semantic versions',
}

/** The fields of a project. @param of null for a new one */
const ProjectFields = ({ of }: { of: Project | null }) => (
  <>
    <Field name="name" label="Name" required maxLength={200} value={of?.name} hint="Such as the name of a product or service." />
    <TextArea name="description" label="Description" maxLength={10_000} value={of?.description ?? ''} />
    <Field name="repository_url" label="Repository URL" type="url" maxLength={2048} value={of?.repository_url ?? ''} />
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

const Support = ({ at }: { at: string }) => (isWebUrl(at) ? <WebLink href={at} /> : <span>{at}</span>)

/** What admins find in the form, and when it was made. */
const About = ({ of, isAdmin }: { of: Project; isAdmin: boolean }) => (
  <Facts
    of={[
      ['Repository', isAdmin ? null : of.repository_url && <WebLink href={of.repository_url} />],
      ['Support', isAdmin ? null : of.support && <Support at={of.support} />],
      ['Releases', isAdmin ? null : VERSION_SCHEME_NAMES[of.version_scheme]],
      ['Created', <Time at={of.created_at} exact="date" />],
    ]}
  />
)

const FURTHER = [
  {
    page: 'environments',
    what: 'Policies of environments',
    below: 'Who may approve, what is required, and when nothing may be deployed.',
  },
  { page: 'connect', what: 'Connect an agent', below: 'What coding agents need to work here.' },
  { page: 'workflow-template', what: 'Workflow template', below: 'The definition that agents of this project start from.' },
  { page: 'api-description', what: 'API description', below: 'The OpenAPI document from which its documentation is generated.' },
  {
    page: 'attestations',
    what: 'Attestations',
    below: 'Signed statements of what was approved, and whether something may be deployed.',
  },
]

const GITHUB = { page: 'github', what: 'GitHub', below: 'The repository whose workflows wait for gates of the project.' }

const settingsPage = page('/app/projects/:project_id/settings', { project: 'member' }, async ({ project }) => {
  const shown = await getProject(sql, project)
  const path = projectPath(project.id, 'settings')
  const isAdmin = project.role === 'admin'
  return tabView(project, 'settings', {
    main: (
      <>
        {isAdmin && (
          <Form card action={path} updated_at={shown.updated_at}>
            <ProjectFields of={shown} />
            <Submit>Save</Submit>
          </Form>
        )}
        <About of={shown} isAdmin={isAdmin} />
        <Section title="More of the project">
          <Rows
            label="More of the project"
            of={isAppKnown() ? [...FURTHER, GITHUB] : FURTHER}
            row={({ page, ...row }) => ({ ...row, href: `${projectPath(project.id)}/${page}` })}
          />
        </Section>
        {isAdmin && (
          <Section title="Delete">
            <ConfirmedForm action={`${path}/delete`} name={shown.name} button="Delete the project" updated_at={shown.updated_at}>
              <p>All its requirements, executions, gates, hooks and documents are deleted at once. This cannot be undone.</p>
            </ConfirmedForm>
          </Section>
        )}
      </>
    ),
  })
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
