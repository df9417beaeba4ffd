/** Statements that ask more than one shard. docs/citus.md prints the reasons. */
import { readFile } from 'node:fs/promises'

const HIDDEN = 'entries of one organization; Citus does not see it behind the list of entries'
const SWEEP = 'sweeps look for organizations with something due'
const KEY_CHECK = 'each process reads a few secrets at start, to see that SECRETS_KEY decrypts them'
const UPKEEP = 'the nightly upkeep looks for what is past its retention'

/** An excerpt that identifies each, and the reason. All other statements of API and workers ask one shard. */
export const SEVERAL_SHARDS: [excerpt: string, reason: string][] = [
  ['from waiting_tenants(', 'the drain looks for organizations with waiting events'],
  ['from unsealed_tenants(', 'the seals look for organizations with new audit log entries'],
  ['select distinct gates.organization_id from gates', SWEEP],
  ['select distinct runtimes.organization_id from runtimes', SWEEP],
  ['select distinct rollouts.organization_id from rollouts', SWEEP],
  ['select distinct environments.organization_id from environments', SWEEP],
  ['select distinct delivery.organization_id from deliveries', SWEEP],
  ['select distinct hook.organization_id from deployment_hooks', SWEEP],
  ["from gates where status = 'pending' and expires_at <= now()", SWEEP],
  ["where hook.mode = 'pull' and hook.max_age_seconds is not null", SWEEP],
  ['from ops.', 'sweeps and metrics of the whole service'],
  ['with page as ( select id, organization_id from', 'sweeps and metrics of the whole service'],
  ['select count(*) as waiting, coalesce(extract(epoch', 'sweeps and metrics of the whole service'],
  ['count(*) filter (where due_at <= now() and not is_held) as ready', 'sweeps and metrics of the whole service'],
  ["from workers where process_status(seen_at) = 'online') as online", 'sweeps and metrics of the whole service'],
  ['select distinct organization_id as id from', UPKEEP],
  ['set previous_secret = null, previous_secret_until = null', UPKEEP],
  ['select id from organizations where deleted_at is not null', UPKEEP],
  ['from "deployment_hooks" order by "id" desc limit', KEY_CHECK],
  ['from "dispatch_bodies" order by "dispatch_id" desc limit', KEY_CHECK],
  ['from "notification_channels" order by "id" desc limit', KEY_CHECK],
  ['from "slack_clicks" order by "id" desc limit', KEY_CHECK],
  ['from "signing_keys" order by "id" desc limit', KEY_CHECK],
  [' as encrypted from ', '`bun run reencrypt` reads all secrets'],
  ['ensure_partitions(', 'partitions are created on all nodes'],
  ['from lanes where owner_id', 'the lanes that workers have leased'],
  ['update lanes set', 'a worker renews or returns the lanes that it has leased, in several organizations'],
  [
    'where id = any($1::uuid[]) and organization_id = any($2::uuid[])',
    'what the worker sets aside, of several organizations at once',
  ],
  ['delete from audit_log_unsealed', HIDDEN],
  ['insert into slack_threads', HIDDEN],
  ['insert into slack_gate_messages', HIDDEN],
  [
    'from organization_members as member join organizations as organization',
    'the organizations of a user, with what waits there',
  ],
  ['as unread, coalesce( ( select jsonb_agg(', 'the organizations of a user, on every page'],
  [
    'select execution.id, execution.organization_id, member.role as workspace_role',
    'the executions that an export of telemetry names, in all organizations of its sender',
  ],
  ['from invitations', 'invitations are found by an address or a token'],
  ['join invitations', 'invitations are found by an address or a token'],
  ['select invitation.id', 'invitations are found by an address or a token'],
  ['invitation.email, invitation.role', 'invitations are found by an address or a token'],
  ['from decision_link_recipient(', 'a mailed link names only its gate'],
  ['from dispatches as named where', 'a machine token names only its dispatch'],
  ['coalesce(rollout.deadline_at, dispatch.created_at) >', 'a machine token names only its dispatch'],
  ['where hook.id = $1 and hook.pull_token_hash = $2', 'a machine token names only its hook'],
  ['update lanes as lane set sequence', HIDDEN],
  ['update environments as known', HIDDEN],
  [
    'delete from decision_links where user_id = $1 and organization_id = any(',
    'the mailed links of a user, in all their organizations',
  ],
  ["update invitations set status = 'accepted'", 'invitations are found by an address or a token'],
]

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/**
 * Statements of API and workers that asked several shards, according to the log of a coordinator with
 * `citus.multi_task_query_log_level = log` and `log_line_prefix = '%m [%p] %a '`.
 *
 * @returns those that are not listed, and the excerpts of the list that none of them contains
 */
export async function checkStatements(file: string): Promise<{ unlisted: string[]; unused: string[] }> {
  const entries = (await readFile(file, 'utf8')).split(/\n(?=\d{4}-\d\d-\d\d )/)
  const found = new Set<string>()
  for (const [at, entry] of entries.entries()) {
    const [, pid, name] = /^\S+ \S+ \S+ \[(\d+)\] (.*?) *LOG: {2}multi-task query/.exec(entry) ?? []
    if (!pid || name?.startsWith('signalbox test')) continue
    const statement = entries.slice(at + 1, at + 5).find((each) => each.includes(`[${pid}]`) && each.includes('STATEMENT: '))
    if (statement) found.add(onOneLine(statement.slice(statement.indexOf('STATEMENT: ') + 11)))
  }
  const all = [...found]
  return {
    unlisted: all.filter((text) => !SEVERAL_SHARDS.some(([excerpt]) => text.includes(excerpt))),
    unused: SEVERAL_SHARDS.map(([excerpt]) => excerpt).filter((excerpt) => !all.some((text) => text.includes(excerpt))),
  }
}
