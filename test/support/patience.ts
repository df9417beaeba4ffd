/** How long tests wait. Long, so that only what hangs fails: a busy machine may stand still for many seconds. */

/** For an event that a test awaits. */
export const PATIENCE_MS = 90_000

/** For a whole test. Those that are longer name a limit of their own. */
export const TEST_LIMIT_MS = 240_000
