create view ops.hook_health_detail as
  select
    hook.id                                                                      as hook_id,
    organization.slug                                                            as organization,
    project.name                                                                 as project,
    hook.name                                                                    as hook,
    ops.origin(hook.url)                                                         as address,
    hook.enabled,
    hook.disabled_reason,
    coalesce(waiting.pending, 0)                                                 as pending,
    waiting.next_attempt_at,
    last_day.succeeded                                                           as succeeded_24h,
    last_day.failed                                                              as failed_24h,
    last_day.median_ms                                                           as median_ms_24h,
    last_day.last_error ->> 'code'                                               as last_error,
    ops.shown_error(last_day.last_error ->> 'detail')                            as last_error_detail,
    coalesce(receiver.failures, 0)                                               as failures,
    receiver.first_failure_at                                                    as failing_since,
    lane.sequence,
    worker.hostname || ' ' || worker.pid                                         as served_by
  from deployment_hooks as hook
  join projects as project on project.id = hook.project_id
  join organizations as organization on organization.id = hook.organization_id
  join hook_lanes as lane on lane.hook_id = hook.id
  left join hook_receivers as receiver on receiver.hook_id = hook.id
  left join workers as worker on worker.id = lane.owner_id
  left join lateral (
    select count(*) as pending, min(dispatch.next_attempt_at) as next_attempt_at
    from (
      select next_attempt_at
      from dispatches
      where hook_id = hook.id
        and status = 'pending'
      order by next_attempt_at
      limit 1000
    ) as dispatch
  ) as waiting on true
  left join lateral (
    select
      count(*) filter (where dispatch.status = 'succeeded')                      as succeeded,
      count(*) filter (where dispatch.status = 'failed')                         as failed,
      percentile_cont(0.5) within group (order by dispatch.duration_ms)          as median_ms,
      (array_agg(dispatch.error order by dispatch.created_at desc) filter (where dispatch.error is not null))[1] as last_error
    from dispatches as dispatch
    where dispatch.hook_id = hook.id
      and dispatch.created_at > now() - interval '24 hours'
  ) as last_day on true
  order by failed_24h desc, pending desc;

comment on view ops.hook_health_detail is 'Every deployment hook: what waits for it, and how its last day went. Worst first. Reads a day of dispatches, so it takes its time where there are many.';
comment on column ops.hook_health_detail.hook_id is 'The hook, as the API names it.';
comment on column ops.hook_health_detail.organization is 'Slug of its tenant.';
comment on column ops.hook_health_detail.project is 'Name of its project.';
comment on column ops.hook_health_detail.hook is 'Its name.';
comment on column ops.hook_health_detail.address is 'Origin of its URL; path and query may hold secrets.';
comment on column ops.hook_health_detail.enabled is 'Whether dispatches go out.';
comment on column ops.hook_health_detail.disabled_reason is 'Why the service switched it off; null where nobody or a person did.';
comment on column ops.hook_health_detail.pending is 'Dispatches that wait for an attempt; up to 1000 are counted.';
comment on column ops.hook_health_detail.next_attempt_at is 'When the first of them is due.';
comment on column ops.hook_health_detail.succeeded_24h is 'Dispatches of the last 24 hours that were delivered.';
comment on column ops.hook_health_detail.failed_24h is 'Dispatches of the last 24 hours that were given up.';
comment on column ops.hook_health_detail.median_ms_24h is 'Median time of the last request of each.';
comment on column ops.hook_health_detail.last_error is 'Code of the newest error in that time.';
comment on column ops.hook_health_detail.last_error_detail is 'The same in words, without what may be a secret.';
comment on column ops.hook_health_detail.failures is 'Failed attempts since the last success.';
comment on column ops.hook_health_detail.failing_since is 'When the first of those was.';
comment on column ops.hook_health_detail.sequence is 'The last number that its sequence gave.';
comment on column ops.hook_health_detail.served_by is 'Host and pid of the worker that serves its lane at this moment.';
