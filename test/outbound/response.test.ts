import { expect, test } from 'bun:test'
import { maskOf } from '../../core/security/masking.ts'
import { classifyResponse } from '../../worker/deployment-hooks/outcome.ts'
import type { OutboundResult } from '../../worker/outbound/outbound.ts'
import { READ_BYTES, toStoredResponse } from '../../worker/outbound/response.ts'

const answer = (headers: Record<string, string>): OutboundResult => ({
  status: 302,
  headers,
  body: '',
  error: null,
  address: '192.0.2.1',
  dns_ms: 0,
  first_byte_ms: 0,
  duration_ms: 0,
})

/** A mask that counts the characters it is given. */
function countingMask() {
  const count = { read: 0 }
  const mask = (text: string) => {
    count.read += text.length
    return text.replaceAll('secret', '')
  }
  return { count, mask }
}

test('headers are masked up to the same limit as a body, however much of them is secret', () => {
  const { count, mask } = countingMask()
  const headers = Object.fromEntries(Array.from({ length: 8 }, (_, number) => [`x-${number}`, 'secret'.repeat(5_000)]))
  toStoredResponse(answer(headers), mask)
  expect(count.read).toBeLessThanOrEqual(READ_BYTES)
})

test('a secret that is truncated by the limit is masked', () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz'.repeat(100)
  const value = `${secret.repeat(12)}${secret}`
  expect(value.length).toBeGreaterThan(READ_BYTES)
  expect(toStoredResponse(answer({ a: value }), maskOf([secret])).headers).toEqual({ a: '********' })
})

test('a Location is masked up to the maximum length of a URL', () => {
  const { count, mask } = countingMask()
  classifyResponse(answer({ location: 'secret'.repeat(5_000) }), 1, 9, 0, mask)
  expect(count.read).toBeLessThanOrEqual(2_048)
})
