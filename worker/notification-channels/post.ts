/** Requests that carry one message, and what their responses mean. */
import { databaseMs } from '../../core/platform/clock.ts'
import { type OutboundResult, post } from '../outbound/outbound.ts'
import type { Classification, SendResult } from './outcome.ts'
import type { OpenChannel } from './sender.ts'

/** @param now when the response arrived, in milliseconds */
type Classify = (result: OutboundResult, now: number) => Classification

export const resultOf = ({ clock }: OpenChannel, result: OutboundResult, classify: Classify): SendResult<never> => ({
  classification: classify(result, databaseMs(clock)),
  response_status: result.status,
  duration_ms: result.duration_ms,
})

const JSON_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Signalbox-Notifications/1' }

export const postToChat = async (channel: OpenChannel, webhook_url: string, message: object, classify: Classify) =>
  resultOf(channel, await post(webhook_url, JSON_HEADERS, JSON.stringify(message)), classify)

/** Breaks mentions of Feishu and Teams, `<at …>`, with a zero-width space: they look the same and notify no one. */
export const withoutMentions = (text: string): string => text.replaceAll(/<(?=\/?at\b)/gi, '<\u200b')
