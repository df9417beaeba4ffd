create view ops.jobs_detail as
  select
    work.id, work.kind, work.task, work.organization_id,
    organization.slug                                                            as organization,
    work.state, work.key, work.event, work.run_at, work.attempts, work.max_attempts, work.locked_at, work.locked_by,
    work.error,
    case
      when work.state <> 'running' and (work.kind <> 'event' or work.state = 'retrying')
        then format('select * from ops.retry(array[%L]);', work.id)
    end as retry_sql,
    case
      when work.state <> 'running' then format('select * from ops.discard(array[%L], %L);', work.id, 'not wanted')
    end as discard_sql
  from (
    select
      job.id::text                                                               as id,
      'job'                                                                      as kind,
      job.task,
      ops.tenant_of(job.tenant) as organization_id,
      job.state,
      job.key,
      null                                                                       as event,
      job.run_at,
      job.attempts::integer                                                      as attempts,
      job.max_attempts::integer                                                  as max_attempts,
      job.locked_at,
      worker.hostname || ' ' || worker.pid                                       as locked_by,
      ops.shown_error(job.last_error)                                            as error
    from queue.jobs as job
    left join workers as worker on worker.pool_id = job.locked_by

    union all
    select
      id::text, 'event', 'drain_outbox', organization_id, case when failed_at is null then 'ready' else 'retrying' end,
      null, event.name, coalesce(retry_at, waiting.created_at), attempts, null, null, null, error
    from waiting_events as waiting
    join outbox as event using (id, organization_id)

    union all
    select
      delivery.id::text, waiting.kind, waiting.task, delivery.organization_id,
      case when delivery.due_at <= now() then 'ready' when delivery.attempt_count > 0 then 'retrying' else 'scheduled' end,
      null, waiting.event, delivery.due_at, delivery.attempt_count, waiting.max_attempts, null, null, waiting.error_code
    from deliveries as delivery
    cross join lateral (
      select
        'dispatch' as kind, 'dispatch_hook' as task, dispatch.event, dispatch.max_attempts,
        (
          select attempt.error ->> 'code'
          from dispatch_attempts as attempt
          where attempt.dispatch_id = delivery.id
            and attempt.number = delivery.attempt_count
        ) as error_code
      from dispatches as dispatch
      where dispatch.id = delivery.id
      union all
      select
        'message', 'deliver_channel', message.event, message.max_attempts,
        (
          select attempt.error ->> 'code'
          from channel_attempts as attempt
          where attempt.message_id = delivery.id
            and attempt.number = delivery.attempt_count
        )
      from channel_messages as message
      where message.id = delivery.id
    ) as waiting

    union all
    select
      entry.id::text, entry.kind, ops.lane_task(lane.kind),
      entry.organization_id, 'failed', null, entry.event, entry.completed_at, finished.attempt_count, finished.max_attempts,
      null, null, finished.error ->> 'code'
    from unsuccessful_deliveries as entry
    join lanes as lane on lane.id = entry.lane_id
    cross join lateral (
      select attempt_count, max_attempts, error from dispatches where id = entry.id
      union all
      select attempt_count, max_attempts, error from channel_messages where id = entry.id
    ) as finished
    where entry.status = 'failed'
      and entry.completed_at > now() - interval '24 hours'
  ) as work
  left join organizations as organization on organization.id = work.organization_id;

comment on view ops.jobs_detail is 'All work, one row each: jobs of the queue, events that are not fanned out, dispatches and messages that wait or failed within 24 hours. The job of a hook or channel serves everything that waits for it. Reads the whole queue: with a million rows this takes seconds, unless there is a limit. ops.queue_stats, ops.failed_jobs, ops.stuck_jobs and ops.backlog stay fast.';
comment on column ops.jobs_detail.id is 'As ops.retry and ops.discard take it: the number of a job, or the id of an event, dispatch or message.';
comment on column ops.jobs_detail.kind is 'job, event, dispatch or message.';
comment on column ops.jobs_detail.task is 'The task.';
comment on column ops.jobs_detail.organization_id is 'The tenant that it belongs to; null for work of the whole service or of one user.';
comment on column ops.jobs_detail.organization is 'The slug of the tenant.';
comment on column ops.jobs_detail.state is 'running, ready (due now), scheduled (due later), retrying (failed before), failed (permanently).';
comment on column ops.jobs_detail.key is 'The queue holds one job per key, such as dispatch_hook:<hook id>.';
comment on column ops.jobs_detail.event is 'The name of the event.';
comment on column ops.jobs_detail.run_at is 'When it is due; for failed work, when it failed.';
comment on column ops.jobs_detail.attempts is 'How many attempts were started.';
comment on column ops.jobs_detail.max_attempts is 'How many attempts it may have; null if there is no limit.';
comment on column ops.jobs_detail.locked_at is 'Since when it has been running.';
comment on column ops.jobs_detail.locked_by is 'Host and pid of the worker that runs it.';
comment on column ops.jobs_detail.error is 'For a job the first line of its last error, without anything that may be a payload or a secret; otherwise the code of the error.';
comment on column ops.jobs_detail.retry_sql is 'Paste this to retry it now.';
comment on column ops.jobs_detail.discard_sql is 'Paste this to discard it: a job is deleted, an event is skipped, a dispatch or message is cancelled.';
