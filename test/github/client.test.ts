import { describe, expect, test } from 'bun:test'
import { apiOf } from '../../core/github/app.ts'
import { type GitHubAnswer, limitedFor, messageOf } from '../../core/github/client.ts'
import { failureOf, isAnsweredBefore, retryDelay } from '../../worker/github/outcome.ts'

test('The API of a GitHub has a host of its own at github.com and ghe.com, and a path on an Enterprise Server', () => {
  expect(apiOf('https://github.com')).toBe('https://api.github.com')
  expect(apiOf('https://acme.ghe.com')).toBe('https://api.acme.ghe.com')
  expect(apiOf('https://github.example.com')).toBe('https://github.example.com/api/v3')
  expect(apiOf('https://evilghe.com')).toBe('https://evilghe.com/api/v3')
})

const answer = (status: number, message = '', headers: Record<string, string> = {}): GitHubAnswer => ({
  status,
  headers,
  body: { message },
})

describe('A limit', () => {
  const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

  test('is awaited for as long as GitHub says, or else for a minute', () => {
    expect(limitedFor(answer(429, '', { 'retry-after': '7' }))).toBe(7)
    expect(limitedFor(answer(403, '', { 'retry-after': '7' }))).toBe(7)
    const used = limitedFor(answer(403, '', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(600) })) ?? 0
    expect(Math.abs(used - 600)).toBeLessThanOrEqual(2)
    expect(limitedFor(answer(403, 'You have exceeded a secondary rate limit.'))).toBe(60)
    expect(limitedFor(answer(429))).toBe(60)
  })

  test('makes no one wait for longer than an hour, and is none where GitHub says another thing', () => {
    expect(limitedFor(answer(429, '', { 'retry-after': '86400' }))).toBe(3_600)
    expect(limitedFor(answer(403, 'Resource not accessible by integration', { 'x-ratelimit-remaining': '4999' }))).toBeNull()
    expect(limitedFor(answer(404, '', { 'x-ratelimit-remaining': '0' }))).toBeNull()
  })
})

test('What GitHub says is in the message, or in errors of either kind', () => {
  const body = { message: 'Validation Failed', errors: ['One.', { message: 'Two.', code: 'custom' }, { code: 'invalid' }, null] }
  expect(messageOf({ status: 422, headers: {}, body })).toBe('Validation Failed One. Two.')
  expect(messageOf({ status: 502, headers: {}, body: null })).toBe('')
  const reviewed = { errors: ['This deployment has already been reviewed.'], message: 'Unprocessable' }
  expect(isAnsweredBefore({ status: 422, headers: {}, body: reviewed })).toBe(true)
  expect(isAnsweredBefore(answer(422, 'Deployment protection rule was already reviewed'))).toBe(true)
  expect(isAnsweredBefore(answer(422, 'No pending deployment'))).toBe(false)
})

test('Only an error of the server leaves it open whether an answer has arrived', () => {
  expect(failureOf(answer(502))).toMatchObject({ isUncertain: true, isShut: false })
  for (const status of [401, 403, 404]) expect(failureOf(answer(status))).toMatchObject({ isUncertain: false, isShut: true })
})

test('An answer is tried again after 5 seconds, 30, 2 minutes, 10, 30, and then hourly, each ± 20 %', () => {
  for (const [attempt, seconds] of [5, 30, 120, 600, 1_800, 3_600, 3_600, 3_600].entries()) {
    const delay = retryDelay(attempt + 1)
    expect(delay).toBeGreaterThanOrEqual(seconds * 0.8)
    expect(delay).toBeLessThanOrEqual(seconds * 1.2)
  }
})
