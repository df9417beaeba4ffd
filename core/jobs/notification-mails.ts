/** Jobs that mail one person each. */
import type { Queryable } from '../../sql/index.ts'
import { LOWEST_PRIORITY, type Tasks } from './tasks.ts'

/** Asks for the mails of notifications, each under the flag of its tenant. */
export async function mailNotifications(db: Queryable, told: { id: string; organization_id: string }[]): Promise<void> {
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        'mail_notification', json_build_object('notification_id', told.id), null, now(), null, null, ${LOWEST_PRIORITY}::integer,
        array['org:' || told.organization_id, 'task:mail_notification']
      )::graphile_worker.job_spec
      from unnest(
        ${told.map(({ id }) => id)}::uuid[], ${told.map(({ organization_id }) => organization_id)}::uuid[]
      ) as told (id, organization_id)
    ))
  `
}

/**
 * Asks for the mail of each of some users, by a job of its own: it fails, and is tried again, without the others.
 *
 * @param key of what they are for: while a job with it waits for a user, no second one is added
 */
export async function mailEach<Task extends 'mail_hook_disabled' | 'mail_channel_disabled'>(
  db: Queryable,
  task: Task,
  payload: Tasks[Task],
  key: string,
  user_ids: string[],
  organization_id: string,
): Promise<void> {
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        ${task}::text, ${db.json(payload)}::jsonb || jsonb_build_object('user_id', user_id), null, now(), null,
        ${key}::text || ':' || user_id, null, ${[`org:${organization_id}`, `task:${task}`]}::text[]
      )::graphile_worker.job_spec
      from unnest(${user_ids}::uuid[]) as user_id
    ))
  `
}
