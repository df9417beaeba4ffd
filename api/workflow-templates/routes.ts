import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { WorkflowTemplate, WorkflowTemplateInput } from './schema.ts'
import { getTemplate, setTemplate } from './workflow-templates.ts'

const tag = 'Workflow templates'
const responses = { 200: WorkflowTemplate }

const reading = (id: string, place: string, whence: string) =>
  operation({
    tag,
    id,
    summary: `The workflow template of ${place}`,
    description: `The text of a workflow definition file. Until it is set: ${whence}`,
    responses,
  })

const setting = (id: string, place: string, whom: string) =>
  operation({
    tag,
    id,
    summary: `Set the workflow template of ${place}`,
    description: whom,
    body: WorkflowTemplateInput,
    responses,
  })

export const workflowTemplates = new Elysia({ name: 'workflow-templates', prefix: '/api/v1' })
  .use(access)
  .get('/organizations/:org_id/workflow-template', ({ organization }) => getTemplate(sql, organization), {
    organization: 'member',
    ...reading('getOrganizationWorkflowTemplate', 'an organization', 'a built-in text.'),
  })
  .put(
    '/organizations/:org_id/workflow-template',
    ({ request, caller, organization, change, body }) =>
      change(200, (tx) => setTemplate(tx, caller, organization, body, request)),
    {
      organization: 'admin',
      ...setting(
        'updateOrganizationWorkflowTemplate',
        'an organization',
        'Workspaces that are made from now on begin with a copy; those that there are keep theirs.',
      ),
    },
  )
  .get('/workspaces/:workspace_id/workflow-template', ({ workspace }) => getTemplate(sql, workspace), {
    workspace: 'member',
    ...reading(
      'getWorkspaceWorkflowTemplate',
      'a workspace',
      'the copy of the organization’s that it was made with, or a built-in text.',
    ),
  })
  .put(
    '/workspaces/:workspace_id/workflow-template',
    ({ request, caller, workspace, change, body }) => change(200, (tx) => setTemplate(tx, caller, workspace, body, request)),
    {
      workspace: 'admin',
      ...setting(
        'updateWorkspaceWorkflowTemplate',
        'a workspace',
        'Projects that are made from now on begin with a copy; those that there are keep theirs.',
      ),
    },
  )
  .get('/projects/:project_id/workflow-template', ({ project }) => getTemplate(sql, project), {
    project: 'member',
    ...reading(
      'getProjectWorkflowTemplate',
      'a project',
      'the copy of the workspace’s that it was made with, or a built-in text.',
    ),
  })
  .put(
    '/projects/:project_id/workflow-template',
    ({ request, caller, project, change, body }) => change(200, (tx) => setTemplate(tx, caller, project, body, request)),
    { project: 'admin', ...setting('updateProjectWorkflowTemplate', 'a project', 'Of this project alone.') },
  )
