/** A webhook channel: the envelope, signed and judged as deployment hooks are. */
import { traceHeader } from '../../core/deployment-hooks.ts'
import type { OpenConfig } from '../../core/notification-channels.ts'
import { signatureHeaders, signingKeys } from '../../core/security/signing.ts'
import { judge, retryAfter } from '../deployment-hooks/outcome.ts'
import type { Mask } from '../outbound/masking.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import type { DueMessage } from './fetch-due.ts'
import { gone, permanent, transient, type Verdict } from './outcome.ts'

/** @param timestamp seconds since 1970: each attempt is signed anew, as Standard Webhooks asks */
export function webhookHeaders(
  config: OpenConfig,
  message: DueMessage,
  timestamp: number,
  traceparent: string | null,
): Record<string, string> {
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

/** Answers with which a receiver may say when to come again. */
const ASKS_TO_WAIT = new Set([429, 502, 503, 504])

/** The same answers mean the same as to a deployment hook; when to come again is the channels' own schedule. */
export function judgeWebhook(result: OutboundResult, now: number, mask: Mask): Verdict {
  const outcome = judge(result, 1, Number.POSITIVE_INFINITY, now, mask)
  if (outcome.kind === 'succeeded') return { kind: 'delivered' }
  if (outcome.kind === 'retry') {
    const asked = ASKS_TO_WAIT.has(result.status ?? 0) ? retryAfter(result.headers ?? {}, now) : 0
    return transient(outcome.error.code, outcome.error.detail, asked)
  }
  if (!outcome.gone) return permanent(outcome.error.code, outcome.error.detail)
  return gone('The receiver answered 410: it wants no more messages.')
}
