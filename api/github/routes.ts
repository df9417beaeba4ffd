import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { answerGate } from './answers.ts'
import { Installation, listInstallations, MAX_INSTALLATIONS, removeInstallation } from './installations.ts'
import { getRepositoryLink, LinkInput, linkRepository, RepositoryLink, reach, unlinkRepository } from './links.ts'

export const github = new Elysia({ name: 'github', prefix: '/api/v1', tags: ['GitHub'] })
  .use(access)
  .get(
    '/organizations/:org_id/github-installations',
    ({ organization }) => listInstallations(sql, organization.id),
    operation('organization', 'member', {
      id: 'listGitHubInstallations',
      summary: 'List the installations of the GitHub App that the organization has connected',
      description: `Newest first, at most ${MAX_INSTALLATIONS}. A person connects them on the page of the organization, because GitHub has to show that they own the account. See [GitHub](/docs/github).`,
      responses: { 200: Type.Array(Installation) },
    }),
  )
  .delete(
    '/organizations/:org_id/github-installations/:installation_id',
    ({ request, caller, organization, params, change }) =>
      change(204, (tx) => removeInstallation(tx, caller, organization, params.installation_id, request)),
    operation('organization', 'admin', {
      id: 'removeGitHubInstallation',
      summary: 'Disconnect an installation',
      description:
        'Its repositories are unlinked, and workflow runs that wait for their gates are rejected. The id is the one in the list, not GitHub’s. At GitHub, the app stays installed.',
      responses: { 204: null },
    }),
  )
  .get(
    '/projects/:project_id/github',
    ({ project }) => getRepositoryLink(sql, project),
    operation('project', 'member', {
      id: 'getGitHubLink',
      summary: 'Get the repository at GitHub that a project is linked to',
      responses: { 200: RepositoryLink },
    }),
  )
  .put(
    '/projects/:project_id/github',
    async ({ request, caller, project, change, body }) => {
      // GitHub is asked before the transaction.
      const reached = await reach(project, body.repository)
      return change(200, (tx) => linkRepository(tx, caller, project, body, reached, request))
    },
    operation('project', 'organization admin', {
      id: 'putGitHubLink',
      summary: 'Link a project to a repository at GitHub',
      description:
        'Jobs of the repository that name an environment with the protection rule of the app wait for gates of the project, and its deployments are shown in the environments of the project. A repository is linked to one project. See [GitHub](/docs/github).',
      body: LinkInput,
      responses: { 200: RepositoryLink },
      errors: ['repository_not_accessible', 'repository_linked', 'github_unavailable', 'secret_unreadable'],
    }),
  )
  .delete(
    '/projects/:project_id/github',
    ({ request, caller, project, change }) => change(204, (tx) => unlinkRepository(tx, caller, project, request)),
    operation('project', 'admin', {
      id: 'deleteGitHubLink',
      summary: 'Unlink the repository of a project',
      description: 'Workflow runs that wait for gates of the project are rejected, also those that come later.',
      responses: { 204: null },
    }),
  )
  .post(
    '/gates/:gate_id/github-answer',
    ({ gate, change }) => change(202, (tx) => answerGate(tx, gate)),
    operation('gate', 'admin', {
      id: 'answerGitHub',
      summary: 'Send the answer of a gate to GitHub again, at once',
      description:
        'For a workflow run that still waits because GitHub did not take the answer. It is tried again by itself, too.',
      decidesNothing: true,
      responses: { 202: null },
      errors: ['invalid_transition'],
    }),
  )
