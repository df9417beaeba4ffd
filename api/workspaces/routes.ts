import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  createWorkspace,
  deleteWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
  Workspace,
  WorkspaceInput,
  WorkspaceSummary,
  WorkspaceUpdate,
} from './workspaces.ts'

export const workspaces = new Elysia({ name: 'workspaces', prefix: '/api/v1', tags: ['Workspaces'] })
  .use(access)
  .get(
    '/organizations/:org_id/workspaces',
    ({ request, organization, query }) =>
      listed(request, query, NEWEST_FIRST, (slice) => listWorkspaces(sql, organization.id, slice)),
    operation('organization', 'member', {
      id: 'listWorkspaces',
      summary: 'List the workspaces of an organization',
      query: Shape(LIST),
      responses: { 200: Type.Array(WorkspaceSummary) },
    }),
  )
  .post(
    '/organizations/:org_id/workspaces',
    ({ caller, organization, change, body }) =>
      change(201, (tx) => createWorkspace(tx, caller, organization, body), '/api/v1/workspaces'),
    operation('organization', 'member', {
      id: 'createWorkspace',
      summary: 'Create a workspace',
      description: 'You become its admin. Owners and admins of the organization are admins of all its workspaces.',
      body: WorkspaceInput,
      responses: { 201: Workspace },
      errors: ['workspace_limit_reached'],
    }),
  )
  .get(
    '/workspaces/:workspace_id',
    ({ workspace }) => getWorkspace(sql, workspace),
    operation('workspace', 'member', {
      scopes: ['work:read'],
      id: 'getWorkspace',
      summary: 'Get a workspace',
      responses: { 200: Workspace },
    }),
  )
  .put(
    '/workspaces/:workspace_id',
    ({ request, caller, workspace, change, body }) => change(200, (tx) => updateWorkspace(tx, caller, workspace, body, request)),
    operation('workspace', 'admin', {
      id: 'updateWorkspace',
      summary: 'Update a workspace',
      description:
        'A `gate_policy.decide_via` that leaves no way to approve gates for an environment, as its policy says, is refused with `not_allowed`.',
      body: WorkspaceUpdate,
      responses: { 200: Workspace },
    }),
  )
  .delete(
    '/workspaces/:workspace_id',
    ({ request, caller, workspace, change }) => change(204, (tx) => deleteWorkspace(tx, caller, workspace, request)),
    operation('workspace', 'admin', {
      id: 'deleteWorkspace',
      summary: 'Delete a workspace and everything in it',
      responses: { 204: null },
    }),
  )
