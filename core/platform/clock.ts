/** The clock of this process: for timestamps and durations. What is due is decided by the clock of the database. */

/** The current time as ISO 8601 in UTC with milliseconds. */
export const nowIso = (): string => new Date().toISOString()

/** Seconds since 1970, for signatures and tokens. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000)

/** Milliseconds of a clock that never goes back. */
export const monotonicMs = (): number => performance.now()
