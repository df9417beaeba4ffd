/** Clocks. What is due, and when something happened, is decided by the clock of the database. */

export const nowIso = (): string => new Date().toISOString()

/** Seconds since 1970, for signatures and tokens. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000)

/** Milliseconds of a clock that never goes back. */
export const monotonicMs = (): number => performance.now()

/** A time of the database, and when it was read by the clock that never goes back. */
export type DatabaseClock = { read: number; at: number }

/** @param now a time of the database that was read just now; null if none was, and nothing will be timed */
export const databaseClock = (now: string | null): DatabaseClock => ({
  read: now === null ? Date.now() : Date.parse(now),
  at: monotonicMs(),
})

/** The current time of the database in milliseconds, whatever the clock of this process says. */
export const databaseMs = ({ read, at }: DatabaseClock): number => Math.floor(read + monotonicMs() - at)
