import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Page, Shape, Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { LIST, listed, listedPage, NEWEST_FIRST, PAGED_LIST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { Activity, BY_TIME, listActivityPage } from './activity.ts'
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
import { getTrack, ProjectTrack } from './track.ts'

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
  .get(
    '/projects/:project_id/track',
    ({ caller, project }) => getTrack(sql, project, caller),
    operation('project', 'member', {
      scopes: ['work:read'],
      id: 'getProjectTrack',
      summary: 'Get what is in work in a project, and what runs in its environments',
      description:
        'What the page of the project shows, in one answer of at most 64 KiB: what may come to each environment next, and what holds it back.',
      responses: { 200: ProjectTrack },
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
  .get(
    '/projects/:project_id/activity',
    async ({ request, project, query }) => {
      const { items, ...page } = await listedPage(request, query, BY_TIME, (asked) => listActivityPage(sql, project, asked))
      return { ...page, items: items.map(({ id: _, ...item }) => item) }
    },
    operation('project', 'member', {
      id: 'listActivity',
      summary: 'List what happened in a project',
      description:
        'Newest first: what people and agents did, and the outcomes of rollouts, each as a sentence. Names are those of now, where what has them still exists. What was done before version 0.4.0 is not listed, apart from rollouts. A rollout that is reported after it became `unknown` or `not_delivered` comes first again: a walk that has passed its new place does not see it.',
      query: Shape(PAGED_LIST),
      responses: { 200: Page(Activity) },
    }),
  )
