/** Tasks of the job queue, with their payloads, and how jobs are added. */
import type { Queryable } from '../../sql/index.ts'

/**
 * Payloads hold ids only: a job reads the current state of its subject when it runs, and may run twice. `organization_id` is
 * the organization that the job belongs to; jobs of the whole service or of one user have none.
 */
export interface Tasks {
  drain_outbox: Record<string, never>
  dispatch_hook: { organization_id: string; lane_id: string }
  compare_tracks: { organization_id: string; comparison_id: string }
  generate_deliverable: { organization_id: string; deliverable_id: string }
  mail_verification: { user_id: string }
  mail_password_reset: { reset_id: string }
  mail_security_notice: { entry_id: string }
  mail_hook_disabled: { organization_id: string; hook_id: string; user_id?: string }
  mail_invitation: { organization_id: string; invitation_id: string }
  purge_organization: { organization_id: string }
  deliver_channel: { organization_id: string; lane_id: string }
  mail_channel_disabled: { organization_id: string; channel_id: string; user_id?: string }
  mail_notification: { notification_id: string }
  mail_sso_notice: { organization_id: string; about: 'lapsed' | 'break_glass'; subject_id: string; user_id?: string }
  attest_gates: { organization_id: string; gate_ids: string[] }
  answer_slack_click: { organization_id: string; click_id: string }
  serve_github: { organization_id: string; lane_id: string }
  sync_github: { organization_id: string; lane_id: string }
  refuse_github_run: RefusedRun
  forget_expired: Record<string, never>
}

/** A workflow run that waits although nobody here can decide about it: no organization has bound its installation. */
export type RefusedRun = {
  installation_id: number
  repository_id: number
  /** `owner/name`. */
  full_name: string
  run_id: number
  environment: string
  /** How often it was tried. */
  attempts: number
}

/** Behind deliveries and other mails, because a tenant may have very many notification mails. Lower numbers run first. */
const NOTIFICATION_MAIL_PRIORITY = 9

/**
 * A call of a model, or the document of a large project, can take a minute. No deployment waits for either, and those of an
 * organization run one after the other.
 */
const SLOW: readonly (keyof Tasks)[] = ['compare_tracks', 'generate_deliverable']

/** The flags by which operators pause jobs: the task, and the organization that the job belongs to. */
export const flagsOf = (task: keyof Tasks, organization_id: string | null): string[] =>
  organization_id === null ? [`task:${task}`] : [`org:${organization_id}`, `task:${task}`]

/** Adds a job as part of the open transaction. */
export async function addJob<Task extends keyof Tasks>(db: Queryable, task: Task, payload: Tasks[Task]): Promise<void> {
  const organization_id = 'organization_id' in payload ? payload.organization_id : null
  const isSlow = SLOW.includes(task)
  await db`
    select from graphile_worker.add_job(
      ${task}::text,
      ${db.json(payload)}::json,
      queue_name := ${isSlow ? `${task}:${organization_id}` : null}::text,
      priority := ${isSlow ? 10 : 0}::integer,
      flags := ${flagsOf(task, organization_id)}::text[]
    )
  `
}

export async function removeJobs(db: Queryable, organization_id: string): Promise<void> {
  await db`
    select from graphile_worker.complete_jobs(array(
      select id
      from graphile_worker.jobs
      where flags ? ${`org:${organization_id}`}
        and locked_at is null
    ))
  `
}

/** Adds a job for each organization that signs the attestations of its gates. */
export async function attestGates(db: Queryable, gates: { id: string; organization_id: string }[]): Promise<void> {
  if (gates.length === 0) return
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        'attest_gates', json_build_object('organization_id', gate.organization_id, 'gate_ids', json_agg(gate.id)), null, now(),
        null, null,
        null, array['org:' || gate.organization_id, 'task:attest_gates']
      )::graphile_worker.job_spec
      from unnest(${gates.map(({ id }) => id)}::uuid[], ${gates.map(({ organization_id }) => organization_id)}::uuid[])
        as gate (id, organization_id)
      group by gate.organization_id
    ))
  `
}

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

/** Adds a job for each installation that asks GitHub about it: one that waits is enough. */
export async function syncInstallations(db: Queryable, lanes: { id: string; organization_id: string }[]): Promise<void> {
  if (lanes.length === 0) return
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        'sync_github', json_build_object('organization_id', lane.organization_id, 'lane_id', lane.id), null, now(), null,
        'sync_github:' || lane.id, null, array['org:' || lane.organization_id, 'task:sync_github']
      )::graphile_worker.job_spec
      from (
        select distinct id, organization_id
        from unnest(
          ${lanes.map(({ id }) => id)}::uuid[],
          ${lanes.map(({ organization_id }) => organization_id)}::uuid[]
        ) as named (id, organization_id)
        order by id
      ) as lane
    ))
  `
}

/** A run to reject, with what identifies the request: while a job with it waits, there is no other one. */
type ToRefuse = { run: RefusedRun; key: string }

/** Adds a job for each of these runs that rejects it, after some seconds. */
export async function refuseRuns(db: Queryable, runs: ToRefuse[], after_seconds = 0): Promise<void> {
  if (runs.length === 0) return
  await db`
    select from graphile_worker.add_jobs(array(
      select (
        'refuse_github_run', refused.run, null, now() + ${after_seconds} * interval '1 second', null,
        'refuse_github_run:' || refused.key, null, array['task:refuse_github_run']
      )::graphile_worker.job_spec
      from jsonb_to_recordset(${db.json(runs)}) as refused (run json, key text)
    ))
  `
}

export type NoticeTask = 'mail_hook_disabled' | 'mail_channel_disabled' | 'mail_sso_notice'

/** @param key the subject of the mails: while a user's job with this key is pending, no second one is added */
export async function mailEach<Task extends NoticeTask>(
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
