import { expect, test } from 'bun:test'
import { Deadline, DeadlineExpired } from '../../core/outbound/deadline.ts'
import { openFirst } from '../../core/outbound/open-first.ts'

const refusal = (code: string) => Object.assign(new Error(code), { code })

/** What each address does: it is reached, by a promise too, fails with a code, or is silent. */
type Behavior = Record<string, 'open' | 'silent' | Promise<void> | `E${string}`>

/** Connects within a time. */
async function connect(behavior: Behavior, ms = 25_000) {
  const tried: string[] = []
  const abandoned: string[] = []
  const closed: string[] = []
  const blamed: string[] = []
  const deadline = new Deadline(ms)
  const open = (address: string, until: Deadline): Promise<string> => {
    tried.push(address)
    const does = behavior[address]
    if (does instanceof Promise) return does.then(() => address)
    if (does === 'open') return Promise.resolve(address)
    if (does !== 'silent') return Promise.reject(refusal(String(does)))
    return new Promise((_, reject) =>
      until.begin((error) => {
        abandoned.push(address)
        reject(error)
      }),
    )
  }
  const done = openFirst(
    Object.keys(behavior),
    deadline,
    open,
    (address) => closed.push(address),
    (address) => blamed.push(address),
  ).catch((error: Error) => error)
  const opened = await done
  deadline.end()
  return { opened, tried, abandoned, closed, blamed }
}

test('an address that fails is followed by the next one, and none is tried after one was reached', async () => {
  const { opened, tried } = await connect({ one: 'ECONNREFUSED', two: 'ENETUNREACH', three: 'open', four: 'open' })
  expect([opened, tried]).toEqual(['three', ['one', 'two', 'three']])
})

test('an address that is silent leaves time for each of the others, and is given up once one is reached', async () => {
  const { opened, tried, abandoned } = await connect({ one: 'silent', two: 'silent', three: 'open' }, 300)
  expect([opened, tried, abandoned]).toEqual(['three', ['one', 'two', 'three'], ['one', 'two']])
})

test('a slow address is still waited for after the next one was tried, and what is not needed is closed', async () => {
  const slow = Promise.withResolvers<void>()
  const slower = Promise.withResolvers<void>()
  const first = connect({ one: slow.promise, two: 'ECONNREFUSED' }, 2_000)
  slow.resolve()
  expect(await first).toMatchObject({ opened: 'one' })
  const both = await connect({ one: slower.promise, two: 'open' }, 100)
  expect(both).toMatchObject({ opened: 'two', closed: [] })
  slower.resolve()
  await slower.promise
  await Promise.resolve()
  expect(both.closed).toEqual(['one'])
})

test('if none is reached, the error is that of the first with a route, and says which it was', async () => {
  const { opened, blamed } = await connect({ one: 'ENETUNREACH', two: 'ECONNREFUSED', three: 'ECONNRESET' })
  expect([opened, blamed]).toEqual([refusal('ECONNREFUSED'), ['two']])
  expect(await connect({ one: 'ENETUNREACH', two: 'EHOSTUNREACH' })).toMatchObject({
    opened: { code: 'ENETUNREACH' },
    blamed: ['one'],
  })
})

test('if all are silent, the deadline expires', async () => {
  const { opened, abandoned } = await connect({ one: 'silent', two: 'silent' }, 30)
  expect(opened).toBeInstanceOf(DeadlineExpired)
  expect(abandoned).toEqual(['one', 'two'])
})

test('a name with very many addresses costs a few connections', async () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`address ${index}`, 'ECONNREFUSED' as const]))
  const { tried } = await connect(many)
  expect(tried).toHaveLength(8)
})
