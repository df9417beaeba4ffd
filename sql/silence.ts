/**
 * Notices a server that is there but does not answer: it was stopped, its machine is gone without a word, or the network
 * swallows everything. `statement_timeout` is the server's own, and TCP gives up after a quarter of an hour.
 */
import { PostgresError, type Sql } from './index.ts'

/** Callers wait at most this long, and a second more, for a server that shows no sign of life. */
const SILENT_TICKS = 6
/** A connection that has waited for so long makes this process ask whether the server lives. */
const DOUBTFUL_TICKS = 2
/** `statement_timeout` ends every statement before: the connection itself is dead. */
const DEAD_TICKS = 35

/** A server that takes longer for an empty statement does not answer. */
const ANSWER_MS = 4_000

/** What `patches/postgres@3.4.9.patch` shows of a pool. */
interface Pool {
  connections: Connection[]
  /** Statements that wait for a connection. */
  queries: { length: number; shift(): { reject(error: Error): void } }
}

interface Connection {
  /** Packets that came while a statement was under way. */
  packets: number
  /** Whether something waits for the server. */
  isWaiting(): boolean
  /** Fails what waits, and closes the connection. */
  drop(error: Error): void
}

/** The server did not answer; whether it carried out what was asked is unknown. */
const silent = (): Error => Object.assign(new Error('the database server does not answer'), { code: 'CONNECTION_SILENT' })

/**
 * Fails the statements of a pool when the server shows no sign of life for six seconds, so that callers get an answer and
 * the pool gets fresh connections. A slow statement is safe: while it runs, the server answers others. The answer to some
 * other statement of the pool proves nothing, as a pooler fails some by itself while others wait for the server.
 *
 * Seconds are counted in ticks of a timer, so that a process that was itself stopped for a while blames nobody.
 *
 * @param isAlive asks the server over a connection of its own
 */
export function dropSilentConnections(sql: Sql, isAlive: () => Promise<boolean>): void {
  const { connections, queries } = sql as unknown as Pool
  const quiet = connections.map(() => ({ packets: 0, ticks: 0 }))
  let queuedTicks = 0
  let lifelessTicks = 0
  let asking = false

  async function ask(): Promise<void> {
    asking = true
    if (await isAlive()) lifelessTicks = 0
    asking = false
  }

  /** @returns for how long the connection that has waited longest, or the queue, has heard nothing */
  function longestSilence(): number {
    queuedTicks = queries.length > 0 ? queuedTicks + 1 : 0
    for (const [index, { packets, isWaiting }] of connections.entries()) {
      const ticks = isWaiting() && packets === quiet[index]?.packets ? quiet[index].ticks + 1 : 0
      quiet[index] = { packets, ticks }
    }
    return Math.max(queuedTicks, ...quiet.map(({ ticks }) => ticks))
  }

  function tick(): void {
    const silence = longestSilence()
    lifelessTicks = silence === 0 ? 0 : lifelessTicks + 1
    if (silence >= DOUBTFUL_TICKS && !asking) void ask()
    const isLifeless = lifelessTicks >= SILENT_TICKS
    if (isLifeless) {
      lifelessTicks = 0
      // Before connections close: each that does takes the next statement along.
      while (queries.length > 0) queries.shift().reject(silent())
    }
    for (const [index, connection] of connections.entries()) {
      if ((isLifeless && connection.isWaiting()) || (quiet[index]?.ticks ?? 0) >= DEAD_TICKS) connection.drop(silent())
    }
  }

  setInterval(tick, 1_000).unref()
}

/**
 * Whether a server answers over a fresh connection. An error that it sends is an answer, too, unless it is one of the
 * connection: that a pooler sends in its place.
 */
export async function answers(open: () => Sql): Promise<boolean> {
  const sql = open()
  try {
    const asked = sql`select`.then(() => true)
    return await Promise.race([asked, Bun.sleep(ANSWER_MS).then(() => false)])
  } catch (error) {
    return error instanceof PostgresError && !error.code.startsWith('08')
  } finally {
    sql.end({ timeout: 0 }).catch(() => {})
  }
}
