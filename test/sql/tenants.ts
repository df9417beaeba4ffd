/** The tables that belong to no single tenant, and where they would be if tenants were spread over several machines. */
import type { Queryable } from '../../sql/index.ts'

/** The tenant itself: its id is the organization_id of all its rows. */
export const ORGANIZATION = 'organizations'

/** Tables without an organization in their keys, with the reason. All others belong to tenants. */
export const COMMON: Record<string, string> = {
  users: 'a user is a member of many organizations, and tenants refer to users: replicated to every machine, as `people`',
  organization_names: 'unique over all organizations',
  github_apps: 'belongs to the service',
  github_bindings: 'says which organization an installation at GitHub belongs to',
  workers: 'a process serves all organizations, and lanes refer to it: replicated to every machine',
  sessions: 'belongs to a user',
  refresh_tokens: 'belongs to a session',
  session_cookies: 'belongs to a session',
  personal_tokens: 'belongs to a user; a token for one organization is looked up before the organization is known',
  user_identities: 'belongs to a user, who acts in many organizations',
  sso_identities: 'belongs to a user: whoever signs on is looked up before the organization is known',
  sso_token_proofs: 'belongs to a personal token',
  sso_proofs: 'belongs to a session',
  sso_used_states: 'belongs to nobody yet',
  slack_link_tokens: 'belongs to a Slack account, which may act in many organizations',
  slack_used_states: 'belongs to a user',
  passkeys: 'belongs to a user',
  passkey_challenges: 'belongs to a user, or to a network that nobody has signed in from yet',
  totp_apps: 'belongs to a user',
  totp_setups: 'belongs to a user',
  recovery_codes: 'belongs to a user',
  sign_in_tickets: 'belongs to a user',
  second_factor_resets: 'belongs to a user',
  device_authorizations: 'belongs to a user, or to nobody yet',
  authorization_codes: 'belongs to a user',
  client_tokens: 'belongs to a personal token',
  email_verifications: 'belongs to a user',
  password_resets: 'belongs to a user, or to an address without an account',
  address_reversals: 'belongs to a user',
  former_addresses: 'belongs to a user',
  recent_uses: 'belongs to a subject of a limit, such as an address without an account',
  security_log_entries: 'belongs to a user',
  user_avatars: 'belongs to a user',
  idempotency_keys: 'belongs to a caller, who may be creating an organization',
  used_assertions: 'belongs to an issuer, whose assertions sign in to accounts of any organization',
  notifications: 'belongs to a user: one inbox with one sequence over all organizations',
  notification_inboxes: 'belongs to a user',
  notification_read_marks: 'belongs to a user',
  notification_preferences: 'belongs to a user',
  metric_totals: 'belongs to the service: the totals of its processes',
  process_gauges: 'belongs to a process',
  schema_migrations: 'belongs to the service',
  'ops.pauses': 'belongs to the operator',
  'ops.actions': 'belongs to the operator',
  'ops.sweep_runs': 'belongs to the service',
  'ops.job_runs': 'belongs to the service; a run for all organizations has no organization',
}

/** Views of the tables of tenants: what reads them names the organization, too. */
export async function tenantViews(sql: Queryable): Promise<string[]> {
  const views = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace
      and relkind = 'v'
      -- This one finds the organizations of a user.
      and relname <> 'member_organizations'
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id')
  `
  return views.map(({ name }) => name)
}
