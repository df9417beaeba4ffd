/** A pool whose connections are lost while the server refuses new ones: statements fail soon, and the server is not flooded. */
import { expect, test } from 'bun:test'
import { isUnavailable } from '../../core/platform/database-errors.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { Entrance, type Mode } from '../support/entrance.ts'
import { freshDatabase } from '../support/server.ts'
import { within } from '../support/within.ts'

/** The response of a server that starts no session: errors of PostgreSQL, of a pooler and of the network. */
const REFUSALS: [string, Mode][] = [
  ['an unknown database', { error: '3D000' }],
  ['a wrong password', { error: '28P01' }],
  ['a role without access', { error: '28000' }],
  ['no free connections', { error: '53300' }],
  ['crash recovery', { error: '57P03' }],
  ['a database that accepts no connections', { error: '55000' }],
  ['a missing privilege', { error: '42501' }],
  ['an error of a pooler', { error: '08P01' }],
  ['a connection that is closed at once', 'closing'],
  ['a port where nothing listens', 'absent'],
]

/** Resolves to the error of a statement. */
const failure = (statement: Promise<unknown>): Promise<unknown> =>
  statement.then(
    () => null,
    (error) => error,
  )

/** Brings a pool into a state, loses its connections there, and resolves when its statements have failed. */
const MOMENTS: Record<string, (sql: Sql, lose: () => Promise<void>) => Promise<void>> = {
  'before the first statement': (_, lose) => lose(),
  'between statements': async (sql, lose) => {
    await sql`select 1`
    await lose()
  },
  'while statements run': async (sql, lose) => {
    await sql`select 1`
    const running = Array.from({ length: 5 }, () => failure(sql`select pg_sleep(60)`))
    await Bun.sleep(50)
    await lose()
    expect((await Promise.all(running)).filter((error) => !isUnavailable(error))).toEqual([])
  },
  'while a transaction is idle': async (sql, lose) => {
    const error = await failure(
      sql.begin(async (tx) => {
        await tx`select 1`
        await lose()
        await tx`select 2`
      }),
    )
    expect(isUnavailable(error)).toBe(true)
  },
  'while a statement of a transaction runs': async (sql, lose) => {
    const error = await failure(
      sql.begin(async (tx) => {
        await tx`select 1`
        await Promise.all([tx`select pg_sleep(60)`, Bun.sleep(50).then(lose)])
      }),
    )
    expect(isUnavailable(error)).toBe(true)
  },
}

const POOL = 3
const LIMIT_MS = 10_000
/** Each connection is tried about once a second; its first tries follow sooner. */
const MAX_TRIES = POOL * (LIMIT_MS / 1_000 + 4)

/** Loses the connections of a pool at one moment. Statements then fail soon, with few tries, and succeed soon after the return. */
async function expectOutage(mode: Mode, moment: keyof typeof MOMENTS, rounds: number): Promise<void> {
  await using entrance = await Entrance.before(await freshDatabase())
  const sql = connect(entrance.url, 'signalbox test', POOL)
  try {
    await MOMENTS[moment]?.(sql, async () => {
      await entrance.set(mode)
      entrance.lose()
    })
    const failAll = async () => {
      for (let round = 0; round < rounds; round++) {
        // More statements than connections.
        const errors = await Promise.all(Array.from({ length: 20 }, () => failure(sql`select 1`)))
        expect(errors.filter((error) => !isUnavailable(error))).toEqual([])
      }
    }
    await within(LIMIT_MS, 'all statements have failed', failAll())
    expect(entrance.tries).toBeLessThanOrEqual(MAX_TRIES)
    await entrance.set('open')
    entrance.lose()
    const succeed = async () => {
      while ((await failure(sql`select 1`)) !== null) await Bun.sleep(10)
    }
    await within(LIMIT_MS, 'a statement succeeds', succeed())
  } finally {
    await sql.end({ timeout: 0 })
  }
}

test.each(REFUSALS)('Connections are lost, and new ones fail: %s', async (_, mode) => {
  await Promise.all(Object.keys(MOMENTS).map((moment) => expectOutage(mode, moment, 3)))
})

test('Connections are lost, and new ones get no response', async () => {
  await Promise.all(Object.keys(MOMENTS).map((moment) => expectOutage('silent', moment, 1)))
})

test('A listener listens again when the server is back, and hears once what it has missed once', async () => {
  const url = await freshDatabase()
  await using entrance = await Entrance.before(url)
  const sql = connect(entrance.url, 'signalbox test', 1)
  const direct = connect(url, 'signalbox test', 1)
  const heard: string[] = []
  let listened = 0
  const listening = () => {
    listened += 1
  }
  try {
    for (const channel of ['first', 'second']) await sql.listen(channel, (payload) => heard.push(payload), listening)
    await entrance.set({ error: '57P03' })
    entrance.lose()
    while (entrance.tries < 4) await Bun.sleep(20)
    await entrance.set('open')
    while (listened < 4) await Bun.sleep(20)
    await direct`select pg_notify('first', 'one'), pg_notify('second', 'two')`
    while (heard.length < 2) await Bun.sleep(20)
    expect(heard.sort()).toEqual(['one', 'two'])
    expect(listened).toBe(4)
  } finally {
    await Promise.all([sql, direct].map((each) => each.end({ timeout: 0 })))
  }
})
