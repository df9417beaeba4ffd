import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  Project,
  ProjectInput,
  ProjectUpdate,
  updateProject,
} from './projects.ts'

export const projects = new Elysia({ name: 'projects', prefix: '/api/v1', tags: ['Projects'] })
  .use(access)
  .get(
    '/workspaces/:workspace_id/projects',
    ({ request, workspace, query }) => listed(request, query, NEWEST_FIRST, (slice) => listProjects(sql, workspace, slice)),
    operation('workspace', 'member', {
      scopes: ['work:read'],
      id: 'listProjects',
      summary: 'List the projects of a workspace',
      query: Shape(LIST),
      responses: { 200: Type.Array(Project) },
    }),
  )
  .post(
    '/workspaces/:workspace_id/projects',
    ({ caller, workspace, change, body }) => change(201, (tx) => createProject(tx, caller, workspace, body), '/api/v1/projects'),
    operation('workspace', 'admin', {
      id: 'createProject',
      summary: 'Create a project',
      body: ProjectInput,
      responses: { 201: Project },
    }),
  )
  .get(
    '/projects/:project_id',
    ({ project }) => getProject(sql, project),
    operation('project', 'member', {
      scopes: ['work:read'],
      id: 'getProject',
      summary: 'Get a project',
      responses: { 200: Project },
    }),
  )
  .put(
    '/projects/:project_id',
    ({ request, caller, project, change, body }) => change(200, (tx) => updateProject(tx, caller, project, body, request)),
    operation('project', 'admin', {
      id: 'updateProject',
      summary: 'Update a project',
      body: ProjectUpdate,
      responses: { 200: Project },
    }),
  )
  .delete(
    '/projects/:project_id',
    ({ request, caller, project, change }) => change(204, (tx) => deleteProject(tx, caller, project, request)),
    operation('project', 'admin', {
      id: 'deleteProject',
      summary: 'Delete a project and everything in it',
      responses: { 204: null },
    }),
  )
