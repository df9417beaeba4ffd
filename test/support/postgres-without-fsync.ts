/** Settings of PostgreSQL that skip waiting for the disk: test data does not outlive the run. */
export const WITHOUT_FSYNC = { fsync: 'off', full_page_writes: 'off' }
