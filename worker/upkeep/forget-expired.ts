/** forget_expired: deletes what nobody will ask for again, table by table. */
import { sql } from '../../core/database.ts'
import { addJob } from '../../core/jobs.ts'

/** Runs every night. */
export async function forgetExpired(): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - interval '24 hours'`
  await sql`delete from email_verifications where expires_at < now()`
  await sql`delete from refresh_tokens where expires_at < now()`
  await sql`
    update deployment_hooks
    set previous_secret = null, previous_secret_until = null
    where previous_secret_until < now() - interval '7 days'
  `
  await sql`delete from password_resets where expires_at < now()`
  await sql`delete from personal_tokens where expires_at < now() - interval '30 days'`
  await sql`delete from invitation_mails where asked_at < now() - interval '1 day'`
  // A purge that was given up is begun again.
  const deleted = await sql<{ id: string }[]>`select id from organizations where deleted_at is not null`
  for (const { id } of deleted) await addJob(sql, 'purge_organization', { organization_id: id }, id)
}
