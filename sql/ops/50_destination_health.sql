create view ops.hook_health_detail as
  select
    hook.id                                                                      as hook_id,
    organization.slug                                                            as organization,
    project.name                                                                 as project,
    hook.name                                                                    as hook,
    ops.origin(hook.url)                                                         as address,
    hook.enabled, hook.disabled_reason, state.pending, state.next_attempt_at, state.succeeded_24h, state.failed_24h,
    state.median_ms_24h, state.last_error, state.last_error_detail, state.failures, state.failing_since, state.sequence,
    state.served_by
  from deployment_hooks as hook
  join projects as project on project.id = hook.project_id
  join organizations as organization on organization.id = hook.organization_id
  join ops.lane_state_detail as state on state.id = hook.id
  order by failed_24h desc, pending desc;

comment on view ops.hook_health_detail is 'Every deployment hook: what waits for it, and the outcomes of its last 24 hours. Worst first. Reads a day of dispatches, which takes long if there are many.';
comment on column ops.hook_health_detail.hook_id is 'The hook, as in the API.';
comment on column ops.hook_health_detail.organization is 'The slug of its tenant.';
comment on column ops.hook_health_detail.project is 'The name of its project.';
comment on column ops.hook_health_detail.hook is 'Its name.';
comment on column ops.hook_health_detail.address is 'Origin of its URL; path and query may contain secrets.';
comment on column ops.hook_health_detail.enabled is 'Whether dispatches are sent.';
comment on column ops.hook_health_detail.disabled_reason is 'Why Signalbox disabled it; null if it is enabled, or a user disabled it.';

create view ops.channel_health_detail as
  select
    channel.id                                                                   as channel_id,
    organization.slug                                                            as organization,
    workspace.name                                                               as workspace,
    channel.name                                                                 as channel,
    channel.channel_type,
    coalesce(ops.origin(channel.config ->> 'url'), channel.config ->> 'smtp_host') as address,
    channel.enabled, channel.disabled_reason, state.pending, state.next_attempt_at, state.succeeded_24h, state.failed_24h,
    state.median_ms_24h, state.last_error, state.last_error_detail, state.failures, state.failing_since, state.served_by
  from notification_channels as channel
  join workspaces as workspace on workspace.id = channel.workspace_id
  join organizations as organization on organization.id = channel.organization_id
  join ops.lane_state_detail as state on state.id = channel.id
  order by failed_24h desc, pending desc;

comment on view ops.channel_health_detail is 'Every notification channel: what waits for it, and the outcomes of its last 24 hours. Worst first. Reads a day of messages, which takes long if there are many.';
comment on column ops.channel_health_detail.channel_id is 'The channel, as in the API.';
comment on column ops.channel_health_detail.organization is 'The slug of its tenant.';
comment on column ops.channel_health_detail.workspace is 'The name of its workspace.';
comment on column ops.channel_health_detail.channel is 'Its name.';
comment on column ops.channel_health_detail.channel_type is 'Its type, such as slack.';
comment on column ops.channel_health_detail.address is 'Origin of its URL, or its mail server; null if the whole address is a secret.';
comment on column ops.channel_health_detail.enabled is 'Whether messages are sent.';
comment on column ops.channel_health_detail.disabled_reason is 'Why Signalbox disabled it; null if it is enabled, or a user disabled it.';
