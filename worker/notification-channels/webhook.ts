/** Webhooks: the envelope, signed and classified as for deployment hooks. */
import { traceHeader } from '../../core/dispatches/request-headers.ts'
import type { WebhookConfig } from '../../core/notification-channels/webhook.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import type { Mask } from '../../core/security/masking.ts'
import { signatureHeaders, signingKeys } from '../../core/security/signing.ts'
import { classifyResponse } from '../deployment-hooks/outcome.ts'
import { type OutboundResult, post } from '../outbound/outbound.ts'
import { RETRY_AFTER_STATUSES, retryAfter } from '../outbound/retry-after.ts'
import { type Classification, gone, permanent, transient } from './outcome.ts'
import { resultOf } from './post.ts'
import type { DueMessage, Sender } from './sender.ts'

/** @param timestamp seconds since 1970: each attempt is signed again, as Standard Webhooks asks */
function webhookHeaders(config: WebhookConfig, message: DueMessage, timestamp: number, traceparent: string | null) {
  return {
    ...traceHeader(config.headers ?? {}, traceparent),
    ...config.headers,
    'Content-Type': 'application/json',
    'User-Agent': 'Signalbox-Hooks/1',
    'X-Signalbox-Event': message.event,
    'X-Signalbox-Delivery': message.id,
    'X-Signalbox-Attempt': String(message.attempt_count + 1),
    ...signatureHeaders(signingKeys(config.secret === undefined ? [] : [config.secret]), {
      id: message.id,
      timestamp,
      body: message.body,
    }),
  }
}

/** Responses mean the same as for deployment hooks; only the retry schedule is the one of channels. */
export function classifyWebhook(result: OutboundResult, now: number, mask: Mask): Classification {
  const outcome = classifyResponse(result, 1, Number.POSITIVE_INFINITY, now, mask)
  if (outcome.kind === 'succeeded') return { kind: 'delivered' }
  if (outcome.kind === 'retry') {
    const asked = RETRY_AFTER_STATUSES.has(result.status ?? 0) ? retryAfter(result.headers ?? {}, now) : 0
    return transient(outcome.error.code, outcome.error.detail, asked)
  }
  if (!outcome.gone) return permanent(outcome.error.code, outcome.error.detail)
  return gone('The receiver answered 410. It does not want any more messages.')
}

export const webhook: Sender<'webhook'> = {
  inFlight: 4,
  isForPeople: false,
  async send(channel, message, { mask, traceparent }) {
    const { id, config, clock } = channel
    const headers = webhookHeaders(config, message, Math.floor(databaseMs(clock) / 1000), traceparent)
    const answered = await post(config.url, headers, message.body, id)
    return resultOf(channel, answered, (result, now) => classifyWebhook(result, now, mask))
  },
}
