/** What `bun run test:citus` runs when it is not given files: the tests of `bun run test`, without those that are listed here. */

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

/** Files that cannot pass on a cluster, with the reason. Single tests that cannot are skipped where they are. */
export const LEFT_OUT: Record<string, string> = {
  'operations/release.test.ts':
    'reading ops.health asks every node a dozen times, and holds the views for longer than a release waits',
  'sql/deliveries.test.ts': 'its statements write several tables without naming the organization',
  'sql/tenancy.test.ts': 'it checks the catalog of the migrations, which is the same before `bun run distribute`',
}
