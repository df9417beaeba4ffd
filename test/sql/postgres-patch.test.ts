/** One test for each hunk of patches/postgres@3.4.9.patch; each fails without it. See patches/README.md. */
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import postgres from 'postgres'
import { connect } from '../../sql/index.ts'
import { targetOf } from '../../sql/target.ts'
import { Entrance } from '../support/entrance.ts'
import { freshDatabase } from '../support/server.ts'

let url: string
const pools: postgres.Sql[] = []

beforeAll(async () => {
  url = await freshDatabase()
  const sql = postgres(url)
  await sql`create table entries (id integer primary key)`
  await sql.end()
})
afterEach(() => Promise.all(pools.splice(0).map((sql) => sql.end({ timeout: 0 }))))

interface Pool {
  sql: postgres.Sql
  /** The socket of the current connection. */
  socket(): Socket
}

/** A pool of one connection whose sockets the test can close. */
function pool(options: object = {}, onSocket: (socket: Socket, number: number) => void = () => {}): Pool {
  const { hostname, port } = new URL(url)
  const sockets: Socket[] = []
  const sql = postgres(url, {
    max: 1,
    backoff: () => 0,
    ...options,
    // Not in the types of postgres.js.
    ...({
      socket: async () => {
        const socket = connectSocket(Number(port), hostname)
        await once(socket, 'connect')
        sockets.push(socket)
        onSocket(socket, sockets.length)
        return socket
      },
    } satisfies object),
  })
  pools.push(sql)
  return { sql, socket: () => sockets.at(-1) as Socket }
}

/** Closes a socket, and resolves when its connection knows. */
async function close(socket: Socket): Promise<void> {
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
}

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error) => error.code,
  )

test('a write after the connection closed rejects its query', async () => {
  const { sql, socket } = pool()
  const reserved = await sql.reserve()
  await close(socket())
  expect(await code(reserved`select 1`)).toBe('CONNECTION_CLOSED')
})

test('what was buffered when a connection closed is not sent on the next one', async () => {
  const { sql, socket } = pool()
  await sql`select 1`
  const query = code(sql`select 2`.execute())
  // The query is written in the next turn of the event loop, when its socket is gone.
  socket().destroy()
  expect(await query).toBe('CONNECTION_CLOSED')
  expect(await sql`select 3 as number`).toMatchObject([{ number: 3 }])
})

test('the error with which a server ended a connection does not fail the first query of the next one', async () => {
  const { sql } = pool()
  const [backend] = await sql`select pg_backend_pid() as pid`
  const query = code(sql`select pg_sleep(60)`.execute())
  const admin = postgres(url, { max: 1 })
  pools.push(admin)
  await admin`select pg_terminate_backend(${backend?.pid}::integer)`
  expect(await query).not.toBe('none')
  expect(await sql`select 1 as number`).toMatchObject([{ number: 1 }])
})

test('a connection that is reset while it fetches types fails its query alone', async () => {
  const { sql } = pool({}, (socket, number) => {
    const { write } = socket
    socket.write = ((chunk: Buffer, ...rest: []) => {
      if (number === 1 && chunk.includes('typarray')) socket.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
      return write.call(socket, chunk, ...rest)
    }) as typeof write
  })
  // Without the patch, the rejection of the internal query is not handled and ends the process.
  expect(await code(sql`select 1`)).toBe('ECONNRESET')
  expect(await sql`select 1 as number`).toMatchObject([{ number: 1 }])
})

test('a transaction begins where nothing may be pipelined', async () => {
  const sql = connect({ ...targetOf(url), pooled: true }, 'signalbox test', 1)
  expect(await sql.begin((tx) => tx`select 1 as number`)).toMatchObject([{ number: 1 }])
  await sql.end()
})

test('a transaction that fills the pipeline of its connection still reserves it', async () => {
  const { sql } = pool({ max_pipeline: 1 })
  await sql`select 1`
  const [, rows] = await Promise.all([sql`select pg_sleep(0.05)`, sql.begin((tx) => tx`select 1 as number`)])
  expect(rows).toMatchObject([{ number: 1 }])
})

/** Passes what a connection sends through a function. @returns a function that ends this */
function rewriteSent(socket: Socket, change: (chunk: Buffer) => Buffer): () => void {
  const { write } = socket
  socket.write = ((chunk: Buffer, ...rest: []) => write.call(socket, change(chunk), ...rest)) as typeof write
  return () => {
    socket.write = write
  }
}

test('an eager transaction sends its first statements without waiting for the answer to begin', async () => {
  const { sql, socket } = pool()
  await sql`select 1`
  const seen: string[] = []
  rewriteSent(socket(), (chunk) => {
    seen.push(chunk.toString('latin1'))
    return chunk
  })
  socket().on('data', () => seen.push('answer'))
  expect(await sql.begin('eager', (tx) => Promise.all([tx`select 2 as number`, tx`select 3 as number`]))).toMatchObject([
    [{ number: 2 }],
    [{ number: 3 }],
  ])
  const sentAtOnce = seen.slice(0, seen.indexOf('answer')).join('')
  for (const text of ['begin', 'select 2', 'select 3']) expect(sentAtOnce).toContain(text)
})

test('an eager transaction that cannot begin writes nothing', async () => {
  const { sql, socket } = pool()
  await sql`select 1`
  const restore = rewriteSent(socket(), (chunk) => Buffer.from(chunk.toString('latin1').replace('begin', 'fault'), 'latin1'))
  const transaction = sql.begin('eager', async (tx) => {
    await tx`select 2`.catch(() => {})
    await tx`insert into entries values (7)`
  })
  expect(await code(transaction)).toBe('42601')
  restore()
  expect(await sql`select * from entries where id = 7`).toHaveLength(0)
  expect(await sql.begin('eager', (tx) => tx`select 4 as number`)).toMatchObject([{ number: 4 }])
})

test('a query of a transaction whose connection closed is rejected, and runs nowhere else', async () => {
  const { sql, socket } = pool()
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const transaction = sql.begin(async (tx) => {
    await tx`insert into entries values (1)`
    await close(socket())
    // The pool reconnects.
    await sql`select 1`
    resolve(await code(tx`insert into entries values (2)`))
  })
  expect(await code(transaction)).toBe('CONNECTION_CLOSED')
  expect(await late).toBe('CONNECTION_CLOSED')
  expect(await sql`select * from entries`).toHaveLength(0)
})

test('queries that wait in a transaction are rejected when its connection closes', async () => {
  const { sql, socket } = pool({ max_pipeline: 1 })
  const { promise: codes, resolve } = Promise.withResolvers<string[]>()
  const transaction = sql.begin(async (tx) => {
    const queries = [tx`select pg_sleep(60)`, tx`select 2`, tx`select 3`, tx`select 4`].map(code)
    setImmediate(() => socket().destroy())
    resolve(await Promise.all(queries))
  })
  expect(await code(transaction)).toBe('CONNECTION_CLOSED')
  expect(await codes).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED', 'CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
})

/** A pool of one connection to a server that can refuse connections. */
async function refusable(): Promise<{ sql: postgres.Sql; entrance: Entrance }> {
  const entrance = await Entrance.before(url)
  const sql = connect(entrance.url, 'signalbox test', 1)
  pools.push(sql)
  return { sql, entrance }
}

test('a connection that is lost in a query and cannot be opened again fails the next query with the reason', async () => {
  const { sql, entrance } = await refusable()
  await sql`select 1`
  const query = code(sql`select pg_sleep(60)`.execute())
  await entrance.set({ error: '3D000' })
  entrance.lose()
  expect(await query).toBe('CONNECTION_CLOSED')
  expect(await code(sql`select 1`)).toBe('3D000')
  await entrance[Symbol.asyncDispose]()
})

test('a connection that the server closes before it is ready fails its query, and is not tried again for it', async () => {
  const { sql, entrance } = await refusable()
  await entrance.set('closing')
  expect(await code(sql`select 1`)).toBe('CONNECTION_CLOSED')
  expect(entrance.tries).toBe(1)
  await entrance[Symbol.asyncDispose]()
})

test('a connection that cannot be opened fails all queries that wait for it', async () => {
  const { sql, entrance } = await refusable()
  await entrance.set({ error: '57P03' })
  expect(await Promise.all([sql`select 1`, sql`select 2`, sql`select 3`].map(code))).toEqual(['57P03', '57P03', '57P03'])
  expect(entrance.tries).toBe(1)
  await entrance[Symbol.asyncDispose]()
})

test('of idle connections, the one that was used last is used next', async () => {
  const { sql } = pool({ max: 2 })
  const pid = async () => (await sql`select pg_backend_pid() as pid`)[0]?.pid
  expect(new Set(await Promise.all([pid(), pid()])).size).toBe(2)
  const first = await pid()
  expect([await pid(), await pid(), await pid()]).toEqual([first, first, first])
})

test('that a connection is closed counts as a packet', async () => {
  const { sql, socket } = pool()
  await sql`select 1`
  const [connection] = (sql as unknown as { connections: { packets: number }[] }).connections
  const before = connection?.packets ?? 0
  await close(socket())
  expect(connection?.packets).toBe(before + 1)
})
