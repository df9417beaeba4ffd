import { describe, expect, test } from 'bun:test'
import type { OutboundResult } from '../../worker/outbound/outbound.ts'

delete process.env.HOOK_RETRY_SECONDS
const { MAX_ATTEMPTS, retryDelay } = await import('../../core/dispatches/attempts.ts')
const { classifyResponse: classifyWith, outcomeAfterTargetChange } = await import('../../worker/deployment-hooks/outcome.ts')
const { retryAfter } = await import('../../worker/outbound/retry-after.ts')

const classifyResponse = (result: OutboundResult, number: number, max_attempts: number, now: number) =>
  classifyWith(result, number, max_attempts, now, (text) => text)

const NOW = Date.parse('2026-11-21T12:00:00Z')

const resultOf = (
  status: number | null,
  headers: Record<string, string> = {},
  more: Partial<OutboundResult> = {},
): OutboundResult => ({
  status,
  headers: status === null ? null : headers,
  body: '',
  error: null,
  address: '192.0.2.1',
  dns_ms: 0,
  first_byte_ms: 1,
  duration_ms: 1,
  ...more,
})

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['120', 120],
    [' 120 ', 120],
    ['3600', 3600],
    ['3601', 3600],
    ['9999999999', 3600],
    ['99999999999999999999', 3600],
    ['9'.repeat(400), 3600],
    ['-1', 0],
    ['-0.5', 0],
    ['3.997', 4],
    ['3.', 3],
    ['.2', 1],
    ['0.0', 0],
    ['3599.5', 3600],
    ['1.2.3', 0],
    ['1,5', 5],
    ['30, 60', 60],
    ['30, soon', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['soon', 0],
    ['', 0],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
    ['Saturday, 21-Nov-26 12:02:00 GMT', 120],
    ['Sat, 7 Nov 2026 12:02:00 GMT', 0],
    ['Tue, 1 Dec 2026 12:02:00 GMT', 3600],
    ['Friday, 31-Dec-99 23:59:59 GMT', 0],
    ['Sat Nov 21 12:02:00 2026', 120],
    ['Sat Nov  7 12:02:00 2026', 0],
    ['Sat, 21 Nov 2026 12:02:00 +0200', 0],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
    ['Sun, 22 Nov 2026 12:00:00 GMT', 3600],
    ['Sat, 99 Nov 2026 12:02:00 GMT', 0],
    ['2026-11-21T12:02:00Z', 0],
  ])('%p asks for %p seconds', (value, seconds) => {
    expect(retryAfter({ 'retry-after': value }, NOW)).toBe(seconds)
  })

  test('a date is compared with the Date header of the response, if there is one', () => {
    const headers = { 'retry-after': 'Sat, 21 Nov 2026 13:02:00 GMT', date: 'Sat, 21 Nov 2026 13:00:00 GMT' }
    expect(retryAfter(headers, NOW)).toBe(120)
    expect(retryAfter({ ...headers, date: 'rubbish' }, NOW)).toBe(3600)
  })

  test('a missing header asks for no delay', () => {
    expect(retryAfter({}, NOW)).toBe(0)
  })
})

describe('the retry schedule', () => {
  const DELAYS = [5, 60, 300, 1800, 7200, 18_000, 36_000, 36_000]

  test('is 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h: nine attempts', () => {
    expect(MAX_ATTEMPTS).toBe(9)
    expect(DELAYS.map((_, index) => retryDelay(index + 1, 0.5))).toEqual(DELAYS)
  })

  test('has a jitter of at most 20% in both directions', () => {
    for (const [index, delay] of DELAYS.entries()) {
      expect(retryDelay(index + 1, 0)).toBeCloseTo(delay * 0.8, 6)
      expect(retryDelay(index + 1, 1)).toBeCloseTo(delay * 1.2, 6)
    }
    const seen = Array.from({ length: 2000 }, () => retryDelay(1))
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(4)
    expect(Math.max(...seen)).toBeLessThanOrEqual(6)
    expect(Math.max(...seen) - Math.min(...seen)).toBeGreaterThan(1.5)
  })
})

describe('judging a response', () => {
  test.each([200, 201, 202, 204, 206, 299])('%d is a success, at the first attempt and at the last', (status) => {
    expect(classifyResponse(resultOf(status), 1, 9, NOW)).toEqual({ kind: 'succeeded' })
    expect(classifyResponse(resultOf(status), 9, 9, NOW)).toEqual({ kind: 'succeeded' })
  })

  test('a truncated body after a 200 does not change the success, nor does X-Signalbox-Control', () => {
    const broken = resultOf(200, { 'x-signalbox-control': 'stop' }, { body: null, error: { code: 'timeout', detail: 'cut' } })
    expect(classifyResponse(broken, 1, 9, NOW)).toEqual({ kind: 'succeeded' })
  })

  test.each([
    [301, 'redirect'],
    [302, 'redirect'],
    [307, 'redirect'],
    [308, 'redirect'],
    [304, 'redirect'],
    [400, 'http_error'],
    [401, 'http_error'],
    [404, 'http_error'],
    [408, 'http_error'],
    [418, 'http_error'],
    [500, 'http_error'],
    [599, 'http_error'],
  ])('%d is retried (%s) until the last attempt fails', (status, code) => {
    expect(classifyResponse(resultOf(status), 8, 9, NOW)).toMatchObject({ kind: 'retry', error: { code } })
    expect(classifyResponse(resultOf(status), 9, 9, NOW)).toMatchObject({ kind: 'failed', error: { code }, gone: false })
  })

  test('410 fails at once and reports the receiver as gone', () => {
    expect(classifyResponse(resultOf(410), 1, 9, NOW)).toMatchObject({ kind: 'failed', gone: true, error: { code: 'gone' } })
  })

  test.each(['stop', 'STOP', ' Stop '])('a failure with X-Signalbox-Control: %p is final', (value) => {
    expect(classifyResponse(resultOf(500, { 'x-signalbox-control': value }), 1, 9, NOW)).toMatchObject({
      kind: 'failed',
      gone: false,
    })
  })

  test.each(['', 'stopp', 'continue', 'no stop'])('X-Signalbox-Control: %p is ignored', (value) => {
    expect(classifyResponse(resultOf(500, { 'x-signalbox-control': value }), 1, 9, NOW)).toMatchObject({ kind: 'retry' })
  })

  test.each([429, 502, 503, 504])('%d may delay the retry: the later of Retry-After and the schedule applies', (status) => {
    expect(classifyResponse(resultOf(status, { 'retry-after': '1000' }), 1, 9, NOW)).toMatchObject({
      kind: 'retry',
      after_seconds: 1000,
    })
    const soon = classifyResponse(resultOf(status, { 'retry-after': '1' }), 2, 9, NOW)
    expect(soon.kind === 'retry' && soon.after_seconds).toBeGreaterThanOrEqual(48)
  })

  test.each([500, 404, 301, 413])('Retry-After is ignored for %d', (status) => {
    const outcome = classifyResponse(resultOf(status, { 'retry-after': '1000' }), 1, 9, NOW)
    expect(outcome.kind === 'retry' && outcome.after_seconds).toBeLessThanOrEqual(6)
  })

  test('a request without a response keeps its own error', () => {
    const error = { code: 'blocked_address', detail: 'closed' } as const
    expect(classifyResponse(resultOf(null, {}, { error }), 1, 9, NOW)).toMatchObject({ kind: 'retry', error })
    expect(classifyResponse(resultOf(null, {}, { error }), 9, 9, NOW)).toEqual({ kind: 'failed', error, gone: false })
  })
})

describe('after the URL was changed', () => {
  const gone = classifyResponse(resultOf(410), 1, 9, NOW)

  test('a 410 or a Retry-After leads to a retry by the schedule', () => {
    for (const outcome of [gone, classifyResponse(resultOf(503, { 'retry-after': '3600' }), 1, 9, NOW)]) {
      const moved = outcomeAfterTargetChange(outcome, 1, 9)
      expect(moved.kind === 'retry' && moved.after_seconds).toBeWithin(4, 6.001)
    }
  })

  test('the last attempt fails its dispatch without disabling the hook', () => {
    expect(outcomeAfterTargetChange(gone, 9, 9)).toMatchObject({ kind: 'failed', gone: false, error: { code: 'gone' } })
  })

  test('a success counts', () => {
    expect(outcomeAfterTargetChange({ kind: 'succeeded' }, 1, 9)).toEqual({ kind: 'succeeded' })
  })
})
