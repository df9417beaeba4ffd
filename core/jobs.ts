/** Jobs: the payload of every task, and the only SQL that names graphile_worker. */
import type { Queryable } from '../sql/index.ts'

/** Payloads carry ids and nothing else: a job looks again at what it works on, and may run twice. */
export interface Tasks {
  drain_outbox: Record<string, never>
  dispatch_hook: { hook_id: string }
  mail_verification: { user_id: string }
  mail_hook_disabled: { hook_id: string }
  forget_expired: Record<string, never>
}

/** Adds a job for one tenant-less piece of work, as part of the open transaction. */
export async function addJob<Task extends keyof Tasks>(db: Queryable, task: Task, payload: Tasks[Task]): Promise<void> {
  await db`select from graphile_worker.add_job(${task}, ${db.json(payload)})`
}

/** Asks for a drain. One that has not begun yet serves everybody. */
export async function wakeDrain(db: Queryable): Promise<void> {
  await db`select from graphile_worker.add_job('drain_outbox', '{}', job_key := 'drain_outbox', priority := -10)`
}

/**
 * Wakes the lanes of hooks now, all in one statement. A job of that hook that waits for a later moment
 * is moved to now.
 */
export async function wakeLanes(db: Queryable, hooks: { hook_id: string; organization_id: string }[]): Promise<void> {
  if (hooks.length === 0) return
  const specs = hooks.map(({ hook_id, organization_id }) => ({
    identifier: 'dispatch_hook',
    payload: { hook_id },
    jobKey: `dispatch_hook:${hook_id}`,
    flags: [`org:${organization_id}`],
  }))
  await db`
    select from graphile_worker.add_jobs(
      (select array_agg(
        json_populate_record(null::graphile_worker.job_spec, json_build_object(
          'identifier', spec ->> 'identifier',
          'payload', spec -> 'payload',
          'job_key', spec ->> 'jobKey',
          'flags', (select array_agg(flag) from json_array_elements_text(spec -> 'flags') as flag)
        ))
      ) from json_array_elements(${db.json(specs)}::json) as spec)
    )
  `
}

/** Unlocks the jobs of workers that died, so that others run them at once instead of after four hours. */
export async function unlockWorkers(db: Queryable, pool_ids: string[]): Promise<void> {
  await db`select from graphile_worker.force_unlock_workers(${pool_ids}::text[])`
}

/** Wakes one lane at a later moment; a job that already waits for an earlier one is left as it is. */
export async function wakeLaneAt(db: Queryable, hook_id: string, organization_id: string, run_at: string): Promise<void> {
  await db`
    select from graphile_worker.add_job(
      'dispatch_hook',
      ${db.json({ hook_id })},
      run_at := ${run_at},
      job_key := ${`dispatch_hook:${hook_id}`},
      flags := ${[`org:${organization_id}`]}::text[],
      job_key_mode := 'preserve_run_at'
    )
  `
}
