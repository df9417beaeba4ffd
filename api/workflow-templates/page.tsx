/** The workflow templates of an organization, a workspace and a project. */
import type { ComponentChildren } from 'preact'
import { sql } from '../../core/platform/database.ts'
import type { Static } from '../../core/values/schema.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { Form, Submit, TextArea } from '../pages/components/forms.tsx'
import { excerptOf, Verbatim } from '../pages/components/verbatim.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, type PageChange, type PageContext, page, pageRoutes } from '../pages/page.tsx'
import type { Resource } from '../plugins/resources.ts'
import { tabCrumb } from '../projects/tabs.tsx'
import { hasAtLeast } from '../roles.ts'
import { WorkspaceTabs } from '../workspaces/tabs.tsx'
import { getTemplate, setTemplate, WorkflowTemplateInput } from './workflow-templates.ts'

/** What a template may take of the page. A longer one is changed where it is kept, and sent to the API. */
const MAX_SHOWN = 65_536

interface TemplatePage {
  path: string
  crumbs?: View['crumbs']
  /** Who may change it. */
  isAdmin: boolean
  /** What a change means. */
  effect: string
  tabs?: ComponentChildren
}

type Owner = Resource<'organization' | 'workspace' | 'project'>

type Context = PageContext<{ signedIn: true }> & { change: PageChange }

async function templateView(owner: Owner, { path, crumbs, isAdmin, effect, tabs }: TemplatePage): Promise<View> {
  const shown = await getTemplate(sql, owner)
  const { updated_at } = shown as typeof shown & { updated_at: string | null }
  const excerpt = excerptOf(shown.template, MAX_SHOWN)
  return {
    title: 'Workflow template',
    crumbs,
    main: (
      <>
        {tabs}
        <p>{effect}</p>
        {isAdmin && !excerpt.isCut ? (
          <Form card="wide" action={path} updated_at={updated_at ?? ''}>
            <TextArea
              class="code"
              name="template"
              label="Template"
              rows={20}
              required
              value={shown.template}
              hint="The text of a workflow definition file, at most 256 KiB. It is stored as it is."
            />
            <Submit>Save</Submit>
          </Form>
        ) : (
          <Verbatim label="Workflow template" excerpt={excerpt} whole={`GET ${path.replace('/app', '/api/v1')}`} />
        )}
      </>
    ),
  }
}

async function save({ request, caller, change }: Context, owner: Owner, input: Static<typeof WorkflowTemplateInput>) {
  await change((tx) => setTemplate(tx, caller, owner, input, request))
  return { notice: 'The template was saved.' }
}

const organizationPath = ({ id }: { id: string }): string => `/app/organizations/${id}/workflow-template`

const organizationPage = page('/app/organizations/:org_id/workflow-template', { organization: 'member' }, ({ organization }) =>
  templateView(organization, {
    path: organizationPath(organization),
    isAdmin: hasAtLeast(organization.role, 'admin'),
    effect: 'New workspaces start with a copy of it; those that exist keep theirs.',
    tabs: <OrganizationTabs of={organization} path={organizationPath(organization)} />,
  }),
)

const saveOfOrganization = actionOn(organizationPage, '', { organization: 'admin' }, WorkflowTemplateInput, (context, input) =>
  save(context, context.organization, input),
)

const workspacePath = ({ id }: { id: string }): string => `/app/workspaces/${id}/workflow-template`

const workspacePage = page('/app/workspaces/:workspace_id/workflow-template', { workspace: 'member' }, ({ workspace }) =>
  templateView(workspace, {
    path: workspacePath(workspace),
    isAdmin: workspace.role === 'admin',
    effect: 'New projects start with a copy of it; those that exist keep theirs.',
    tabs: <WorkspaceTabs of={workspace} path={workspacePath(workspace)} />,
  }),
)

const saveOfWorkspace = actionOn(workspacePage, '', { workspace: 'admin' }, WorkflowTemplateInput, (context, input) =>
  save(context, context.workspace, input),
)

const projectPage = page('/app/projects/:project_id/workflow-template', { project: 'member' }, ({ project }) =>
  templateView(project, {
    path: `/app/projects/${project.id}/workflow-template`,
    crumbs: [tabCrumb(project.id, 'settings')],
    isAdmin: project.role === 'admin',
    effect: 'It applies to this project only.',
  }),
)

const saveOfProject = actionOn(projectPage, '', { project: 'admin' }, WorkflowTemplateInput, (context, input) =>
  save(context, context.project, input),
)

export const workflowTemplatePages = pageRoutes(
  'workflow-template-pages',
  organizationPage,
  saveOfOrganization,
  workspacePage,
  saveOfWorkspace,
  projectPage,
  saveOfProject,
)
