-- Each `with recursive` jumps from one hook or channel to the next in an index of what waits, as in ops.backlog.
create view ops.stranded_detail as
  with recursive
    hooks (hook_id) as (
      (select hook_id from dispatches where status = 'pending' order by hook_id limit 1)
      union all
      select (select hook_id from dispatches where status = 'pending' and hook_id > hooks.hook_id order by hook_id limit 1)
      from hooks
      where hooks.hook_id is not null
    ),
    channels (channel_id) as (
      (select channel_id from channel_messages where status = 'pending' order by channel_id limit 1)
      union all
      select (
        select channel_id
        from channel_messages
        where status = 'pending'
          and channel_id > channels.channel_id
        order by channel_id
        limit 1
      )
      from channels
      where channels.channel_id is not null
    ),
    due (kind, id, name, organization_id, due_at, owner_id, fault, job_key) as (
      select
        'hook', hook.id, hook.name, hook.organization_id, oldest.due_at, lane.owner_id, lane.fault, 'dispatch_hook:' || hook.id
      from hooks
      join deployment_hooks as hook on hook.id = hooks.hook_id
      join hook_lanes as lane on lane.hook_id = hook.id
      cross join lateral (
        -- A hook that is paused sends tests alone; of one that is disabled everything else is to be cancelled.
        select min(next_attempt_at) as due_at
        from (
          (
            select next_attempt_at
            from dispatches
            where not (hook.enabled and hook.paused)
              and hook_id = hook.id
              and status = 'pending'
            order by next_attempt_at
            limit 1
          )
          union all
          (
            select next_attempt_at
            from dispatches
            where hook.enabled
              and hook.paused
              and hook_id = hook.id
              and status = 'pending'
              and event = 'test.ping'
            order by next_attempt_at
            limit 1
          )
        ) as first
      ) as oldest

      union all
      select
        'channel', channel.id, channel.name, channel.organization_id, greatest(oldest.due_at, lane.held_until), lane.owner_id, lane.fault,
        'deliver_channel:' || channel.id
      from channels
      join notification_channels as channel on channel.id = channels.channel_id
      join channel_lanes as lane on lane.channel_id = channel.id
      cross join lateral (
        select next_attempt_at as due_at
        from channel_messages
        where channel_id = channel.id
          and status = 'pending'
        order by next_attempt_at
        limit 1
      ) as oldest
    )
  select
    due.kind,
    due.id,
    due.name,
    organization.slug                                                            as organization,
    due.due_at,
    round(extract(epoch from now() - due.due_at), 1)                             as due_seconds,
    coalesce(due.fault, 'not_woken')                                             as why,
    case when due.fault is null then 'select * from ops.wake_stranded();' end    as wake_sql
  from due
  join organizations as organization
    on organization.id = due.organization_id
    and organization.deleted_at is null
  where due.due_at < now() - interval '1 minute'
    and (
      due.fault is not null
      or due.owner_id is null
      -- A job that is about to run, or that a live worker runs.
      and not exists (
        select
        from graphile_worker._private_jobs as job
        where job.key = due.job_key
          and case
            when job.locked_at is null then job.attempts < job.max_attempts and job.run_at < now() + interval '1 minute'
            else exists (select from workers where pool_id = job.locked_by)
          end
      )
      -- What a request writes is woken by the drain of its event. Until then it is the outbox that lags.
      and coalesce(due.due_at < (
        select created_at
        from outbox
        where organization_id = due.organization_id
          and drained_at is null
          and failed_at is null
        order by id
        limit 1
      ), true)
    );

comment on view ops.stranded_detail is 'Hooks and channels that have been due for over a minute and that no worker can or will serve. Empty is healthy: workers look every minute for those that nobody was woken for. Costs by how many hooks and channels have something waiting.';
comment on column ops.stranded_detail.kind is 'hook or channel.';
comment on column ops.stranded_detail.id is 'The hook or channel, as the API names it.';
comment on column ops.stranded_detail.name is 'Its name.';
comment on column ops.stranded_detail.organization is 'Slug of its tenant.';
comment on column ops.stranded_detail.due_at is 'Since when the oldest of what waits for it has been due.';
comment on column ops.stranded_detail.due_seconds is 'For how long.';
comment on column ops.stranded_detail.why is 'not_woken (no job is there to serve it), secret_unreadable (no key of SECRETS_KEY opens its secret), delivery_error (a bug: the log of the workers has the error).';
comment on column ops.stranded_detail.wake_sql is 'Paste this to have it served now; null where that does not help.';
