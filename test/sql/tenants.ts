/** The tables that belong to no single tenant, and where they would be if tenants were spread over several machines. */

/** The tenant itself: its id is the organization_id of all its rows. */
export const ORGANIZATION = 'organizations'

/** Tables without an organization in their keys, with the reason. All others belong to tenants. */
export const COMMON: Record<string, string> = {
  users: 'a person is a member of many organizations; tenants refer to them: a copy on every machine',
  workers: 'a process serves all organizations; lanes refer to it: a copy on every machine',
  sessions: 'of a user',
  refresh_tokens: 'of a session',
  personal_tokens: 'of a user; one bound to an organization is found before the organization is known',
  email_verifications: 'of a user',
  password_resets: 'of a user, or of an address that is nobody’s',
  security_log_entries: 'of a user',
  user_avatars: 'of a user',
  idempotency_keys: 'of a caller, who may be about to make an organization',
  notifications: 'of a user: one inbox, numbered over all organizations',
  notification_inboxes: 'of a user',
  notification_read_marks: 'of a user',
  notification_preferences: 'of a user',
  figures: 'of the service: what its processes have counted',
  process_figures: 'of a process',
  schema_migrations: 'of the service',
  'ops.pauses': 'of whoever operates the service',
  'ops.actions': 'likewise',
  'ops.job_runs': 'of the service; a run for all organizations has none',
}
