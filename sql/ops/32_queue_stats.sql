create view ops.queue_stats_detail as
  select
    stats.kind, stats.task, stats.ready, stats.running, stats.retrying, stats.scheduled, stats.failed, stats.oldest_ready_at,
    round(extract(epoch from now() - stats.oldest_ready_at), 1)                  as oldest_ready_seconds,
    round(extract(epoch from now() - stats.longest_running_at), 1)               as longest_running_seconds,
    stats.estimated,
    exists (select from ops.pauses where flag = 'task:' || stats.task and (until is null or until > now())) as paused
  from (
    select
      'job'                                                                      as kind,
      task.task,
      greatest(coalesce(counts.ready, 0), (oldest.run_at is not null)::integer)  as ready,
      coalesce(running.count, 0)                                                 as running,
      coalesce(counts.retrying, 0)                                               as retrying,
      coalesce(counts.scheduled, 0)                                              as scheduled,
      coalesce(failed.count, 0)                                                  as failed,
      oldest.run_at                                                              as oldest_ready_at,
      running.since                                                              as longest_running_at,
      coalesce(counts.estimated, false)                                          as estimated
    from queue.tasks as task
    left join lateral (
      select run_at
      from queue.waiting_jobs
      where task_id = task.id
        and run_at <= now()
      order by run_at
      limit 1
    ) as oldest on true
    left join (
      select task, sum(ready) as ready, sum(retrying) as retrying, sum(scheduled) as scheduled, bool_or(estimated) as estimated
      from ops.job_counts
      group by task
    ) as counts on counts.task = task.task
    left join (
      select task_id, count(*), min(locked_at) as since from queue.jobs where locked_at is not null group by task_id
    ) as running on running.task_id = task.id
    left join (
      select task_id, count(*)
      from (select task_id from queue.failed_jobs limit 10000) as capped
      group by task_id
    ) as failed on failed.task_id = task.id

    union all
    select
      batch.kind, batch.task, coalesce(waiting.due, 0), coalesce(waiting.in_progress, 0), coalesce(waiting.later, 0), 0,
      coalesce(failed.count, 0), waiting.oldest_due_at, null, coalesce(waiting.estimated, false)
    from (
      values
        ('event', 'drain_outbox'), ('dispatch', 'dispatch_hook'), ('message', 'deliver_channel'), ('request', 'serve_github')
    ) as batch (kind, task)
    left join (
      select
        kind, sum(due) as due, sum(later) as later, count(*) filter (where in_progress) as in_progress,
        min(oldest_due_at) as oldest_due_at, bool_or(estimated) as estimated
      from ops.backlog_detail
      where kind <> 'job'
      group by kind
    ) as waiting on waiting.kind = batch.kind
    left join (
      select kind, count(*)
      from ops.failed_jobs_detail
      where kind <> 'job'
      group by kind
    ) as failed on failed.kind = batch.kind
  ) as stats
  order by stats.ready desc, stats.failed desc, stats.task, stats.kind;

comment on view ops.queue_stats_detail is 'How much work of each kind is in which state, and how long the oldest has waited.';
comment on column ops.queue_stats_detail.kind is 'What is counted: job, event, dispatch, message or request.';
comment on column ops.queue_stats_detail.task is 'The task that processes it; task:<name> pauses it.';
comment on column ops.queue_stats_detail.ready is 'Due now; a lower bound if estimated is true.';
comment on column ops.queue_stats_detail.running is 'Jobs that run; for dispatches and messages, the hooks and channels that are being served.';
comment on column ops.queue_stats_detail.retrying is 'Failed before and due later.';
comment on column ops.queue_stats_detail.scheduled is 'Due later for the first time.';
comment on column ops.queue_stats_detail.failed is 'Failed permanently, as in ops.failed_jobs. Jobs are counted up to 10000.';
comment on column ops.queue_stats_detail.oldest_ready_at is 'Since when the oldest ready work has been due.';
comment on column ops.queue_stats_detail.oldest_ready_seconds is 'How long that one has waited.';
comment on column ops.queue_stats_detail.longest_running_seconds is 'How long the job that has run longest has been running.';
comment on column ops.queue_stats_detail.estimated is 'Whether ready, retrying and scheduled are not exact: estimated from a sample of a large queue, or not counted to the end.';
comment on column ops.queue_stats_detail.paused is 'Whether the task is paused.';
