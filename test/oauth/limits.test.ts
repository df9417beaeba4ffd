/** How often builds can sign in. */
import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { limitExchange, limitSignIn } from '../../api/plugins/rate-limit.ts'

let now = 0
const clock = spyOn(performance, 'now')
let account: string

beforeAll(() => clock.mockImplementation(() => now))
afterAll(() => clock.mockRestore())
beforeEach(() => {
  account = crypto.randomUUID()
})

const signIn = (address = '203.0.113.1') => {
  limitExchange({ address, headers: {} }, account)
  limitSignIn(account)
}

const outcomes = (count: number, everyMs: number): Record<string, number> => {
  const found = { accepted: 0, slowed: 0 }
  for (let number = 0; number < count; number++, now += everyMs) {
    try {
      signIn()
      found.accepted++
    } catch {
      found.slowed++
    }
  }
  return found
}

describe('A CI system that signs in as one account', () => {
  test('1,000 times a minute is not slowed down', () => {
    expect(outcomes(10_000, 60)).toEqual({ accepted: 10_000, slowed: 0 })
  })

  test('for 60 jobs that start at once is not slowed down; of more, the rest is a moment later', () => {
    expect(outcomes(100, 0)).toEqual({ accepted: 60, slowed: 40 })
    now += 2_000
    expect(outcomes(40, 0)).toEqual({ accepted: 40, slowed: 0 })
  })
})
