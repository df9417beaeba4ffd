/** What the answer of a Teams workflow means. */
import { retryAfter } from '../../deployment-hooks/outcome.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import { type Classification, gone, jsonOf, noResponse, permanent, transient } from '../outcome.ts'

const CHECK_URL = 'The workflow was deleted or turned off, or its URL has changed. Copy the current URL from Teams.'

/** A workflow answers 202 with an empty body before it posts, so any 2xx counts as success. */
export function classifyTeams(result: OutboundResult, now: number): Classification {
  const { status, headers, error } = result
  if (status === null) return noResponse(error)
  // The retired connectors answered 200 with the error in the body.
  const [, inside] = /Microsoft Teams endpoint returned HTTP error (\d{3})/.exec(result.body ?? '') ?? []
  const effective = inside ? Number(inside) : status
  if (effective >= 200 && effective < 300) return { kind: 'delivered' }
  const reported = (jsonOf(result).error as { code?: unknown } | undefined)?.code
  const code = typeof reported === 'string' && /^[A-Za-z]{1,60}$/.test(reported) ? ` ${reported}` : ''
  const answer = `Teams answered ${effective}${code}.`
  if (effective === 410) return gone(`${answer} ${CHECK_URL}`)
  if (effective === 400 && /Workflow(NotFound|TriggerIsNotEnabled)/.test(code))
    return permanent('workflow_gone', `${answer} ${CHECK_URL}`)
  if (effective === 413) return permanent('payload_too_large', answer, false)
  if (effective === 400) return permanent('invalid_payload', answer, false)
  if (effective === 429) return transient('rate_limited', answer, Math.max(1, retryAfter(headers ?? {}, now)))
  if (effective >= 500 || effective === 408) return transient('http_error', answer, retryAfter(headers ?? {}, now))
  if (effective < 400) return transient('not_understood', answer)
  return permanent('http_error', `${answer} ${CHECK_URL}`)
}
