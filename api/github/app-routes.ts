import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { skipIfReplayed } from '../plugins/change.ts'
import { operation } from '../plugins/operation.ts'
import {
  agreeOn,
  confirmWebhookSecret,
  GitHubApp,
  GitHubAppInput,
  getApp,
  removeApp,
  sendWebhookSecret,
  storeApp,
} from './app.ts'

export const githubApp = new Elysia({ name: 'github-app', prefix: '/api/v1', tags: ['GitHub'] })
  .use(access)
  .get(
    '/github-app',
    () => getApp(),
    operation('operator', true, {
      id: 'getGitHubApp',
      summary: 'Get the GitHub App of the service',
      description: 'Without its private key and its secrets. See [GitHub](/docs/github).',
      responses: { 200: GitHubApp },
    }),
  )
  .put(
    '/github-app',
    async ({ request, caller, change, body }) => {
      // GitHub is asked before the transaction.
      const agreed = await agreeOn(body)
      return change(200, (tx) => storeApp(tx, caller, agreed, request))
    },
    operation('operator', true, {
      id: 'updateGitHubApp',
      summary: 'Set up the GitHub App by hand, or replace its key and secrets',
      description:
        'GitHub is asked for the app with the key, and nothing is stored unless it agrees. Without an app, all fields are required. A secret that is left out stays. After another `webhook_secret`, the one before verifies deliveries for 24 hours more.',
      body: GitHubAppInput,
      responses: { 200: GitHubApp },
      errors: ['already_exists', 'github_refused', 'github_unavailable', 'secret_unreadable'],
    }),
  )
  .post(
    '/github-app/rotate-webhook-secret',
    async ({ request, caller, change }) => {
      await skipIfReplayed(request, () => sendWebhookSecret(caller))
      return change(200, confirmWebhookSecret)
    },
    operation('operator', true, {
      id: 'rotateGitHubWebhookSecret',
      summary: 'Replace the secret with which GitHub signs deliveries',
      description:
        'GitHub gets a new secret. The one before verifies deliveries for 24 hours more or, if GitHub does not confirm the new one, until another rotation is confirmed.',
      responses: { 200: GitHubApp },
      errors: ['github_refused', 'github_unavailable', 'secret_unreadable'],
    }),
  )
  .delete(
    '/github-app',
    ({ request, caller, change }) => change(204, (tx) => removeApp(tx, caller, request)),
    operation('operator', true, {
      id: 'deleteGitHubApp',
      summary: 'Forget the GitHub App',
      description: 'Only once no organization is connected to an installation. At GitHub, the app still exists: delete it there.',
      responses: { 204: null },
      errors: ['github_app_in_use'],
    }),
  )
