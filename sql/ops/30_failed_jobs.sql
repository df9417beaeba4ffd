create view ops.failed_jobs_detail as
  select
    failed.kind, failed.id, failed.task, failed.organization_id,
    organization.slug                                                            as organization,
    failed.destination, failed.failed_at, failed.attempts, failed.error,
    format('select * from ops.retry(array[%L]);', failed.id)                     as retry_sql,
    format('select * from ops.discard(array[%L], %L);', failed.id, 'given up')   as discard_sql
  from (
    select
      'job'                                                                      as kind,
      job.id::text                                                               as id,
      job.task,
      ops.tenant_of(job.tenant)                                                  as organization_id,
      null                                                                       as destination,
      greatest(job.updated_at, job.run_at - exp(least(job.attempts, 10)) * interval '1 second') as failed_at,
      job.attempts::integer                                                      as attempts,
      ops.shown_error(job.last_error)                                            as error
    from (
      -- The limit also tells the planner that there are few; otherwise it may plan to read the whole queue.
      select id, task, tenant, updated_at, run_at, attempts, last_error from queue.failed_jobs limit 10000
    ) as job

    union all
    select 'event', id::text, 'drain_outbox', organization_id, null, failed_at, attempts, error
    from waiting_events
    where failed_at is not null

    union all
    select
      entry.kind, entry.id::text, ops.lane_task(lane.kind),
      entry.organization_id, coalesce(hook.name, channel.name), entry.completed_at, finished.attempt_count,
      concat_ws(' ', finished.error ->> 'code', finished.response_status)
    from unsuccessful_deliveries as entry
    join lanes as lane on lane.id = entry.lane_id
    left join deployment_hooks as hook on hook.id = entry.lane_id
    left join notification_channels as channel on channel.id = entry.lane_id
    cross join lateral (
      select
        attempt_count, error,
        (
          select response_status
          from dispatch_attempts
          where dispatch_id = dispatch.id
            and number = dispatch.attempt_count
        ) as response_status
      from dispatches as dispatch
      where dispatch.id = entry.id
      union all
      select
        attempt_count, error,
        (select response_status from channel_attempts where message_id = message.id and number = message.attempt_count)
      from channel_messages as message
      where message.id = entry.id
    ) as finished
    where entry.status = 'failed'
      and entry.completed_at > now() - interval '24 hours'
      and entry.event <> 'test.ping'
      -- A redelivery reports its own outcome.
      and not exists (
        select
        from dispatches as newer
        where newer.redelivery_of = entry.first_id
          and newer.id > entry.id
      )
  ) as failed
  left join organizations as organization on organization.id = failed.organization_id
  where organization.deleted_at is null
  order by failed.failed_at desc;

comment on view ops.failed_jobs_detail is 'Work that failed permanently, newest first: jobs that were neither retried nor discarded yet (at most 10000 of them), events that could not be fanned out, and dispatches and messages that failed in the last 24 hours, without tests. Takes longer the more there are.';
comment on column ops.failed_jobs_detail.kind is 'job, event, dispatch or message.';
comment on column ops.failed_jobs_detail.id is 'As ops.retry and ops.discard take it: the number of the job, or the id of the event, dispatch or message.';
comment on column ops.failed_jobs_detail.task is 'The task.';
comment on column ops.failed_jobs_detail.organization_id is 'The tenant; null for work of the whole service or of one user.';
comment on column ops.failed_jobs_detail.organization is 'The slug of the tenant.';
comment on column ops.failed_jobs_detail.destination is 'Name of the hook or channel.';
comment on column ops.failed_jobs_detail.failed_at is 'When it failed permanently; for an event, when it failed first.';
comment on column ops.failed_jobs_detail.attempts is 'How many attempts were made.';
comment on column ops.failed_jobs_detail.error is 'For a job the first line of its error, without anything that may be a payload or a secret; otherwise the code of the error and the status of the response.';
comment on column ops.failed_jobs_detail.retry_sql is 'Paste this to retry it now. A dispatch is redelivered as a new one; a message gets three more attempts. Events are also retried automatically, at least every hour.';
comment on column ops.failed_jobs_detail.discard_sql is 'Paste this to discard it: a job is deleted, an event is skipped, a dispatch or message is cancelled.';
