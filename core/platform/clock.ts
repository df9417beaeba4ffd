/** The clock of this process. What is due is decided by the database's; this one names instants and measures spans. */

/** Now, as ISO 8601 in UTC with milliseconds. */
export const nowIso = (): string => new Date().toISOString()

/** Seconds since 1970, as signatures and tokens count them. */
export const epochSeconds = (): number => Math.floor(Date.now() / 1000)

/** Milliseconds of a clock that is never set back. */
export const monotonicMs = (): number => performance.now()
