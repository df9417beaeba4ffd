/** forget_expired: deletes what nobody will ask for again, table by table. */
import { sql } from '../../core/database.ts'

/** Runs every night. */
export async function forgetExpired(): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`
  await sql`delete from email_verifications where expires_at < now()`
  await sql`delete from refresh_tokens where expires_at < now()`
}
