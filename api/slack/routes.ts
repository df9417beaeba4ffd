import { Elysia } from 'elysia'
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { traceparentOf } from '../../core/platform/traces.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { limitAddress } from '../plugins/rate-limit.ts'
import { contextOf } from '../plugins/request-context.ts'
import { SECURITY_HEADERS } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { digestOf, handleClick } from './interactions.ts'
import { isSignedBySlack, readClick } from './payload.ts'

const MAX_INTERACTION_BYTES = 65_536
/** Slack expects a response within three seconds. */
const RESPONSE_TIMEOUT_MS = 2_500

/** @throws Problem `database_unavailable` if the work takes too long; it continues, and its outcome is shown in Slack */
async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>()
  const detail = 'The database is too slow at the moment. If the message in Slack does not change, click again.'
  const timer = setTimeout(() => late.reject(new Problem('database_unavailable', detail)), RESPONSE_TIMEOUT_MS)
  work.catch((error: unknown) => log.warn({ error }, 'a click in slack failed'))
  await Promise.race([work, late.promise]).finally(() => clearTimeout(timer))
}

/** Slack expects no body. */
const accepted = (): Response =>
  new Response('', { headers: { ...SECURITY_HEADERS, 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' } })

async function interact(request: Request): Promise<Response> {
  const secrets = config.SLACK_SIGNING_SECRET
  if (!secrets) throw new Problem('not_found', 'This service has no Slack app: SLACK_SIGNING_SECRET is not set.')
  const context = contextOf(request)
  const { bytes } = context
  if (bytes.length > MAX_INTERACTION_BYTES)
    throw new Problem('body_too_large', `The body must not be larger than ${MAX_INTERACTION_BYTES} bytes.`)
  if (!isSignedBySlack(request.headers, bytes, secrets, epochSeconds())) {
    // Not before: all clicks come from the few addresses of Slack.
    Object.assign(context.headers, limitAddress(context.address))
    throw new Problem('invalid_signature', 'The request is not signed with the signing secret, or is older than five minutes.')
  }
  const click = readClick(bytes)
  if (!click) return accepted()
  await inTime(
    handleClick({
      click,
      digest: digestOf(request.headers.get('x-slack-request-timestamp') ?? '', bytes),
      visitor: { ip_address: context.address, device: 'Slack' },
      request_id: context.request_id,
      traceparent: traceparentOf(context.span),
    }),
  )
  return accepted()
}

export const slack = new Elysia({ name: 'slack', tags: ['Slack'] })
  .use(access)
  // Without a rate limit: the handler counts only requests that Slack has not signed.
  .post(
    '/slack/interactions',
    ({ request }) => interact(request),
    operation('open', 'probes', {
      id: 'receiveSlackInteraction',
      summary: 'Receive a click in Slack',
      description:
        "The *Interactivity Request URL* of the operator's Slack app. Slack posts a form with the field `payload`, signed with the signing secret of the app (`X-Slack-Signature`, `X-Slack-Request-Timestamp`). A click on *Approve* or *Reject* decides the gate as the user who is linked to the Slack account. The response is 200 whatever comes of it: decisions and refusals are shown in Slack. See [Slack](/docs/slack).",
      consumes: ['application/x-www-form-urlencoded'],
      responses: { 200: null },
      produces: ['text/plain'],
      errors: ['not_found', 'body_too_large', 'invalid_signature', 'invalid_interaction'],
    }),
  )
