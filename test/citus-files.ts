/** What `bun run test:citus` runs when it is not given files: the tests of `bun run test` and some slow ones, without those that are left out. */

/** Folders and files of `test` whose tests do not use a database, or not through Signalbox. */
export const WITHOUT_DATABASE = [
  'api-descriptions',
  'architecture.test.ts',
  'clients',
  'core',
  'deployment.test.ts',
  'docs',
  'mail',
  'outbound',
  'receivers',
  'settings.test.ts',
]

/** Tests of `bun run test:slow` about what a cluster does in another way. */
export const SLOW = [
  'audit-logs/verify.slow.test.ts',
  'deployment-hooks/disable-after-failures.slow.test.ts',
  'deployment-hooks/public-key-reencrypt.slow.test.ts',
  'deployment-hooks/reencrypt.slow.test.ts',
  'gates/expiry.slow.test.ts',
  'jobs/runs.slow.test.ts',
  'operations/restored-copy.slow.test.ts',
  'operations/stranded.slow.test.ts',
  'operations/unlock.slow.test.ts',
  'organizations/purge.slow.test.ts',
  'outbox/broken-events.slow.test.ts',
  'sql/partitions.slow.test.ts',
  'sql/pgbouncer.slow.test.ts',
  'upkeep/forget-expired.slow.test.ts',
]

/** Files that cannot pass on a cluster, with the reason. Single tests that cannot are skipped where they are. */
export const LEFT_OUT: Record<string, string> = {
  'operations/release.test.ts':
    'reading ops.health asks every node a dozen times, and holds the views for longer than a release waits',
  'sql/deliveries.test.ts': 'its statements write several tables without naming the organization',
  'sql/tenancy.test.ts': 'it checks the catalog of the migrations, which is the same before `bun run distribute`',
}
