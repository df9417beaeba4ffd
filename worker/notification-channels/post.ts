/** Requests that carry one message, and what their responses mean. */
import { databaseMs } from '../../core/platform/clock.ts'
import { type OutboundResult, post } from '../outbound/outbound.ts'
import type { OpenChannel } from './due-message.ts'
import type { Classification, SendResult } from './outcome.ts'

/** @param now when the response arrived, in milliseconds */
type Classify = (result: OutboundResult, now: number) => Classification

export const resultOf = ({ clock }: OpenChannel, result: OutboundResult, classify: Classify): SendResult<never> => ({
  classification: classify(result, databaseMs(clock)),
  response_status: result.status,
  duration_ms: result.duration_ms,
})

const JSON_HEADERS = { 'Content-Type': 'application/json', 'User-Agent': 'Signalbox-Notifications/1' }

/** Posts a message to the webhook of a chat tool. */
export const postToChat = async (channel: OpenChannel, webhook_url: string, message: object, classify: Classify) =>
  resultOf(channel, await post(webhook_url, JSON_HEADERS, JSON.stringify(message)), classify)
