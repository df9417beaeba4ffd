import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ConcurrencyLimit } from '../../api/auth/concurrency-limit.ts'
import { type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

describe('A line of work with two places and three that wait', () => {
  const make = (patienceMs = 60_000) => new ConcurrencyLimit(2, 3, patienceMs, () => new Error('refused'))

  test('runs two at once, queues three in order, and refuses the sixth at once', async () => {
    const turns = make()
    const begun: number[] = []
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const all = ends.map(({ promise }, index) =>
      turns.run(() => {
        begun.push(index)
        return promise
      }),
    )
    await expect(turns.run(async () => 'sixth')).rejects.toThrow('refused')
    expect(begun).toEqual([0, 1])
    for (const index of [1, 0, 2, 3]) {
      ends[index]?.resolve()
      await all[index]
    }
    expect(begun).toEqual([0, 1, 2, 3, 4])
    ends[4]?.resolve()
    await Promise.all(all)
    expect(await turns.run(async () => 'seventh')).toBe('seventh')
  })

  test('refuses work that waited too long, and continues with the rest', async () => {
    const turns = make(20)
    const end = Promise.withResolvers<void>()
    const running = [1, 2].map(() => turns.run(() => end.promise))
    await expect(turns.run(async () => 'late')).rejects.toThrow('refused')
    end.resolve()
    await Promise.all(running)
    expect(await Promise.all([1, 2, 3].map((each) => turns.run(async () => each)))).toEqual([1, 2, 3])
  })

  test('frees a slot when the work fails', async () => {
    const turns = make()
    const broken = await Promise.allSettled([1, 2, 3, 4, 5].map(() => turns.run(() => Promise.reject(new Error('broken')))))
    expect(broken.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(await Promise.all([1, 2, 3, 4, 5].map((each) => turns.run(async () => each)))).toEqual([1, 2, 3, 4, 5])
  })
})

describe('Sign-in to an account', () => {
  let box: Box
  let count = 0

  beforeAll(async () => {
    box = await signalbox({ workers: 0, environment: { RATE_LIMIT: '1000', TRUST_PROXY: '1' } })
  })
  afterAll(() => box.close())

  const from = () => ({ 'X-Forwarded-For': `198.51.100.${++count}` })
  const register = (email: string) =>
    box.request('POST', '/api/v1/auth/register', { email, name: 'Guessed', password: PASSWORD }, from())
  const login = (email: string, password: string) => box.request('POST', '/api/v1/auth/login', { email, password }, from())
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

  test('is locked after ten wrong passwords from any number of addresses, known account or not', async () => {
    await register('burst@example.com')
    for (const email of ['burst@example.com', 'nobody@example.com']) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => login(email, 'wrong password')))
      expect(statuses(answers)).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
    }
    const [{ rows }] = await box.sql<[{ rows: number }]>`
      select count(*) as rows from security_log_entries where action = 'sign_in.failed'
    `
    expect(rows).toBe(10)
  })

  test('counts wrong passwords across all spellings of its address', async () => {
    await register('spelled@github.example')
    const spellings = [
      'spelled@github.example',
      'SPELLED@GitHub.example',
      ' spelled@ｇｉｔｈｕｂ.example',
      'spelled@github。example',
    ]
    const guesses = Array.from({ length: 50 }, (_, index) =>
      login(spellings[index % spellings.length] as string, 'wrong password'),
    )
    expect(statuses(await Promise.all(guesses))).toEqual([...Array(10).fill(401), ...Array(40).fill(429)])
    // Spellings that only Unicode lower-casing would unify are other addresses, which do not exist.
    for (const email of ['spelled@gİthub.example', 'spelled@gi\u0307thub.example', 'ſpelled@github.example']) {
      expect((await login(email, PASSWORD)).status).toBe(401)
    }
    const [{ rows }] = await box.sql<[{ rows: number }]>`
      select count(*) as rows
      from security_log_entries
      where action = 'sign_in.failed' and email = 'spelled@github.example'
    `
    expect(rows).toBe(10)
  })

  test('is not locked by right passwords', async () => {
    await register('busy@example.com')
    for (let each = 0; each < 12; each++) expect((await login('busy@example.com', PASSWORD)).status).toBe(200)
  })

  test('that is locked also locks guessing through a change of password', async () => {
    const { body } = await register('inside@example.com')
    const change = () =>
      box.request(
        'PUT',
        '/api/v1/users/me',
        { password: 'another long password', current_password: 'wrong password' },
        { Authorization: `Bearer ${body.access_token}` },
      )
    const answers = await Promise.all(Array.from({ length: 12 }, change))
    expect(statuses(answers)).toEqual([...Array(10).fill(422), 429, 429])
    expect((await login('inside@example.com', PASSWORD)).status).toBe(429)
  })
})

test('with too many passwords waiting to be checked, requests get 503 with Retry-After', async () => {
  const box = await signalbox({ workers: 0, realPasswords: true })
  const login = async () => {
    const answer = await box.request('POST', '/api/v1/auth/login', { email: 'nobody@example.com', password: 'wrong password' })
    if (answer.status !== 503) throw new Error(`${answer.status}`)
    return answer
  }
  const { body, headers } = await Promise.any(Array.from({ length: 200 }, login))
  expect([body.code, headers.get('retry-after')]).toEqual(['too_busy', '5'])
  await box.close()
})
