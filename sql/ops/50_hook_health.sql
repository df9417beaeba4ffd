create view ops.hook_health_detail as
  select
    hook.id                                                                      as hook_id,
    organization.slug                                                            as organization,
    project.name                                                                 as project,
    hook.name                                                                    as hook,
    ops.origin(hook.url)                                                         as address,
    hook.enabled,
    hook.disabled_reason,
    state.pending,
    state.next_attempt_at,
    state.succeeded_24h,
    state.failed_24h,
    state.median_ms_24h,
    state.last_error,
    state.last_error_detail,
    state.failures,
    state.failing_since,
    state.sequence,
    state.served_by
  from deployment_hooks as hook
  join projects as project on project.id = hook.project_id
  join organizations as organization on organization.id = hook.organization_id
  join ops.lane_state_detail as state on state.id = hook.id
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
