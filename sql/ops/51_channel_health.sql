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
    coalesce(waiting.pending, 0)                                                 as pending,
    waiting.next_attempt_at,
    last_day.succeeded                                                           as succeeded_24h,
    last_day.failed                                                              as failed_24h,
    last_day.median_ms                                                           as median_ms_24h,
    last_day.last_error ->> 'code'                                               as last_error,
    ops.shown_error(last_day.last_error ->> 'detail')                            as last_error_detail,
    lane.failures,
    lane.failing_since,
    worker.hostname || ' ' || worker.pid                                         as served_by
  from notification_channels as channel
  join workspaces as workspace on workspace.id = channel.workspace_id
  join organizations as organization on organization.id = channel.organization_id
  join channel_lanes as lane on lane.channel_id = channel.id
  left join workers as worker on worker.id = lane.owner_id
  left join lateral (
    select count(*) as pending, min(message.next_attempt_at) as next_attempt_at
    from (
      select next_attempt_at
      from channel_messages
      where channel_id = channel.id
        and status = 'pending'
      order by next_attempt_at
      limit 1000
    ) as message
  ) as waiting on true
  left join lateral (
    select
      count(*) filter (where message.status = 'succeeded')                       as succeeded,
      count(*) filter (where message.status = 'failed')                          as failed,
      percentile_cont(0.5) within group (order by message.duration_ms)           as median_ms,
      (array_agg(message.error order by message.created_at desc) filter (where message.error is not null))[1] as last_error
    from channel_messages as message
    where message.channel_id = channel.id
      and message.created_at > now() - interval '24 hours'
  ) as last_day on true
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
