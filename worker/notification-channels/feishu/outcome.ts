/** What the answer of Feishu means. */
import { retryAfter } from '../../deployment-hooks/outcome.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import { type Classification, gone, isIncomplete, jsonOf, noResponse, permanent, transient } from '../outcome.ts'

/** Codes of errors in the message that Signalbox made. */
const MESSAGE_ERRORS: Record<number, string> = {
  9499: 'invalid_payload',
  19002: 'invalid_payload',
  19036: 'payload_too_large',
}

/** Codes of errors in the configuration of the bot, and what its owner can do. */
const BOT_ERRORS: Record<number, [code: string, hint: string]> = {
  19001: ['webhook_gone', 'The webhook no longer exists. Copy the current one from the bot.'],
  19021: ['signature_rejected', 'The bot requires signatures. Set the same signing secret here.'],
  19022: ['ip_rejected', 'The bot only accepts messages from listed addresses. Add the address of this service.'],
  19024: ['keyword_rejected', 'The bot only accepts messages with a keyword. Remove the keyword, or use a signature instead.'],
}

const RATE_LIMITED = new Set([11232, 99991400])

/** Failures can have status 200 as well: success is 200 with JSON in which `code` is 0. */
export function classifyFeishu(result: OutboundResult, now: number): Classification {
  const { status, error } = result
  if (status === null || isIncomplete(result)) return noResponse(error)
  const { code } = jsonOf(result)
  const number = typeof code === 'number' ? code : null
  if (status === 200 && number === 0) return { kind: 'delivered' }
  const headers = result.headers ?? {}
  const answer = `Feishu answered ${status}${number === null ? '' : ` with code ${number}`}.`
  if (status === 429 || (number !== null && RATE_LIMITED.has(number))) {
    const reset = Number(headers['x-ogw-ratelimit-reset'])
    const asked = Math.min(Number.isFinite(reset) ? Math.max(0, Math.ceil(reset)) : 0, 3600)
    return transient('rate_limited', answer, Math.max(1, asked, retryAfter(headers, now)))
  }
  if (number !== null && number in MESSAGE_ERRORS) return permanent(MESSAGE_ERRORS[number] ?? '', answer, false)
  const botError = number === null ? undefined : BOT_ERRORS[number]
  if (botError) return permanent(botError[0], `${answer} ${botError[1]}`)
  if (status === 410) return gone(answer)
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status >= 400 && status < 500 && status !== 408 && number === null) return permanent('http_error', answer)
  return transient(status >= 500 ? 'http_error' : 'not_understood', answer, retryAfter(headers, now))
}
