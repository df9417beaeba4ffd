import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ConcurrencyLimit } from '../../api/plugins/concurrency-limit.ts'
import { registerPasskey } from '../support/authenticator.ts'
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, storedTicket } from '../support/second-factors.ts'
import { Actor, type Box, PASSWORD, signalbox } from '../support/signalbox.ts'

describe('A line of work with two places and three that wait', () => {
  const make = (patienceMs = 60_000) => new ConcurrencyLimit(2, 3, patienceMs, () => new Error('refused'))

  test('runs two at once, queues three in order, and refuses the sixth at once', async () => {
    const turns = make()
    const begun: number[] = []
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const all = ends.map(({ promise }, index) =>
      turns.run('one', () => {
        begun.push(index)
        return promise
      }),
    )
    await expect(turns.run('one', async () => 'sixth')).rejects.toThrow('refused')
    expect(begun).toEqual([0, 1])
    for (const index of [1, 0, 2, 3]) {
      ends[index]?.resolve()
      await all[index]
    }
    expect(begun).toEqual([0, 1, 2, 3, 4])
    ends[4]?.resolve()
    await Promise.all(all)
    expect(await turns.run('one', async () => 'seventh')).toBe('seventh')
  })

  test('refuses work that waited too long, and continues with the rest', async () => {
    const turns = make(20)
    const end = Promise.withResolvers<void>()
    const running = [1, 2].map(() => turns.run('one', () => end.promise))
    await expect(turns.run('one', async () => 'late')).rejects.toThrow('refused')
    end.resolve()
    await Promise.all(running)
    expect(await Promise.all([1, 2, 3].map((each) => turns.run('one', async () => each)))).toEqual([1, 2, 3])
  })

  test('lets clients take turns, and refuses those with the most work when it is full', async () => {
    const turns = make()
    const ends: Record<string, () => void> = {}
    const begun: string[] = []
    const add = (name: string) =>
      turns
        .run(name.slice(0, 1), () => {
          begun.push(name)
          const { promise, resolve } = Promise.withResolvers<void>()
          ends[name] = resolve
          return promise
        })
        .then(
          () => 'done',
          (error: Error) => error.message,
        )
    const outcomes = ['a1', 'a2', 'a3', 'a4', 'a5'].map(add)
    const b = add('b1')
    expect(await outcomes[4]).toBe('refused')
    expect(await add('a6')).toBe('refused')
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4']) {
      ends[name]?.()
      await Bun.sleep(0)
    }
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
    expect(await Promise.all(outcomes.slice(0, 4).concat(b))).toEqual(Array(5).fill('done'))
  })

  test('frees a slot when the work fails', async () => {
    const turns = make()
    const broken = await Promise.allSettled(
      [1, 2, 3, 4, 5].map(() => turns.run('one', () => Promise.reject(new Error('broken')))),
    )
    expect(broken.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    expect(await Promise.all([1, 2, 3, 4, 5].map((each) => turns.run('one', async () => each)))).toEqual([1, 2, 3, 4, 5])
  })
})

describe('Sign-in to an account', () => {
  let box: Box
  let count = 0

  beforeAll(async () => {
    box = await signalbox({ own: true, workers: 0, environment: { RATE_LIMIT: '1000', TRUST_PROXY: '1' } })
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

  test('is not locked by strangers for the network that the person signed in from, and back there guesses count too', async () => {
    const home = ['2001:db8:0:7::1', '2001:db8:0:7:ffff::2'].map((address) => ({ 'X-Forwarded-For': address }))
    const credentials = { email: 'away@example.com', name: 'Away', password: PASSWORD }
    await box.request('POST', '/api/v1/auth/register', credentials, home[0])
    const loginAt = (password: string, at = home[1]) =>
      box.request('POST', '/api/v1/auth/login', { email: credentials.email, password }, at)
    await Promise.all(Array.from({ length: 12 }, () => login(credentials.email, 'wrong password')))
    const refused = await login(credentials.email, PASSWORD)
    expect([refused.status, refused.body.detail]).toEqual([429, 'Too many wrong passwords. Try again in 15 minutes.'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(800, 901)
    expect((await loginAt(PASSWORD)).status).toBe(200)
    const form = new URLSearchParams({ email: credentials.email, password: PASSWORD }).toString()
    expect((await new PageClient(box).send('POST', '/sign-in', form, home[0])).status).toBe(303)
    await box.sql`update sessions set created_at = seconds_after(created_at, -31 * 86400) where ip_address like '2001:db8:0:7:%'`
    expect((await loginAt(PASSWORD)).status).toBe(429)
  })

  test('is limited for its own network too, and guesses there do not lock it elsewhere', async () => {
    const home = { 'X-Forwarded-For': '203.0.113.9' }
    await box.request('POST', '/api/v1/auth/register', { email: 'cafe@example.com', name: 'Cafe', password: PASSWORD }, home)
    const guess = (password: string) => box.request('POST', '/api/v1/auth/login', { email: 'cafe@example.com', password }, home)
    const answers = await Promise.all(Array.from({ length: 12 }, () => guess('wrong password')))
    expect(statuses(answers)).toEqual([...Array(10).fill(401), 429, 429])
    expect((await login('cafe@example.com', PASSWORD)).status).toBe(200)
  })

  test('is locked after ten wrong second factors, of any kind and at once, which count with wrong passwords', async () => {
    const email = 'careful@example.com'
    const { body } = await register(email)
    const user = new Actor(box, 'Guessed', email, body.user.id, body.access_token, body.refresh_token)
    const { secret } = await addTotp(box, user)
    const complete = (proof: object, ticket: string) =>
      box.request('POST', '/api/v1/auth/login/second-factor', { ticket, ...proof }, from())
    const tickets = await Promise.all(Array.from({ length: 30 }, () => storedTicket(box, user)))
    const guesses = tickets.map((ticket, index) =>
      complete(index % 2 === 0 ? { code: '000000' } : { recovery_code: `guess-${index}` }, ticket),
    )
    expect(statuses(await Promise.all(guesses))).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
    const refused = await complete({ code: codeOf(secret) }, await storedTicket(box, user))
    expect([refused.status, refused.body.detail]).toEqual([
      429,
      'Too many wrong passwords and second factors. Try again in 15 minutes.',
    ])
    expect((await login(email, PASSWORD)).status).toBe(429)
  })

  test('is locked after ten wrong passkeys as the second step', async () => {
    const email = 'present@example.com'
    const { body } = await register(email)
    const user = new Actor(box, 'Guessed', email, body.user.id, body.access_token, body.refresh_token)
    const device = await registerPasskey(box, user)
    const optionsOf = async (ticket: string) =>
      (await box.request('POST', '/api/v1/auth/login/second-factor/options', { ticket }, from())).body
    const complete = async (forgery: object) => {
      const ticket = await storedTicket(box, user)
      const assertion = await device.get(await optionsOf(ticket), forgery)
      return box.request('POST', '/api/v1/auth/login/second-factor', { ticket, assertion }, from())
    }
    const answers = []
    for (let each = 0; each < 11; each++) answers.push(await complete({ isUnverified: true }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429])
    expect((await complete({})).status).toBe(429)
  })

  test('stays locked when the API starts again', async () => {
    await register('patient@example.com')
    await Promise.all(Array.from({ length: 10 }, () => login('patient@example.com', 'wrong password')))
    await box.end(box.api, 'SIGTERM')
    await box.startApi()
    expect((await login('patient@example.com', PASSWORD)).status).toBe(429)
  })

  test('is one count, and guessing the current password within a session is another', async () => {
    const { body } = await register('inside@example.com')
    const { body: other } = await login('inside@example.com', PASSWORD)
    const change = (password: string, token: string) =>
      box.request(
        'PUT',
        '/api/v1/users/me',
        { password: 'another long password', current_password: password },
        { Authorization: `Bearer ${token}` },
      )
    const guesses = await Promise.all(Array.from({ length: 12 }, () => change('wrong password', body.access_token)))
    expect(statuses(guesses)).toEqual([...Array(10).fill(422), 429, 429])
    await Promise.all(Array.from({ length: 12 }, () => login('inside@example.com', 'wrong password')))
    expect((await login('inside@example.com', PASSWORD)).status).toBe(429)
    expect((await change(PASSWORD, other.access_token)).status).toBe(200)
  })

  test('leaves no counts behind that have served their time', async () => {
    await Promise.all(['one', 'two', 'three', 'four'].map((name) => login(`${name}@example.com`, 'wrong password')))
    await box.sql`update recent_uses set moments = '{}', forget_at = seconds_after(now(), -1)`
    for (let each = 0; each < 12; each++) await login('five@example.com', 'wrong password')
    expect(await box.sql`select from recent_uses where forget_at < now()`).toHaveLength(0)
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

test.each([
  ['one network', (index: number) => `2001:db8:1:1::${index.toString(16)}`, '2001:db8:1:2::1'],
  ['many networks of one provider', (index: number) => `2001:db8:1:${(index + 16).toString(16)}::1`, '2001:db8:2::1'],
])(
  'a flood of sign-ins from %s does not keep others from signing in',
  async (_, addressOf, neighbour) => {
    const box = await signalbox({ workers: 0, realPasswords: true, environment: { TRUST_PROXY: '1' } })
    const from = (address: string) =>
      box.request(
        'POST',
        '/api/v1/auth/login',
        { email: 'nobody@example.com', password: 'wrong password' },
        { 'X-Forwarded-For': address },
      )
    const flood = Array.from({ length: 140 }, (_, index) => from(addressOf(index)))
    await Promise.any(flood.map(async (answer) => expect((await answer).status).toBe(503)))
    expect((await Promise.all([from('198.51.100.1'), from(neighbour)])).map(({ status }) => status)).toEqual([401, 401])
    await Promise.all(flood)
    await box.close()
  },
  90_000,
)
