import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { createProject, deleteProject, getProject, listProjects, updateProject } from './projects.ts'
import { Project, ProjectInput, ProjectUpdate } from './schema.ts'

const tag = 'Projects'

export const projects = new Elysia({ name: 'projects', prefix: '/api/v1' })
  .use(access)
  .get(
    '/workspaces/:workspace_id/projects',
    ({ request, workspace, query }) => listed(request, query, (slice) => listProjects(sql, workspace, slice)),
    {
      scopes: ['work:read'],
      workspace: 'member',
      ...operation({
        tag,
        id: 'listProjects',
        summary: 'List the projects of a workspace',
        query: Shape(LIST),
        responses: { 200: Type.Array(Project) },
      }),
    },
  )
  .post(
    '/workspaces/:workspace_id/projects',
    ({ caller, workspace, change, body }) =>
      change(
        201,
        (tx) => createProject(tx, caller, workspace, body),
        ({ id }) => `/api/v1/projects/${id}`,
      ),
    {
      workspace: 'admin',
      ...operation({ tag, id: 'createProject', summary: 'Create a project', body: ProjectInput, responses: { 201: Project } }),
    },
  )
  .get('/projects/:project_id', ({ project }) => getProject(sql, project), {
    scopes: ['work:read'],
    project: 'member',
    ...operation({ tag, id: 'getProject', summary: 'Get a project', responses: { 200: Project } }),
  })
  .put(
    '/projects/:project_id',
    ({ request, caller, project, change, body }) => change(200, (tx) => updateProject(tx, caller, project, body, request)),
    {
      project: 'admin',
      ...operation({ tag, id: 'updateProject', summary: 'Update a project', body: ProjectUpdate, responses: { 200: Project } }),
    },
  )
  .delete(
    '/projects/:project_id',
    ({ request, caller, project, change }) => change(204, (tx) => deleteProject(tx, caller, project, request)),
    {
      project: 'admin',
      ...operation({ tag, id: 'deleteProject', summary: 'Delete a project and everything in it', responses: { 204: null } }),
    },
  )
