create view ops.channel_health_detail as
  select
    channel.id                                                                   as channel_id,
    organization.slug                                                            as organization,
    workspace.name                                                               as workspace,
    channel.name                                                                 as channel,
    channel.channel_type,
    coalesce(ops.origin(channel.config ->> 'url'), channel.config ->> 'smtp_host') as address,
    channel.enabled,
    channel.disabled_reason,
    state.pending,
    state.next_attempt_at,
    state.succeeded_24h,
    state.failed_24h,
    state.median_ms_24h,
    state.last_error,
    state.last_error_detail,
    state.failures,
    state.failing_since,
    state.served_by
  from notification_channels as channel
  join workspaces as workspace on workspace.id = channel.workspace_id
  join organizations as organization on organization.id = channel.organization_id
  join ops.lane_state_detail as state on state.id = channel.id
  order by failed_24h desc, pending desc;

comment on view ops.channel_health_detail is 'Every notification channel: what waits for it, and how its last day went. Worst first. Reads a day of messages, so it takes its time where there are many.';
comment on column ops.channel_health_detail.channel_id is 'The channel, as the API names it.';
comment on column ops.channel_health_detail.organization is 'Slug of its tenant.';
comment on column ops.channel_health_detail.workspace is 'Name of its workspace.';
comment on column ops.channel_health_detail.channel is 'Its name.';
comment on column ops.channel_health_detail.channel_type is 'slack, teams, feishu, webhook or email.';
comment on column ops.channel_health_detail.address is 'Origin of its URL, or its mail server; null where the whole address is a secret.';
comment on column ops.channel_health_detail.enabled is 'Whether messages go out.';
comment on column ops.channel_health_detail.disabled_reason is 'Why the service switched it off; null where nobody or a person did.';
comment on column ops.channel_health_detail.pending is 'Messages that wait for an attempt; up to 1000 are counted.';
comment on column ops.channel_health_detail.next_attempt_at is 'When the first of them is due.';
comment on column ops.channel_health_detail.succeeded_24h is 'Messages of the last 24 hours that were delivered.';
comment on column ops.channel_health_detail.failed_24h is 'Messages of the last 24 hours that were given up.';
comment on column ops.channel_health_detail.median_ms_24h is 'Median time of the last attempt of each.';
comment on column ops.channel_health_detail.last_error is 'Code of the newest error in that time.';
comment on column ops.channel_health_detail.last_error_detail is 'The same in words, without what may be a secret.';
comment on column ops.channel_health_detail.failures is 'Failed attempts since the last success; 20 over a day switch it off.';
comment on column ops.channel_health_detail.failing_since is 'When the first of those began.';
comment on column ops.channel_health_detail.served_by is 'Host and pid of the worker that serves it at this moment.';
