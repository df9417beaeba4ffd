/** Limits of requests with mailed links. */
import { describe, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import { signalbox } from '../support/signalbox.ts'

describe('With the default limits', () => {
  test('one address gets ten requests per minute, and one mailbox ten links per quarter of an hour', async () => {
    const limited = await signalbox({ workers: 0, environment: { RATE_LIMIT: '', TRUST_PROXY: '1' } })
    try {
      const from = (address: string, email: string) =>
        limited.request('POST', '/api/v1/auth/password-reset', { email }, { 'X-Forwarded-For': address })
      const statuses: number[] = []
      for (let each = 0; each < 11; each++) statuses.push((await from('192.0.2.1', `person${each}@example.com`)).status)
      expect(statuses).toEqual([...Array(10).fill(202), 429])
      const toOne: number[] = []
      for (let each = 0; each < 11; each++) toOne.push((await from(`192.0.2.${each + 10}`, 'One@example.com')).status)
      expect(toOne).toEqual([...Array(10).fill(202), 429])
    } finally {
      await limited.close()
    }
  })
})

test('Requests with links are limited by address, as with other mailed links', async () => {
  const limited = await signalbox({ workers: 0, environment: { RATE_LIMIT: '1', RATE_LIMIT_BURST: '3' } })
  const stranger = new PageClient(limited)
  // At once, because the bucket fills by one request per second.
  const pages = await Promise.all(Array.from({ length: 12 }, () => stranger.open('/decide?token=x')))
  await limited.close()
  const passed = pages.filter(({ status }) => status === 410)
  expect(passed.length).toBeGreaterThanOrEqual(3)
  expect(passed.length).toBeLessThan(12)
  expect(pages.filter(({ status }) => status === 429)).toHaveLength(12 - passed.length)
})
