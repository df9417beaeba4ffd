/** Deployment hooks as the API and events show them. */
import { sql } from '../platform/database.ts'
import { MASK } from '../security/secrets.ts'
import { parseExactly } from '../values/json.ts'

/** The columns of a hook, for `shownHook`. Secrets are never shown: header values are masked, and of the secret only its existence is shown. */
export const hookColumns = sql`
  id, project_id, name, mode, temporary, url, trigger_on, environment,
  masked(header_names, ${MASK}) as headers,
  enabled, disabled_reason, max_age_seconds, supersede, paused, report_within_seconds,
  body_template::text as body_template,
  masked(template_secret_names, ${MASK}) as template_secrets, filter, signature, public_key,
  secret is not null and signature = 'hmac' as has_secret, created_at, updated_at
`

export type HookRow<Shown extends { body_template: unknown }> = Omit<Shown, 'body_template'> & { body_template: string | null }

/** A hook as it is shown: its template with the numbers as they were written. */
export const shownHook = <Shown extends { body_template: unknown }>(row: HookRow<Shown>): Shown =>
  ({ ...row, body_template: row.body_template === null ? null : parseExactly(row.body_template) }) as unknown as Shown
