create or replace function ops.lane_task(kind text) returns text
  language sql immutable strict parallel safe
  as $$
    select case kind when 'hook' then 'dispatch_hook' when 'channel' then 'deliver_channel' when 'github' then 'serve_github' end
  $$;

comment on function ops.lane_task(text) is 'The task that serves lanes of a kind: hook, channel or github.';

-- It skips from one lane to the next in the index of waiting deliveries, so its cost depends on the number of lanes and not on
-- the number of deliveries.
create view ops.waiting_lanes_detail as
  with recursive waiting (lane_id) as (
    (select lane_id from deliveries order by lane_id limit 1)
    union all
    select (select lane_id from deliveries where lane_id > waiting.lane_id order by lane_id limit 1)
    from waiting
    where waiting.lane_id is not null
  )
  select lane.id, lane.organization_id, lane.kind, lane.hook_id, lane.channel_id, lane.owner_id, lane.error_code, lane.is_pull
  from waiting
  join lanes as lane on lane.id = waiting.lane_id;

comment on view ops.waiting_lanes_detail is 'Hooks and channels with waiting deliveries. Other views are built on it.';
comment on column ops.waiting_lanes_detail.id is 'The hook or channel, as in the API.';
comment on column ops.waiting_lanes_detail.organization_id is 'Its tenant.';
comment on column ops.waiting_lanes_detail.kind is 'hook or channel.';
comment on column ops.waiting_lanes_detail.hook_id is 'The same id if it is a hook.';
comment on column ops.waiting_lanes_detail.channel_id is 'The same id if it is a channel.';
comment on column ops.waiting_lanes_detail.owner_id is 'The worker that serves it now.';
comment on column ops.waiting_lanes_detail.is_pull is 'Of a pull hook: no worker serves it, and its dispatches are claimed.';
comment on column ops.waiting_lanes_detail.error_code is 'Why it could not be served the last time; null if it could.';

create view ops.lane_state_detail as
  select lane.id, lane.kind, lane.sequence, state.*
  from lanes as lane
  cross join lateral (
    with waiting as (
      select due_at
      from deliveries
      where lane_id = lane.id
      order by due_at
      limit 1000
    ),
    last_day as (
      select dispatch.status, dispatch.created_at, attempt.duration_ms, attempt.error
      from dispatches as dispatch
      left join lateral (
        select duration_ms, error
        from dispatch_attempts
        where dispatch_id = dispatch.id
        order by number desc
        limit 1
      ) as attempt on true
      where dispatch.hook_id = lane.hook_id
        and dispatch.created_at > now() - interval '24 hours'
      union all
      select message.status, message.created_at, attempt.duration_ms, attempt.error
      from channel_messages as message
      left join lateral (
        select duration_ms, error
        from channel_attempts
        where message_id = message.id
        order by number desc
        limit 1
      ) as attempt on true
      where message.channel_id = lane.channel_id
        and message.created_at > now() - interval '24 hours'
    ),
    newest_error as (
      select error
      from last_day
      where error is not null
      order by created_at desc
      limit 1
    )
    select
      (select count(*) from waiting)                                             as pending,
      (select min(due_at) from waiting)                                          as next_attempt_at,
      (select count(*) from last_day where status = 'succeeded')                 as succeeded_24h,
      (select count(*) from last_day where status = 'failed')                    as failed_24h,
      (select percentile_cont(0.5) within group (order by duration_ms) from last_day) as median_ms_24h,
      (select error ->> 'code' from newest_error)                                as last_error,
      (select ops.shown_error(error ->> 'detail') from newest_error)             as last_error_detail,
      coalesce((select health.failures from lane_health as health where health.lane_id = lane.id), 0) as failures,
      (select first_failure_at from lane_health as health where health.lane_id = lane.id) as failing_since,
      (select hostname || ' ' || pid from workers where id = lane.owner_id)      as served_by
  ) as state;

comment on view ops.lane_state_detail is 'For each hook and channel: what waits, the outcomes of the last 24 hours, and which worker serves it. ops.hook_health and ops.channel_health are built on it.';
comment on column ops.lane_state_detail.id is 'The hook or channel, as in the API.';
comment on column ops.lane_state_detail.kind is 'hook or channel.';
comment on column ops.lane_state_detail.sequence is 'The last sequence number given to a dispatch; only hooks use it.';
comment on column ops.lane_state_detail.pending is 'Dispatches or messages that wait for an attempt, counted up to 1000.';
comment on column ops.lane_state_detail.next_attempt_at is 'When the first of them is due.';
comment on column ops.lane_state_detail.succeeded_24h is 'Dispatches or messages of the last 24 hours that were delivered.';
comment on column ops.lane_state_detail.failed_24h is 'Dispatches or messages of the last 24 hours that failed.';
comment on column ops.lane_state_detail.median_ms_24h is 'Median duration of their last attempts.';
comment on column ops.lane_state_detail.last_error is 'Code of the newest error in the last 24 hours.';
comment on column ops.lane_state_detail.last_error_detail is 'The same error in words, without anything that may be a secret.';
comment on column ops.lane_state_detail.failures is 'Failed attempts since the last success. A channel is disabled after at least 20, over CHANNEL_DISABLE_SECONDS.';
comment on column ops.lane_state_detail.failing_since is 'When the first of them failed.';
comment on column ops.lane_state_detail.served_by is 'Host and pid of the worker that serves it now.';
