/** Deployment hooks as the API and events show them. */
import { sql } from './platform/database.ts'
import { MASK } from './security/secrets.ts'

/** The columns of a hook. Secrets are never shown: header values are masked, and of the secret only its existence is shown. */
export const hookColumns = sql`
  id, project_id, name, mode, url, trigger_on, environment,
  masked(header_names, ${MASK}) as headers,
  enabled, disabled_reason, max_age_seconds, supersede, paused, report_within_seconds, body_template,
  masked(template_secret_names, ${MASK}) as template_secrets, filter, signature, public_key,
  secret is not null and signature = 'hmac' as has_secret, created_at, updated_at
`
