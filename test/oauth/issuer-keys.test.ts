import { beforeEach, describe, expect, test } from 'bun:test'
import type { JWK } from 'jose'
import { IssuerProblem } from '../../api/oauth/issuer-documents.ts'
import { IssuerKeys } from '../../api/oauth/issuer-keys.ts'

const MINUTE = 60_000
const ISSUER = 'https://issuer.example'
const KEY: JWK = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'one' }

let now: number
let fetched: string[]
let answer: (issuer: string) => Promise<JWK[]>
let keys: IssuerKeys

const LIMITS = { bytes: 100_000, fetchesOfOne: 2, fetches: 3 }

beforeEach(() => {
  now = 0
  fetched = []
  answer = async () => [KEY]
  keys = new IssuerKeys(
    (issuer) => {
      fetched.push(issuer)
      return answer(issuer)
    },
    () => now,
    LIMITS,
  )
})

const away = async (): Promise<JWK[]> => {
  throw new IssuerProblem('It is away.')
}
/** Whether there are keys. */
const has = (kid: string | undefined = 'one', issuer = ISSUER, organization = 'a'): Promise<boolean> =>
  keys.keysOf(issuer, organization, kid).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof IssuerProblem)) throw error
      return false
    },
  )

describe('Keys', () => {
  test('are kept for ten minutes', async () => {
    for (const [at, count] of [
      [0, 1],
      [9.9, 1],
      [10, 2],
      [19.9, 2],
      [20, 3],
    ] as const) {
      now = at * MINUTE
      expect([at, await has(), fetched.length]).toEqual([at, true, count])
    }
  })

  test('are fetched again for an unknown id, at most once a minute since the last fetch', async () => {
    await has()
    for (const [at, count] of [
      [0.5, 1],
      [0.99, 1],
      [1, 2],
      [1.5, 2],
      [2, 3],
    ] as const) {
      now = at * MINUTE
      await has('two')
      expect([at, fetched.length]).toEqual([at, count])
    }
  })

  test('of a new id are found when the issuer has changed them', async () => {
    await has()
    answer = async () => [{ ...KEY, kid: 'two' }]
    now = MINUTE
    await has('two')
    now = 1.5 * MINUTE
    await has('two')
    expect(fetched).toHaveLength(2)
  })

  test('serve for an hour while the issuer is away, and it is asked once a minute', async () => {
    await has()
    answer = away
    for (const [at, expected, count] of [
      [9, true, 1],
      [10, true, 2],
      [10.9, true, 2],
      [11, true, 3],
      [59.9, true, 4],
      [60, false, 4],
      [61, false, 5],
    ] as const) {
      now = at * MINUTE
      expect([at, await has(), fetched.length]).toEqual([at, expected, count])
    }
    answer = async () => [KEY]
    now = 62 * MINUTE
    expect(await has()).toBe(true)
  })

  test('that could not be fetched are asked for again after a minute, not before', async () => {
    answer = away
    for (const [at, count] of [
      [0, 1],
      [0.9, 1],
      [1, 2],
    ] as const) {
      now = at * MINUTE
      expect([at, await has(), fetched.length]).toEqual([at, false, count])
    }
  })

  test('are fetched once for all who wait, and those who have theirs do not wait', async () => {
    await has()
    now = MINUTE
    const slow = Promise.withResolvers<JWK[]>()
    answer = () => slow.promise
    const waiting = [has('two'), has('two'), has('three')]
    expect(await has()).toBe(true)
    slow.resolve([{ ...KEY, kid: 'two' }])
    await Promise.all(waiting)
    expect(fetched).toHaveLength(2)
  })
})

describe('An organization that names many issuers', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `https://${index}.example`)

  test('pushes out its own, and not those of others', async () => {
    await has('one', ISSUER, 'victim')
    for (const issuer of names(30)) await has('one', issuer, 'attacker')
    expect(keys.size).toBeLessThan(12)
    answer = away
    now = 30 * MINUTE
    expect(await has('one', ISSUER, 'victim')).toBe(true)
  })

  test('does not push out the issuer that it asked for first and that vouched for another organization', async () => {
    await has('one', ISSUER, 'attacker')
    keys.vouched(ISSUER, 'victim')
    for (const issuer of names(30)) await has('one', issuer, 'attacker')
    answer = away
    now = 30 * MINUTE
    expect(await has('one', ISSUER, 'victim')).toBe(true)
  })

  test('fetches some at the same time, and leaves room for others; nothing is remembered of what was refused', async () => {
    const slow = Promise.withResolvers<JWK[]>()
    answer = () => slow.promise
    const own = names(2).map((issuer) => has('one', issuer, 'attacker'))
    expect(await has('one', 'https://third.example', 'attacker')).toBe(false)
    const other = has('one', ISSUER, 'victim')
    expect(await has('one', 'https://full.example', 'another')).toBe(false)
    slow.resolve([KEY])
    expect(await Promise.all([...own, other])).toEqual([true, true, true])
    expect(await has('one', 'https://third.example', 'attacker')).toBe(true)
  })

  test('cannot fill the memory with issuers that fail', async () => {
    answer = away
    for (const issuer of names(100)) await has('one', issuer, 'attacker')
    expect(keys.size).toBeLessThan(13)
  })
})
