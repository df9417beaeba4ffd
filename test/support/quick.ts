/** Nothing in the PostgreSQL of a test outlives the run, so nothing waits for the disk. */
export const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
