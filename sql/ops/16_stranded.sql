create view ops.stranded_detail as
  with due as (
    select
      lane.kind, lane.id, lane.organization_id, lane.owner_id, lane.error_code, coalesce(hook.name, channel.name) as name,
      greatest(oldest.due_at, health.held_until)                                  as due_at,
      ops.lane_task(lane.kind) || ':' || lane.id                                  as job_key
    from ops.waiting_lanes_detail as lane
    left join deployment_hooks as hook on hook.id = lane.hook_id
    left join notification_channels as channel on channel.id = lane.channel_id
    left join lane_health as health on health.lane_id = lane.id
    cross join lateral (
      -- A paused hook sends tests only. A disabled hook has to be served as well: its deliveries are cancelled.
      select min(due_at) as due_at
      from (
        (
          select due_at
          from deliveries
          where not coalesce(hook.enabled and hook.paused, false)
            and lane_id = lane.id
          order by due_at
          limit 1
        )
        union all
        (
          select min(due_at)
          from deliveries
          where hook.enabled
            and hook.paused
            and lane_id = lane.id
            and is_test
        )
      ) as first
    ) as oldest
    -- What waits to be claimed is not stranded.
    where not lane.is_pull

    union all
    select
      lane.kind, lane.id, lane.organization_id, lane.owner_id, lane.error_code, installation.account_login,
      greatest(oldest.due_at, health.held_until), ops.lane_task(lane.kind) || ':' || lane.id
    from github_installations as installation
    join lanes as lane on lane.id = installation.id
    left join lane_health as health on health.lane_id = lane.id
    cross join lateral (
      select due_at
      from github_requests
      where lane_id = lane.id and due_at is not null
      order by due_at
      limit 1
    ) as oldest
    -- Nothing is sent to others.
    where installation.status = 'active'
  )
  select
    due.kind, due.id, due.name, due.organization_id,
    organization.slug                                                            as organization,
    due.due_at,
    round(extract(epoch from now() - due.due_at), 1)                             as due_seconds,
    coalesce(due.error_code, 'not_woken')                                        as why,
    case when due.error_code is null then 'select * from ops.wake_stranded();' end as wake_sql
  from due
  join organizations as organization
    on organization.id = due.organization_id
    and organization.deleted_at is null
  where due.due_at < now() - interval '30 seconds'
    and (
      due.error_code is not null
      or due.owner_id is null
      -- It has a job that is about to run, or that a live worker runs.
      and not exists (
        select
        from queue.jobs as job
        where job.key = due.job_key
          and case
            when job.locked_at is null then job.attempts < job.max_attempts and job.run_at < now() + interval '30 seconds'
            else exists (select from workers where pool_id = job.locked_by)
          end
      )
      -- The drain wakes the lanes of an event. Until then the outbox is behind, and not the lane.
      and coalesce(due.due_at < (
        select created_at
        from waiting_events
        where organization_id = due.organization_id
          and failed_at is null
        order by id
        limit 1
      ), true)
    );

comment on view ops.stranded_detail is 'Hooks, channels and installations at GitHub that have been due for over 30 seconds and that no worker can or will serve. Should be empty: every 30 seconds a worker wakes those that have no job. Takes longer the more hooks and channels have waiting work.';
comment on column ops.stranded_detail.kind is 'hook, channel or github.';
comment on column ops.stranded_detail.id is 'The hook, channel or installation, as in the API.';
comment on column ops.stranded_detail.name is 'Its name; of an installation, the account.';
comment on column ops.stranded_detail.organization_id is 'Its tenant.';
comment on column ops.stranded_detail.organization is 'The slug of the tenant.';
comment on column ops.stranded_detail.due_at is 'Since when the oldest of its deliveries or requests has been due.';
comment on column ops.stranded_detail.due_seconds is 'How long that is.';
comment on column ops.stranded_detail.why is 'not_woken (it has no job), secret_unreadable (no key in SECRETS_KEY decrypts its secret), delivery_error (a bug: the log of the workers has the error).';
comment on column ops.stranded_detail.wake_sql is 'Paste this to have it served now; null if that does not help.';
