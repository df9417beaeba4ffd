/** What an upgrade must keep. */
import type { Sql } from '../../sql/index.ts'
import { tablesOf } from './dump.ts'

/** Tables whose rows are deleted when their work is done, or when they have expired: the data of a release grows old. */
const TRANSIENT = [
  /^graphile_worker\./,
  /^ops\.pauses$/,
  /^public\.(deliveries|audit_log_unsealed|lanes|lane_health)$/,
  /^public\.(email_verifications|password_resets|address_reversals|decision_links|refresh_tokens|idempotency_keys|recent_uses)$/,
  /^public\.(totp_setups|sign_in_tickets|second_factor_resets|passkey_challenges|used_assertions)$/,
  /^public\.(device_authorizations|authorization_codes|client_tokens)$/,
  /^public\.slack_(link_tokens|used_states|clicks)$/,
]

/** The keys of the rows of every table that keeps its rows. */
export async function keptKeys(sql: Sql): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await tablesOf(sql)) {
    if (TRANSIENT.some((pattern) => pattern.test(name))) continue
    const columns = await sql<{ name: string }[]>`
      select quote_ident(attname) as name
      from pg_index
      join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where indrelid = ${name}::text::regclass
        and indisprimary
      order by attname
    `
    if (columns.length === 0) continue
    const rows = await sql.unsafe<{ key: string }[]>(
      `select ${columns.map(({ name }) => `${name}::text`).join(" || ' ' || ")} as key from ${name}`,
    )
    // Attempts of 0.3.0 were moved, and bodies are in their dispatches.
    const now = name.replace('public.dispatch_attempts', 'public.repeated_attempts')
    if (!name.startsWith('public.dispatch_bodies')) found.push(...rows.map(({ key }) => `${now} ${key}`))
  }
  return found
}
