-- Each `with recursive` skips from one tenant to the next in an index of waiting work, so the cost of the view depends on the
-- number of tenants and not on the amount of work.
create view ops.backlog_detail as
  with recursive
    tenants (organization_id) as (
      (select organization_id from waiting_events order by organization_id limit 1)
      union all
      select (
        select organization_id
        from waiting_events
        where organization_id > tenants.organization_id
        order by organization_id
        limit 1
      )
      from tenants
      where tenants.organization_id is not null
    ),
    waiting_lanes as materialized (select * from ops.waiting_lanes_detail),
    -- How far each tenant or lane is counted: further if there are few, so that the total cost stays the same.
    most (kind, count) as (
      select 'event', greatest(20, 10000 / greatest(1, count(*))) from tenants
      union all
      select 'delivery', greatest(20, 10000 / greatest(1, count(*))) from waiting_lanes
    ),
    jobs (tenant, task_id) as (
      (select tenant, task_id from queue.waiting_jobs order by tenant, task_id limit 1)
      union all
      select next.tenant, next.task_id
      from jobs
      cross join lateral (
        select tenant, task_id
        from queue.waiting_jobs
        where (tenant, task_id) > (jobs.tenant, jobs.task_id)
        order by tenant, task_id
        limit 1
      ) as next
    )
  select
    waiting.kind, waiting.task, waiting.organization_id,
    organization.slug                                                            as organization,
    waiting.lane_id, waiting.lane, waiting.due, waiting.later,
    case
      when waiting.kind = 'job' then waiting.estimated
      else waiting.due + waiting.later >= (
        select count from most where most.kind = case waiting.kind when 'event' then 'event' else 'delivery' end
      )
    end                                                                          as estimated,
    waiting.oldest_due_at,
    round(extract(epoch from now() - waiting.oldest_due_at), 1)                  as oldest_due_seconds,
    waiting.in_progress,
    coalesce(
      (
        select flag
        from ops.pauses
        where flag in ('org:' || waiting.organization_id, 'task:' || waiting.task)
          and (until is null or until > now())
        order by flag
        limit 1
      ),
      case when organization.deleted_at is not null and waiting.task <> 'purge_organization' then 'organization deleted' end,
      waiting.held_by
    )                                                                            as held_by
  from (
    select
      'event' as kind, 'drain_outbox' as task, tenants.organization_id, null::uuid as lane_id, null as lane,
      events.due, events.later, oldest.created_at as oldest_due_at, false as in_progress, null as held_by, false as estimated
    from tenants
    left join lateral (
      select created_at
      from waiting_events
      where organization_id = tenants.organization_id
        and failed_at is null
      order by id
      limit 1
    ) as oldest on true
    cross join lateral (
      select count(*) filter (where failed_at is null) as due, count(*) filter (where failed_at is not null) as later
      from (
        select failed_at
        from waiting_events
        where organization_id = tenants.organization_id
        order by id
        limit (select count from most where kind = 'event')
      ) as capped
    ) as events
    where tenants.organization_id is not null

    union all
    select
      case lane.kind when 'hook' then 'dispatch' else 'message' end,
      ops.lane_task(lane.kind),
      lane.organization_id, lane.id, coalesce(hook.name, channel.name),
      counted.due, counted.later, oldest.due_at,
      worker.id is not null
        or coalesce(greatest(health.last_success_at, health.last_failure_at) > now() - interval '2 minutes', false),
      case
        when not coalesce(hook.enabled, channel.enabled)
          then case lane.kind when 'hook' then 'hook disabled' else 'channel disabled' end
        when hook.paused then 'hook paused'
        when health.held_until > now() then 'asked to wait'
      end,
      false
    from waiting_lanes as lane
    left join deployment_hooks as hook on hook.id = lane.hook_id
    left join notification_channels as channel on channel.id = lane.channel_id
    left join lane_health as health on health.lane_id = lane.id
    left join workers as worker on worker.id = lane.owner_id and process_status(worker.seen_at) <> 'dead'
    left join lateral (
      select due_at
      from deliveries
      where lane_id = lane.id
        and due_at <= now()
      order by due_at
      limit 1
    ) as oldest on true
    cross join lateral (
      select count(*) filter (where is_due) as due, count(*) filter (where not is_due) as later
      from (values (true, '-infinity'::timestamptz, now()), (false, now(), 'infinity')) as span (is_due, since, until)
      cross join lateral (
        select
        from deliveries
        where lane_id = lane.id
          and due_at > span.since
          and due_at <= span.until
        order by due_at
        limit (select count from most where kind = 'delivery')
      ) as capped
    ) as counted

    union all
    select
      'request', ops.lane_task(lane.kind), lane.organization_id, lane.id, installation.account_login,
      counted.due, counted.later, counted.oldest_due_at, worker.id is not null,
      case
        when installation.status <> 'active' then 'installation ' || installation.status
        when health.held_until > now() then 'asked to wait'
      end,
      false
    from github_installations as installation
    join lanes as lane on lane.id = installation.id
    left join lane_health as health on health.lane_id = lane.id
    left join workers as worker on worker.id = lane.owner_id and process_status(worker.seen_at) <> 'dead'
    cross join lateral (
      select
        count(*) filter (where due_at <= now()) as due, count(*) filter (where due_at > now()) as later,
        min(due_at) filter (where due_at <= now()) as oldest_due_at
      from (
        select due_at
        from github_requests
        where lane_id = lane.id and due_at is not null
        order by due_at
        limit (select count from most where kind = 'delivery')
      ) as capped
    ) as counted
    where counted.due + counted.later > 0

    union all
    select
      'job', task.task, ops.tenant_of(jobs.tenant), null, null,
      case when oldest.run_at is null then 0 else greatest(1, counts.ready) end,
      case
        when oldest.run_at is null then greatest(1, counts.retrying + counts.scheduled)
        else coalesce(counts.retrying + counts.scheduled, 0)
      end,
      oldest.run_at,
      coalesce(oldest.waits_for_queue, false),
      null,
      coalesce(counts.estimated, false)
    from jobs
    join queue.tasks as task on task.id = jobs.task_id
    left join lateral (
      select run_at, waits_for_queue
      from queue.waiting_jobs
      where tenant = jobs.tenant
        and task_id = jobs.task_id
        and run_at <= now()
      order by run_at
      limit 1
    ) as oldest on true
    left join ops.job_counts as counts
      on counts.task = task.task
      and counts.tenant = jobs.tenant
  ) as waiting
  left join organizations as organization on organization.id = waiting.organization_id;

comment on view ops.backlog_detail is 'All waiting work, by tenant and kind: events by tenant, dispatches by hook, messages by channel, requests by installation at GitHub, jobs by task. Takes about 0.1 ms per row, however much waits behind each.';
comment on column ops.backlog_detail.kind is 'event (not fanned out yet), dispatch (to a hook), message (to a channel), request (of GitHub), job (of the queue).';
comment on column ops.backlog_detail.task is 'The task that processes it; task:<name> pauses it.';
comment on column ops.backlog_detail.organization_id is 'The tenant; null for work of the whole service or of one user.';
comment on column ops.backlog_detail.organization is 'The slug of the tenant.';
comment on column ops.backlog_detail.lane_id is 'The hook, channel or installation that it goes to.';
comment on column ops.backlog_detail.lane is 'The name of the hook or channel, or the account of the installation.';
comment on column ops.backlog_detail.due is 'How much is due now. Events are counted per tenant, dispatches per hook and messages per channel, each up to 10000 divided by the number of those that wait. Jobs are counted or estimated as in ops.job_counts.';
comment on column ops.backlog_detail.later is 'How much is due later: retries, scheduled work, and events that could not be fanned out. Counted in the same way.';
comment on column ops.backlog_detail.estimated is 'Whether due and later are not exact: not counted to the end, or estimated.';
comment on column ops.backlog_detail.oldest_due_at is 'Since when the oldest of it has been due.';
comment on column ops.backlog_detail.oldest_due_seconds is 'How long that one has waited.';
comment on column ops.backlog_detail.in_progress is 'Whether it is being processed, one after the other: a live worker serves the hook or channel, or its receiver was called within two minutes, or the job waits behind a running job of its tenant. More workers would not help.';
comment on column ops.backlog_detail.held_by is 'Why it is held back on purpose: the flag of a pause, a disabled or paused hook or channel, a chat tool that asked to wait, a deleted organization. Null if nothing holds it back.';
