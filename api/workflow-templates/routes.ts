import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { getTemplate, setTemplate, WorkflowTemplate, WorkflowTemplateInput } from './workflow-templates.ts'

const responses = { 200: WorkflowTemplate }

const reading = (id: string, owner: string, fallback: string) => ({
  id,
  summary: `Get the workflow template of ${owner}`,
  description: `The text of a workflow definition file. Default: ${fallback}`,
  responses,
})

const setting = (id: string, owner: string, effect: string) => ({
  id,
  summary: `Set the workflow template of ${owner}`,
  description: effect,
  body: WorkflowTemplateInput,
  responses,
})

export const workflowTemplates = new Elysia({ name: 'workflow-templates', prefix: '/api/v1', tags: ['Workflow templates'] })
  .use(access)
  .get(
    '/organizations/:org_id/workflow-template',
    ({ organization }) => getTemplate(sql, organization),
    operation('organization', 'member', reading('getOrganizationWorkflowTemplate', 'an organization', 'a built-in template.')),
  )
  .put(
    '/organizations/:org_id/workflow-template',
    ({ request, caller, organization, change, body }) =>
      change(200, (tx) => setTemplate(tx, caller, organization, body, request)),
    operation(
      'organization',
      'admin',
      setting(
        'updateOrganizationWorkflowTemplate',
        'an organization',
        'New workspaces start with a copy; existing ones keep theirs.',
      ),
    ),
  )
  .get(
    '/workspaces/:workspace_id/workflow-template',
    ({ workspace }) => getTemplate(sql, workspace),
    operation('workspace', 'member', {
      scopes: ['work:read'],
      ...reading(
        'getWorkspaceWorkflowTemplate',
        'a workspace',
        'a copy of the template that the organization had when the workspace was created, or a built-in one.',
      ),
    }),
  )
  .put(
    '/workspaces/:workspace_id/workflow-template',
    ({ request, caller, workspace, change, body }) => change(200, (tx) => setTemplate(tx, caller, workspace, body, request)),
    operation(
      'workspace',
      'admin',
      setting('updateWorkspaceWorkflowTemplate', 'a workspace', 'New projects start with a copy; existing ones keep theirs.'),
    ),
  )
  .get(
    '/projects/:project_id/workflow-template',
    ({ project }) => getTemplate(sql, project),
    operation('project', 'member', {
      scopes: ['work:read'],
      ...reading(
        'getProjectWorkflowTemplate',
        'a project',
        'a copy of the template that the workspace had when the project was created, or a built-in one.',
      ),
    }),
  )
  .put(
    '/projects/:project_id/workflow-template',
    ({ request, caller, project, change, body }) => change(200, (tx) => setTemplate(tx, caller, project, body, request)),
    operation('project', 'admin', setting('updateProjectWorkflowTemplate', 'a project', 'Applies to this project only.')),
  )
