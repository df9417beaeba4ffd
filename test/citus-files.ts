/** What `bun run test:citus` runs when it is not given files. */

/** Files of `test` that prove a cluster, each with what it proves. */
export const CHOSEN: Record<string, string> = {
  'sql/citus.test.ts': 'how statements are rewritten',
  'sql/partitions.slow.test.ts': 'partitions on all nodes',
  'agent-standings/standings.test.ts': 'outcomes of the work of agents, over six tables',
  'api/access.test.ts': 'what a path names is found by its organization',
  'api/idempotency.test.ts': 'a change and its key are committed together',
  'attestations/attestations.test.ts': 'jobs that are added with what a node commits',
  'audit-logs/immutable.test.ts': 'triggers on the shards that refuse changes',
  'audit-logs/verify.slow.test.ts': 'seals of several organizations',
  'budgets/report.test.ts': 'sums that triggers keep on the shards',
  'deployment-hooks/dispatch.test.ts': 'from an event to its dispatch',
  'deployment-hooks/freezes.slow.test.ts': 'deliveries that wait for a freeze of their environment',
  'deployment-hooks/lock-order.slow.test.ts': 'row locks',
  'deployment-hooks/lost-approvals.slow.test.ts': 'dispatches that lose the approval that their environment requires',
  'deployment-hooks/recover.slow.test.ts': 'many deliveries at once',
  'deployment-hooks/reencrypt.slow.test.ts': 'secrets of all nodes',
  'deployment-hooks/supersede.slow.test.ts': 'deliveries that replace others',
  'environments/policy.test.ts': 'a group that is named and deleted at once',
  'gates/approvals.test.ts': 'decisions at the same time',
  'gates/decision-links.test.ts': 'a token that names no organization',
  'gates/expiry.slow.test.ts': 'sweeps over organizations',
  'gates/group-approvals.test.ts': 'a trigger that reads groups and members outside of its shard',
  'gates/overrides.test.ts': 'a sweep over reviews that are due',
  'gates/revocations.test.ts': 'an approval that is taken back',
  'gates/superseding.slow.test.ts': 'a unique index of one organization in which nulls are equal',
  'groups/groups.test.ts': 'groups, which members leave with the organization',
  'invitations/accept.test.ts': 'invitations by address and token',
  'invitations/limit.slow.test.ts': 'limits that triggers keep on the shards',
  'jobs/complete.test.ts': 'the job queue on the coordinator',
  'jobs/runs.slow.test.ts': 'the organization of a job',
  'members/races.slow.test.ts': 'the copy of the members, with changes at the same time',
  'members/revoked-meanwhile.test.ts': 'changes that wait while access is taken away',
  'members/revoked-waits.slow.test.ts': 'requests that wait while access is taken away',
  'members/several-organizations.test.ts': 'a user in several organizations',
  'mcp/story.test.ts': 'the tools of agents',
  'notifications/fan-out.slow.test.ts': 'inboxes on the coordinator, events on the nodes',
  'organizations/delete.test.ts': 'an organization that disappears at once',
  'organizations/purge.slow.test.ts': 'the deletion of all rows of an organization',
  'organizations/transfer.test.ts': 'an organization that changes its owner',
  'organizations/update.test.ts': 'names that are unique over all organizations',
  'outbox/broken-events.slow.test.ts': 'events that cannot be fanned out',
  'outbox/once.test.ts': 'drains of several workers',
  'pages/namesakes.test.ts': 'names of users on pages',
  'pages/work.test.ts': 'what needs a user, over all their organizations',
  'promotions/next-gate.slow.test.ts': 'a sweep that opens gates',
  'promotions/waiting.slow.test.ts': 'deliveries that wait for a soak, and are cancelled',
  'pull-hooks/claim.test.ts': 'claims at the same time',
  'rollouts/report.test.ts': 'the token of a dispatch',
  'runtimes/runtimes.test.ts': 'a trigger in place of a foreign key',
  'slack/project-gates.test.ts': 'messages of gates without an execution',
  'slack/threads.test.ts': 'messages that are kept up to date',
  'sso/groups.test.ts': 'people who sign on, with roles and groups on the nodes',
  'sso/required.test.ts': 'a sign-on that organizations require, with its tables on the coordinator',
  'tokens/organization.test.ts': 'tokens of a member who leaves',
  'upkeep/forget-expired.slow.test.ts': 'retention',
  'usage/costs.test.ts': 'prices, and sums that are added to as usage arrives',
  'usage/limits.test.ts': 'limits of executions and agents',
  'usage/requests.slow.test.ts': 'exports about executions of several organizations',
  'usage/telemetry.test.ts': 'usage that counts once, whoever sends it at once',
  'users/delete.test.ts': 'a user who is deleted from all organizations',
  'workspaces/members.test.ts': 'members of workspaces',
}

/** Files that take long and prove nothing more about a cluster, with what proves it. `--all` runs them. */
export const PROVEN_ELSEWHERE: Record<string, string> = {
  'deployment-hooks/disable-after-failures.slow.test.ts': 'attempts are recorded in all files of deployment-hooks',
  'deployment-hooks/revoked-approvals.slow.test.ts': 'lost-approvals.test.ts takes approvals back as well',
  'gates/environment-rules.test.ts': 'environments/policy.test.ts reads and writes the same tables',
  'gates/evidence.test.ts': 'superseding.test.ts opens gates with evidence',
}

/** Each kills servers of the cluster. */
export const CHOSEN_FAULTS = ['./faults/citus-coordinator.test.ts']

/** The lists below are for `--all`: the tests of `bun run test` and some slow ones, without those that are left out. */

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
  'sql/statements.slow.test.ts',
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
  'operations/release.slow.test.ts':
    'reading ops.health asks every node a dozen times, and holds the views for longer than a release waits',
  'sql/deliveries.test.ts': 'its statements write several tables without naming the organization',
  'sql/tenancy.test.ts': 'it checks the catalog of the migrations, which is the same before `bun run distribute`',
}
