import { describe, expect, test } from 'bun:test'
import type { ChannelType } from '../../core/notification-channels/types.ts'
import { classifyFeishu } from '../../worker/notification-channels/feishu.ts'
import type { Classification } from '../../worker/notification-channels/outcome.ts'
import { classifySlack } from '../../worker/notification-channels/slack/webhook.ts'
import { classifyTeams } from '../../worker/notification-channels/teams.ts'
import { classifyWebhook as classifyWebhookWith } from '../../worker/notification-channels/webhook.ts'
import type { OutboundResult } from '../../worker/outbound/outbound.ts'

const NOW = Date.parse('2026-11-21T09:00:00Z')

const classifyWebhook = (result: OutboundResult, now: number) => classifyWebhookWith(result, now, (text) => text)

const resultOf = (status: number | null, body: unknown = '', headers: Record<string, string> = {}): OutboundResult => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  error: status === null ? { code: 'timeout', detail: 'There was no answer.' } : null,
  address: '127.0.0.1',
  dns_ms: 0,
  first_byte_ms: 0,
  duration_ms: 1,
})

/** A classification in a few words: `permanent no_service`, `transient http_error 30`, `ours invalid_payload`, `gone`. */
function short(classification: Classification): string {
  if (classification.kind === 'delivered') return 'delivered'
  if (classification.kind === 'transient')
    return `transient ${classification.error.code}${classification.after_seconds ? ` ${classification.after_seconds}` : ''}`
  if (classification.gone) return 'gone'
  return `${classification.countsAsFailure ? 'permanent' : 'ours'} ${classification.error.code}`
}

/** Statuses that mean the same for every tool. */
const COMMON: [number, string][] = [
  [500, 'transient http_error'],
  [502, 'transient http_error'],
  [503, 'transient http_error'],
  [504, 'transient http_error'],
  [410, 'gone'],
]

/** How each type that sends over HTTP judges responses. */
const JUDGES: { [Type in Exclude<ChannelType, 'email'>]: (result: OutboundResult, now: number) => Classification } = {
  slack: classifySlack,
  teams: classifyTeams,
  feishu: classifyFeishu,
  webhook: classifyWebhook,
}

type Answer = [status: number, body: string | object, expected: string, headers?: Record<string, string>]

/** What the answers of each type mean. At least one. */
const ANSWERS: Record<keyof typeof JUDGES, [Answer, ...Answer[]]> = {
  slack: [
    [200, 'ok', 'delivered'],
    [200, 'ok\n', 'delivered'],
    [200, '', 'transient not_understood'],
    [200, '<html>Welcome</html>', 'transient not_understood'],
    [200, { ok: true }, 'transient not_understood'],
    [200, { ok: false, error: 'no_service' }, 'permanent no_service'],
    [201, 'ok', 'transient not_understood'],
    [302, '', 'transient not_understood'],
    [400, 'invalid_payload', 'ours invalid_payload'],
    [400, 'invalid_blocks', 'ours invalid_payload'],
    [400, 'too_many_attachments', 'ours invalid_payload'],
    [400, 'user_not_found', 'permanent user_not_found'],
    [403, 'action_prohibited', 'permanent action_prohibited'],
    [403, 'invalid_token', 'permanent invalid_token'],
    [404, 'no_service', 'permanent no_service'],
    [404, 'channel_not_found', 'permanent channel_not_found'],
    [404, '<html>', 'permanent http_error'],
    [410, 'channel_is_archived', 'gone'],
    [413, '', 'ours payload_too_large'],
    [429, { retry_after: 1, ok: false, error: 'rate_limited' }, 'transient rate_limited 1'],
    [500, 'rollup_error', 'transient http_error'],
  ],
  teams: [
    [200, '1', 'delivered'],
    [202, '', 'delivered'],
    [
      200,
      'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId …',
      'transient rate_limited 1',
    ],
    [400, { error: { code: 'TriggerInputSchemaMismatch', message: 'm' } }, 'ours invalid_payload'],
    [400, { error: { code: 'WorkflowTriggerIsNotEnabled', message: 'm' } }, 'permanent workflow_gone'],
    [401, { error: { code: 'DirectApiAuthorizationRequired', message: 'm' } }, 'permanent http_error'],
    [403, '', 'permanent http_error'],
    [404, { error: { code: 'WorkflowNotFound', message: 'm' } }, 'permanent http_error'],
    [408, '', 'transient http_error'],
    [413, 'Request Entity too large', 'ours payload_too_large'],
  ],
  feishu: [
    [200, { code: 0, msg: 'success' }, 'delivered'],
    [200, { StatusCode: 0, StatusMessage: 'success' }, 'transient not_understood'],
    [200, 'ok', 'transient not_understood'],
    [200, '', 'transient not_understood'],
    [200, { code: '0' }, 'transient not_understood'],
    [200, { code: 9499, msg: 'Bad Request' }, 'ours invalid_payload'],
    [400, { code: 9499, msg: 'Bad Request' }, 'ours invalid_payload'],
    [200, { code: 19001, msg: 'param invalid' }, 'permanent webhook_gone'],
    [200, { code: 19002 }, 'ours invalid_payload'],
    [200, { code: 19021 }, 'permanent signature_rejected'],
    [200, { code: 19022 }, 'permanent ip_rejected'],
    [200, { code: 19024 }, 'permanent keyword_rejected'],
    [200, { code: 19036 }, 'ours payload_too_large'],
    [200, { code: 11232 }, 'transient rate_limited 1'],
    [400, { code: 99991400 }, 'transient rate_limited 1'],
    [200, { code: 123456 }, 'transient not_understood'],
    [404, '', 'permanent http_error'],
  ],
  webhook: [
    [204, '', 'delivered'],
    [400, '', 'transient http_error'],
    [404, '', 'transient http_error'],
    [302, '', 'transient redirect'],
    [500, '', 'permanent http_error', { 'x-signalbox-control': 'stop' }],
  ],
}

describe.each(Object.entries(JUDGES))('%s', (type, judge) => {
  test.each(ANSWERS[type as keyof typeof JUDGES])('answers %d %j: %s', (status, body, expected, headers = {}) => {
    expect(short(judge(resultOf(status, body, headers), NOW))).toBe(expected)
  })

  test.each(COMMON)('status %d: %s', (status, expected) => {
    expect(short(judge(resultOf(status), NOW))).toBe(expected)
  })

  test('no response is transient', () => {
    expect(short(judge(resultOf(null), NOW))).toBe('transient timeout')
  })

  test('Retry-After is honored, up to an hour', () => {
    const after = (value: string, status = 429) => short(judge(resultOf(status, '', { 'retry-after': value }), NOW)).split(' ')[2]
    const found = [after('30'), after('3.997'), after('86400'), after('30', 503), after('Sat, 21 Nov 2026 09:00:40 GMT')]
    expect(found).toEqual(['30', '4', '3600', '30', '40'])
  })

  test('every status has a classification, and only 2xx is a success', () => {
    for (let status = 100; status < 600; status++) {
      const kind = judge(resultOf(status, ''), NOW).kind
      if (status < 200 || status > 299) expect([status, kind]).not.toEqual([status, 'delivered'])
    }
  })
})

test('Feishu names the time to wait in its own header', () => {
  const limited = resultOf(400, { code: 99991400 }, { 'x-ogw-ratelimit-reset': '42' })
  expect(short(classifyFeishu(limited, NOW))).toBe('transient rate_limited 42')
})

test('responses of tools are not repeated in errors', () => {
  const secret = 'https://hooks.slack.com/services/T0/B0/secret'
  for (const judge of Object.values(JUDGES)) {
    for (const status of [200, 400, 404, 500]) {
      const classification = judge(resultOf(status, { error: secret, msg: secret, code: secret }), NOW)
      expect(JSON.stringify(classification)).not.toContain(secret)
    }
  }
})
