import { expect, test } from 'bun:test'
import { classifyResponse } from '../../worker/deployment-hooks/outcome.ts'
import { maskOf } from '../../worker/outbound/masking.ts'
import type { OutboundResult } from '../../worker/outbound/outbound.ts'
import { READ_BYTES } from '../../worker/outbound/response-body.ts'
import { toStoredResponse } from '../../worker/outbound/stored-response.ts'

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

/** A mask that counts the characters that it reads. */
function counting() {
  const count = { read: 0 }
  const mask = (text: string) => {
    count.read += text.length
    return text.replaceAll('secret', '')
  }
  return { count, mask }
}

test('of headers no more is read than of a body, however much of it is masked', () => {
  const { count, mask } = counting()
  const headers = Object.fromEntries(Array.from({ length: 8 }, (_, number) => [`x-${number}`, 'secret'.repeat(5_000)]))
  toStoredResponse(answer(headers), mask)
  expect(count.read).toBeLessThanOrEqual(READ_BYTES)
})

test('a secret that is not read to its end is masked', () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz'.repeat(100)
  const value = `${secret.repeat(12)}${secret}`
  expect(value.length).toBeGreaterThan(READ_BYTES)
  expect(toStoredResponse(answer({ a: value }), maskOf([secret])).headers).toEqual({ a: '********' })
})

test('of a place that an answer leads to no more is read than a url may hold', () => {
  const { count, mask } = counting()
  classifyResponse(answer({ location: 'secret'.repeat(5_000) }), 1, 9, 0, mask)
  expect(count.read).toBeLessThanOrEqual(2_048)
})
