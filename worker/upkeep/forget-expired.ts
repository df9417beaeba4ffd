/** forget_expired: the nightly upkeep. Deletes data that has exceeded its retention, and creates new partitions. */
import { makeWorkerUtils } from 'graphile-worker'
import { addJob } from '../../core/jobs/tasks.ts'
import { withdraw } from '../../core/notifications/notify.ts'
import { config } from '../../core/platform/config.ts'
import { directDatabase, sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { FIRST_ID } from '../../core/values/uuids.ts'
import type { Fragment } from '../../sql/index.ts'
import { openJobPool } from '../../sql/job-pool.ts'
import { analyzePartitioned, dropPartitions, FAMILIES, type Family, makePartitions } from '../../sql/partitions.ts'
import { acrossTenants, unmarked } from '../../sql/reach.ts'
import { isStopping } from '../process/heartbeat.ts'
import { serveTable } from '../process/tenant-groups.ts'

const BATCH = 1_000

/** @throws Error if this process is stopping, so that the job is retried by another worker */
function throwIfStopping(): void {
  if (isStopping()) throw new Error('The worker is stopping; the job will be retried')
}

/** Deletes the rows that match a condition, which must be indexed. Locked rows are skipped until the next night. */
async function deleteWhere(table: string, condition: Fragment, mark = unmarked): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    throwIfStopping()
    ;({ count } = await mark(sql`
      delete from ${sql(table)}
      where ctid = any(array(
        select ctid from ${sql(table)} where ${condition} limit ${BATCH} for update skip locked
      ))
    `))
  }
}

/** The same for a table of tenants. */
const deleteOfTenants = (table: string, condition: Fragment): Promise<void> =>
  serveTable(table, condition, (ofTenant, mark) => deleteWhere(table, ofTenant, mark))

/**
 * Deletes the rows with ids before the given one that match a condition on `old`. Walks over them once, page by page in the order of ids
 * (UUIDv7), so that rows that stay are read only once.
 */
async function deleteOlder(table: string, isOlder: Fragment, condition: Fragment, mark = unmarked): Promise<void> {
  for (let after: string | null = FIRST_ID; after !== null; ) {
    throwIfStopping()
    const [page]: { last: string | null }[] = await mark(sql<{ last: string | null }[]>`
      with page as (
        select id from ${sql(table)} where id > ${after} and ${isOlder} order by id limit ${BATCH}
      ),
      gone as (
        delete from ${sql(table)} as old where id in (select id from page) and ${condition}
      )
      select max(id::text)::uuid as last from page
    `)
    after = page?.last ?? null
  }
}

/** The same for a table of tenants. */
const deleteOlderOfTenants = (table: string, before: string, condition: Fragment): Promise<void> =>
  serveTable(table, sql`id < ${before}`, (isOlder, mark) => deleteOlder(table, isOlder, condition, mark))

/** Removes empty job queues: there is one per tenant and serial task, and graphile-worker does not remove them with their last job. */
async function collectQueues(): Promise<void> {
  const pgPool = openJobPool(directDatabase, 'signalbox upkeep', 1, (error) =>
    log.warn({ error }, 'the connection of the upkeep job failed'),
  )
  const utils = await makeWorkerUtils({ pgPool })
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] })
  } finally {
    await utils.release()
    await pgPool.end()
  }
}

/** The first id of that moment. */
async function firstIdAt(moment: Fragment): Promise<string> {
  const [{ id }] = await sql<[{ id: string }]>`select partition_boundary(${moment}) as id`
  return id
}

const daysAgo = (days: number): Fragment => sql`now() - ${days} * interval '1 day'`

/**
 * Drops expired partitions of a family. Then deletes expired rows that are not in a partition of their own age: in the first and
 * the default partition, and in partitions that are kept because of pending rows. Rows in a partition that is not completely
 * expired stay until it is.
 */
async function retire(family: Family, days: number, ...tables: [table: string, condition: Fragment][]): Promise<string> {
  await dropPartitions(sql, family, days)
  const before = await firstIdAt(sql`partition_start(${daysAgo(days)}, ${family.span}::interval)`)
  for (const [table, condition] of tables) await deleteOlderOfTenants(table, before, condition)
  return before
}

/** Deletes expired tokens, links and idempotency keys. */
async function forgetSecrets(): Promise<void> {
  await deleteWhere('idempotency_keys', sql`created_at < now() - interval '24 hours'`)
  await deleteWhere('email_verifications', sql`expires_at < now()`)
  await deleteWhere('refresh_tokens', sql`expires_at < now()`)
  await deleteWhere('password_resets', sql`expires_at < now()`)
  await deleteWhere('address_reversals', sql`expires_at < now()`)
  await deleteWhere('totp_setups', sql`expires_at < now()`)
  await deleteWhere('sign_in_tickets', sql`expires_at < now()`)
  await deleteWhere('second_factor_resets', sql`expires_at < now()`)
  await deleteWhere('passkey_challenges', sql`expires_at < now()`)
  await deleteWhere('used_assertions', sql`expires_at < now()`)
  await deleteWhere('sso_used_states', sql`expires_at < now()`)
  await deleteWhere('sso_proofs', sql`expires_at < now()`)
  await deleteWhere('sso_newcomers', sql`expires_at < now()`)
  // Until then a device gets the error that its code has expired.
  await deleteWhere('device_authorizations', sql`expires_at < now() - interval '1 hour'`)
  await deleteWhere('authorization_codes', sql`expires_at < now() and token_id is null`)
  await deleteWhere('client_tokens', sql`expires_at < now()`)
  await deleteWhere('recent_uses', sql`forget_at < now()`)
  await deleteWhere('personal_tokens', sql`expires_at < now() - interval '30 days'`)
  // They still say for a while what was decided with them.
  await deleteOfTenants('decision_links', sql`expires_at < now() - interval '7 days'`)
  await deleteWhere('slack_link_tokens', sql`expires_at < now()`)
  await deleteWhere('slack_used_states', sql`expires_at < now()`)
  await deleteOfTenants('slack_clicks', sql`created_at < now() - interval '1 day'`)
  await acrossTenants(sql`
    update deployment_hooks
    set previous_secret = null, previous_secret_until = null
    where previous_secret_until < now() - interval '7 days'
  `)
}

/** Deletes dispatches with their attempts. Pending ones stay, however long their hook is paused. */
const forgetDispatches = () =>
  retire(FAMILIES.dispatches, config.RETENTION_DISPATCH_DAYS, ['dispatches', sql`old.status <> 'pending'`])

/** Deletes old rollouts, and those of deleted dispatches about which nothing was reported. What an environment shows stays. */
async function forgetRollouts(): Promise<void> {
  const hasNoDispatch = sql`
    reported_at is null
    and id < ${await firstIdAt(daysAgo(config.RETENTION_DISPATCH_DAYS))}
    and not exists (
      select 1
      from dispatches as dispatch
      where dispatch.id = rollouts.id and dispatch.organization_id = rollouts.organization_id
    )
  `
  await deleteOfTenants('rollouts', hasNoDispatch)
  const isNotShown = sql`
    not exists (
      select 1
      from environments as environment
      where environment.project_id = old.project_id
        and environment.environment = old.environment
        and environment.organization_id = old.organization_id
        and old.id in (environment.current_id, environment.previous_id, environment.latest_id)
    )
    and not exists (
      select 1 from dispatches as dispatch where dispatch.id = old.id and dispatch.organization_id = old.organization_id
    )
  `
  await deleteOlderOfTenants('rollouts', await firstIdAt(daysAgo(config.RETENTION_ROLLOUT_DAYS)), isNotShown)
}

/**
 * Deletes the runs of subjects that are as old as rollouts become: they count as never having been there. What runs in an environment stays, and
 * what came there last. No soak is as long as that.
 */
const forgetRuns = () =>
  deleteOfTenants(
    'environment_runs',
    sql`
      changed_at < ${daysAgo(config.RETENTION_ROLLOUT_DAYS)}
      and not exists (
        select 1
        from environments as environment
        where environment.project_id = environment_runs.project_id
          and environment.environment = environment_runs.environment
          and environment.organization_id = environment_runs.organization_id
          and environment_runs.digest in (environment.current_digest, environment.newest_digest)
      )
    `,
  )

/**
 * Deletes what is known of deliveries and of requests of GitHub. A gate keeps its requests, and an installation that is bound no more stays
 * for those that it has.
 */
async function forgetGitHub(): Promise<void> {
  await deleteOfTenants('github_deliveries', sql`received_at < now() - interval '7 days'`)
  await deleteOfTenants(
    'github_requests',
    sql`
      state in ('answered', 'closed')
      and opened_at < now() - interval '90 days'
      and not exists (
        select 1
        from gates as gate
        where gate.id = github_requests.gate_id and gate.organization_id = github_requests.organization_id
      )
    `,
  )
  await deleteOfTenants(
    'github_installations',
    sql`
      unbound_at < now() - interval '1 day'
      and not exists (
        select 1
        from github_requests as request
        where request.lane_id = github_installations.id
          and request.organization_id = github_installations.organization_id
      )
    `,
  )
}

/** Deletes channel messages with their attempts and events. */
function forgetMessages(): Promise<string> {
  const hasNoMessage = sql`
    not exists (
      select 1
      from channel_messages as message
      where message.event_id = old.id and message.organization_id = old.organization_id
    )
  `
  const messages: [string, Fragment] = ['channel_messages', sql`old.status <> 'pending'`]
  return retire(FAMILIES.messages, config.RETENTION_LOG_DAYS, messages, ['channel_events', hasNoMessage])
}

async function forgetJobRuns(): Promise<void> {
  const before = await retire(FAMILIES.job_runs, config.RETENTION_JOB_RUN_DAYS)
  await deleteOlder('ops.job_runs', sql`id < ${before}`, sql`true`)
}

/** Deletes events that do not wait any more. */
async function forgetEvents(): Promise<void> {
  const isDrained = sql`
    (
      select true
      from waiting_events as waiting
      where waiting.id = old.id and waiting.organization_id = old.organization_id
    ) is null
  `
  await deleteOlderOfTenants('outbox', await firstIdAt(daysAgo(config.RETENTION_OUTBOX_DAYS)), isDrained)
}

/** Deletes notifications that were read, individually or by "read all", and the records of the latter. */
async function forgetNotifications(): Promise<void> {
  const moment = daysAgo(config.RETENTION_NOTIFICATION_DAYS)
  const isRead = sql`
    (
      old.read_at is not null
      or old.sequence <= (select read_through from notification_inboxes where user_id = old.user_id)
    )
  `
  await deleteOlder('notifications', sql`id < ${await firstIdAt(moment)}`, isRead)
  const marksNothing = sql`
    read_at < ${moment}
    and not exists (
      select from notifications where user_id = notification_read_marks.user_id and sequence <= notification_read_marks.through
    )
  `
  await deleteWhere('notification_read_marks', marksNothing)
}

/** Marks as read what tells of invitations that have expired since the nights before: they can no longer be accepted. */
async function readExpiredInvitations(): Promise<void> {
  const expired = await acrossTenants(sql<{ id: string }[]>`
    select id
    from invitations
    where status = 'pending'
      and expires_at between ${daysAgo(7)} and now()
  `)
  if (expired.length === 0) return
  await transaction((tx) => withdraw(tx, sql`notification.source_id = any(${expired.map(({ id }) => id)}::uuid[])`))
}

/** Restarts purges that have failed. */
async function purgeAgain(): Promise<void> {
  const deleted = await acrossTenants(sql<{ id: string }[]>`select id from organizations where deleted_at is not null`)
  for (const { id } of deleted) await addJob(sql, 'purge_organization', { organization_id: id })
}

const STEPS = {
  makePartitions: () => makePartitions(sql),
  forgetSecrets,
  forgetDispatches,
  forgetRollouts,
  forgetRuns,
  forgetGitHub,
  forgetMessages,
  forgetEvents,
  readExpiredInvitations,
  forgetNotifications,
  forgetJobRuns,
  purgeAgain,
  analyze: () => analyzePartitioned(sql),
  collectQueues,
}

/** Runs every night. If a step fails, the others run nevertheless. @throws the last error, so that the job is retried */
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
