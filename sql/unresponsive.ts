/**
 * Detects a server that accepts connections but does not respond: it is suspended, its machine is gone, or the network drops all
 * packets. `statement_timeout` is enforced by the server itself, and TCP gives up only after a quarter of an hour.
 */
import { PostgresError, type Sql } from './index.ts'

/** When a connection has waited this long, a new connection checks whether the server responds. */
const CHECK_TICKS = 2
/** How long that is checked. Callers wait at most for the sum, and a second more, for a server that does not respond. */
const UNANSWERED_TICKS = 4
/** `statement_timeout` ends every statement earlier, so the connection itself is dead. */
const DEAD_TICKS = 35

/** A server that takes longer for an empty statement counts as unresponsive. */
const RESPONSE_MS = 4_000

/** What `patches/postgres@3.4.9.patch` exposes of a pool. */
interface Pool {
  connections: Connection[]
  /** Statements waiting for a connection. */
  queries: { length: number; shift(): { reject(error: Error): void } }
}

interface Connection {
  /** Packets received while a statement was running, and how often the connection was closed: signs of life. */
  packets: number
  /** Whether a statement waits for the server. */
  isWaiting(): boolean
  /** Fails the waiting statements and closes the connection. */
  drop(error: Error): void
}

/** The server did not respond; whether it executed the statement is unknown. */
const unresponsive = (): Error =>
  Object.assign(new Error('the database server does not respond'), { code: 'CONNECTION_UNRESPONSIVE' })

/**
 * Fails the statements of a pool when the server has not responded for six seconds, so that callers get an error and the pool
 * opens new connections. A slow statement is not affected: while it runs, the server responds on other connections. A result on
 * another connection of the pool proves nothing, because a pooler can fail some statements itself while others wait.
 *
 * Seconds are counted in ticks of a timer, so that a process that was itself suspended does not blame the server.
 *
 * @param isAlive checks the server over a separate connection
 */
export function dropUnresponsiveConnections(sql: Sql, isAlive: () => Promise<boolean>): void {
  setInterval(watch(sql as unknown as Pool, isAlive), 1_000).unref()
}

/** @returns what to call once a second */
export function watch({ connections, queries }: Pool, isAlive: () => Promise<boolean>): () => void {
  const waits = connections.map(() => ({ packets: 0, ticks: 0 }))
  let queuedTicks = 0
  /** Since the server was first asked, and has not responded. */
  let unansweredTicks = 0
  let asking = false

  async function ask(): Promise<void> {
    asking = true
    if (await isAlive()) unansweredTicks = 0
    asking = false
  }

  /** @returns ticks since the last packet, of the connection that has waited longest or of the queue */
  function longestWait(): number {
    queuedTicks = queries.length > 0 ? queuedTicks + 1 : 0
    for (const [index, { packets, isWaiting }] of connections.entries()) {
      const ticks = isWaiting() && packets === waits[index]?.packets ? waits[index].ticks + 1 : 0
      waits[index] = { packets, ticks }
    }
    return Math.max(queuedTicks, ...waits.map(({ ticks }) => ticks))
  }

  return () => {
    const hasWaited = longestWait() >= CHECK_TICKS
    unansweredTicks = hasWaited ? unansweredTicks + 1 : 0
    if (hasWaited && !asking) void ask()
    const isLifeless = unansweredTicks > UNANSWERED_TICKS
    if (isLifeless) {
      unansweredTicks = 0
      // Before connections close: each one that closes takes the next statement from the queue.
      while (queries.length > 0) queries.shift().reject(unresponsive())
    }
    for (const [index, connection] of connections.entries()) {
      if ((isLifeless && connection.isWaiting()) || (waits[index]?.ticks ?? 0) >= DEAD_TICKS) connection.drop(unresponsive())
    }
  }
}

/**
 * Whether a server responds over a new connection. An error from the server counts as a response, but a connection error does not:
 * a pooler sends it in place of the server.
 */
export async function responds(open: () => Sql): Promise<boolean> {
  const sql = open()
  try {
    const asked = sql`select`.then(() => true)
    return await Promise.race([asked, Bun.sleep(RESPONSE_MS).then(() => false)])
  } catch (error) {
    return error instanceof PostgresError && !error.code.startsWith('08')
  } finally {
    sql.end({ timeout: 0 }).catch(() => {})
  }
}
