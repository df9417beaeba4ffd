/** forget_expired: deletes every night what nobody will ask for again, table by table, and makes room for what comes. */

import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { analyzePartitioned, dropPartitions, FAMILIES, type Family, makePartitions } from '../../sql/partitions.ts'
import { deleteOlder, deleteWhere, type Fragment } from './batches.ts'
import { collectQueues } from './queues.ts'

/** The id at which rows begin that are younger than so many days. */
const daysAgo = (days: number): Fragment => sql`partition_boundary(now() - ${days} * interval '1 day')`

/**
 * Drops the partitions of a family that are old, and deletes what is as old beside them: in the partition that holds all
 * from before there were others, in the default one, and in those where something waits. What is younger than its
 * partition's end is left for the night on which all of it is old.
 *
 * @param condition what may go of the table
 */
async function retire(family: Family, days: number, ...deletions: [table: string, condition: Fragment][]): Promise<void> {
  await dropPartitions(sql, family, days)
  const before = sql`partition_boundary(partition_start(now() - ${days} * interval '1 day', ${family.span}::interval))`
  for (const [table, condition] of deletions) await deleteOlder(table, before, condition)
}

/** What is older than a day, or past its own end. */
async function forgetSecrets(): Promise<void> {
  await deleteWhere('idempotency_keys', sql`created_at < now() - interval '24 hours'`)
  await deleteWhere('email_verifications', sql`expires_at < now()`)
  await deleteWhere('refresh_tokens', sql`expires_at < now()`)
  await deleteWhere('password_resets', sql`expires_at < now()`)
  await deleteWhere('personal_tokens', sql`expires_at < now() - interval '30 days'`)
  await deleteWhere('invitation_mails', sql`asked_at < now() - interval '1 day'`)
  await sql`
    update deployment_hooks
    set previous_secret = null, previous_secret_until = null
    where previous_secret_until < now() - interval '7 days'
  `
}

/** Attempts go with their dispatches. What waits stays, however long its hook is paused. */
const forgetDispatches = () =>
  retire(FAMILIES.dispatches, config.RETENTION_DISPATCH_DAYS, ['dispatches', sql`old.status <> 'pending'`])

/** The log of the channels: messages with their attempts, and what they told of. */
const forgetMessages = () =>
  retire(
    FAMILIES.messages,
    config.RETENTION_LOG_DAYS,
    ['channel_messages', sql`old.status <> 'pending'`],
    ['channel_events', sql`not exists (select from channel_messages where event_id = old.id)`],
  )

const forgetJobRuns = () => retire(FAMILIES.job_runs, config.RETENTION_JOB_RUN_DAYS, ['ops.job_runs', sql`true`])

/** Told events. What was set aside and told late stays as long as if it had come then. */
const forgetEvents = () =>
  deleteOlder(
    'outbox',
    daysAgo(config.RETENTION_OUTBOX_DAYS),
    sql`old.drained_at < now() - ${config.RETENTION_OUTBOX_DAYS} * interval '1 day'`,
  )

/** Notifications that were read, one by one or with all before them, and the moments of the latter. */
async function forgetNotifications(): Promise<void> {
  await deleteOlder(
    'notifications',
    daysAgo(config.RETENTION_NOTIFICATION_DAYS),
    sql`
      (
        old.read_at is not null
        or old.sequence <= (select read_through from notification_inboxes where user_id = old.user_id)
      )
    `,
  )
  await deleteWhere(
    'notification_read_marks',
    sql`
      read_at < now() - ${config.RETENTION_NOTIFICATION_DAYS} * interval '1 day'
      and not exists (
        select from notifications where user_id = notification_read_marks.user_id and sequence <= notification_read_marks.through
      )
    `,
  )
}

/** A purge that was given up is begun again. */
async function purgeAgain(): Promise<void> {
  const deleted = await sql<{ id: string }[]>`select id from organizations where deleted_at is not null`
  for (const { id } of deleted) await addJob(sql, 'purge_organization', { organization_id: id })
}

const STEPS = {
  makePartitions: () => makePartitions(sql),
  forgetSecrets,
  forgetDispatches,
  forgetMessages,
  forgetEvents,
  forgetNotifications,
  forgetJobRuns,
  purgeAgain,
  analyze: () => analyzePartitioned(sql),
  collectQueues,
}

/**
 * Runs every night. One step that fails keeps none of the others from being done.
 *
 * @throws the last failure, so that all is tried again: what is gone is gone
 */
export async function forgetExpired(): Promise<void> {
  let failure: unknown
  for (const [step, run] of Object.entries(STEPS)) {
    await run().catch((error: unknown) => {
      log.error({ error, step }, 'a step of the nightly upkeep failed')
      failure = error
    })
  }
  if (failure) throw failure
}
