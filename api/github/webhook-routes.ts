import { Elysia } from 'elysia'
import { access } from '../plugins/access.ts'
import { FORM, MAX_BODY_BYTES } from '../plugins/body.ts'
import { operation } from '../plugins/operation.ts'
import { contextOf } from '../plugins/request-context.ts'
import { respond, toOutcome } from '../plugins/responses.ts'
import { receive } from './webhooks.ts'

export const githubWebhooks = new Elysia({ name: 'github-webhooks', tags: ['GitHub'] })
  .use(access)
  // Without a rate limit: the handler counts only requests that GitHub has not signed.
  .post(
    '/github/webhooks',
    async ({ request }) => {
      await receive(request)
      return respond(request, contextOf(request), toOutcome(202, null))
    },
    operation('open', 'probes', {
      id: 'receiveGitHubDelivery',
      summary: 'Receive a delivery of GitHub',
      description:
        "The webhook URL of the service's GitHub App, which signs each delivery (`X-Hub-Signature-256`). A delivery that came before, or is about something else, changes nothing. See [GitHub](/docs/github).",
      consumes: ['application/json', FORM],
      maxBytes: MAX_BODY_BYTES,
      responses: { 202: null },
      errors: ['not_found', 'invalid_signature', 'malformed_json', 'malformed_header'],
    }),
  )
