/**
 * Notices a server that is there but does not answer: it was stopped, its machine is gone without a word, or the network
 * swallows everything. `statement_timeout` is the server's own, and TCP gives up after a quarter of an hour.
 */
import { PostgresError, type Sql } from './index.ts'

/** Callers wait at most this long, and a second more, for a server that shows no sign of life. */
const SILENT_TICKS = 7
/** A statement that has gone unanswered for so long makes this process ask whether the server lives. */
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
  heard: number
  /** Whether something waits for the server. */
  waits(): boolean
  /** Fails what waits, and closes the connection. */
  drop(error: Error): void
}

/** The server did not answer; whether it carried out what was asked is unknown. */
const silent = (): Error => Object.assign(new Error('the database server does not answer'), { code: 'CONNECTION_SILENT' })

/**
 * Fails the statements of a pool when the server shows no sign of life for seven seconds, so that callers get an answer and
 * the pool gets fresh connections. A slow statement is safe as long as the server answers anything else.
 *
 * Seconds are counted in ticks of a timer, so that a process that was itself stopped for a while blames nobody.
 *
 * @param isAlive asks the server over a connection of its own
 */
export function dropSilentConnections(sql: Sql, isAlive: () => Promise<boolean>): void {
  const { connections, queries } = sql as unknown as Pool
  const quiet = connections.map(() => ({ heard: 0, ticks: 0 }))
  let silentTicks = 0
  let asking = false

  async function ask(): Promise<void> {
    asking = true
    if (await isAlive()) silentTicks = 0
    asking = false
  }

  function tick(): void {
    let isHeard = false
    let isWaiting = queries.length > 0
    for (const [index, connection] of connections.entries()) {
      const past = quiet[index] as (typeof quiet)[number]
      if (connection.heard !== past.heard) isHeard = true
      past.ticks = connection.heard === past.heard && connection.waits() ? past.ticks + 1 : 0
      past.heard = connection.heard
      isWaiting ||= past.ticks > 0
      if (past.ticks >= DEAD_TICKS) connection.drop(silent())
    }
    silentTicks = isHeard || !isWaiting ? 0 : silentTicks + 1
    if (silentTicks >= DOUBTFUL_TICKS && !asking) void ask()
    if (silentTicks < SILENT_TICKS) return
    silentTicks = 0
    // Before connections close: each that does takes the next statement along.
    while (queries.length > 0) queries.shift().reject(silent())
    for (const connection of connections) if (connection.waits()) connection.drop(silent())
  }

  setInterval(tick, 1_000).unref()
}

/** Whether a server answers over a fresh connection. An error that it sends is an answer, too. */
export async function answers(open: () => Sql): Promise<boolean> {
  const sql = open()
  try {
    const asked = sql`select`.then(() => true)
    return await Promise.race([asked, Bun.sleep(ANSWER_MS).then(() => false)])
  } catch (error) {
    return error instanceof PostgresError
  } finally {
    sql.end({ timeout: 0 }).catch(() => {})
  }
}
