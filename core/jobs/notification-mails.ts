/** Jobs that send one mail each. */
import type { Queryable } from '../../sql/index.ts'
import { flagsOf, NOTIFICATION_MAIL_PRIORITY, type Tasks } from './tasks.ts'

/** Adds a job for the mail of each notification. */
export async function mailNotifications(db: Queryable, notifications: { id: string; organization_id: string }[]): Promise<void> {
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        'mail_notification', json_build_object('notification_id', notification.id), null, now(), null, null,
        ${NOTIFICATION_MAIL_PRIORITY}::integer, array['org:' || notification.organization_id, 'task:mail_notification']
      )::graphile_worker.job_spec
      from unnest(
        ${notifications.map(({ id }) => id)}::uuid[],
        ${notifications.map(({ organization_id }) => organization_id)}::uuid[]
      ) as notification (id, organization_id)
    ))
  `
}

/**
 * Adds a job for each user, so that each mail is retried separately.
 *
 * @param key identifies the subject of the mails: while a user's job with this key is pending, no second one is added
 */
export async function mailEach<Task extends 'mail_hook_disabled' | 'mail_channel_disabled'>(
  db: Queryable,
  task: Task,
  payload: Tasks[Task],
  key: string,
  user_ids: string[],
): Promise<void> {
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        ${task}::text, ${db.json(payload)}::jsonb || jsonb_build_object('user_id', user_id), null, now(), null,
        ${key}::text || ':' || user_id, null, ${flagsOf(task, payload.organization_id)}::text[]
      )::graphile_worker.job_spec
      from unnest(${user_ids}::uuid[]) as user_id
    ))
  `
}
