/**
 * Announces changes to other processes. An announcement may be lost in a crash, or while a connection is down: receivers that depend on it also
 * check from time to time, and open pages show the change with the next one.
 */
import type { Queryable } from '../../sql/index.ts'
import { afterCommit } from '../../sql/transaction.ts'
import { listener, sql } from './database.ts'
import { log } from './log.ts'

/** Characters of a NOTIFY, whose payload is limited to 8,000 bytes. */
const MAX_LENGTH = 7_900

interface Announcer {
  /** Announces words after the commit of the open transaction; at once if there is none. */
  announce(db: Queryable, ...words: string[]): void
  /** Resolves when the words so far are announced. Never rejects. A process that stops waits for this before it closes its connections. */
  announced(): Promise<void>
}

/**
 * The first word is announced at once; those that follow within `pauseMs` share the next notification.
 *
 * Each is a statement of its own because NOTIFY takes a lock that is held until the commit: inside their transactions, writers would
 * wait for each other.
 *
 * @param head the first word of each notification
 */
export function announcer(channel: string, pauseMs: number, head?: () => string): Announcer {
  const waiting = new Set<string>()
  let sending: Promise<void> | null = null

  function take(): string {
    let payload = head?.() ?? ''
    for (const word of waiting) {
      if (payload.length + 1 + word.length > MAX_LENGTH) break
      payload += payload === '' ? word : ` ${word}`
      waiting.delete(word)
    }
    return payload
  }
  async function send(): Promise<void> {
    // Lets the other changes of a transaction be announced with the first.
    await Promise.resolve()
    try {
      while (waiting.size > 0) {
        await sql`
          select pg_notify(${channel}, ${take()})
          from (select set_config('synchronous_commit', 'off', true) as setting) as fast
          where setting = 'off'
        `
        await Bun.sleep(pauseMs)
      }
    } catch (error) {
      waiting.clear()
      log.warn({ error, channel }, 'could not announce changes; other processes find them when they look')
    } finally {
      sending = null
    }
  }
  return {
    announce(db, ...words) {
      if (words.length === 0) return
      const add = () => {
        for (const word of words) waiting.add(word)
        sending ??= send()
      }
      if (!afterCommit(db, add)) add()
    },
    announced: () => sending ?? Promise.resolve(),
  }
}

/**
 * Receives announcements until the process ends. The driver connects again if the connection cannot be made, or is lost.
 * @param missed called when some may have been missed: now, and after each reconnection
 */
export function listenTo(channel: string, received: (words: string[]) => void, missed: () => void): void {
  const words = (payload: string): string[] => (payload === '' ? [] : payload.split(' '))
  listener
    .listen(channel, (payload) => received(words(payload)), missed)
    .catch((error: unknown) => log.warn({ error, channel }, 'LISTEN failed; changes are found by looking'))
}
