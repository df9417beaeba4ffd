create or replace function ops.retry_work(ids text[]) returns table (id text, kind text, outcome text)
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      job_ids     bigint[] := array(select wanted::bigint from unnest(ids) as wanted where wanted ~ '^[0-9]{1,18}$');
      work_ids    uuid[]   := array(select wanted::uuid from unnest(ids) as wanted where wanted ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$');
      organization_ids uuid[];
      lane_ids    uuid[];
      retried     text[];
    begin
      -- Channels and lanes are locked before their deliveries, in the order of their ids, as everywhere.
      perform from notification_channels
      where notification_channels.id in (select lane_id from unsuccessful_deliveries where unsuccessful_deliveries.id = any(work_ids))
      order by notification_channels.id
      for no key update;
      select array_agg(distinct locked.organization_id), array_agg(locked.id)
      into organization_ids, lane_ids
      from (
        select lane.id, lane.organization_id
        from lanes as lane
        join organizations as organization on organization.id = lane.organization_id and organization.deleted_at is null
        left join deployment_hooks as hook on hook.id = lane.hook_id
        left join notification_channels as channel on channel.id = lane.channel_id
        where coalesce(hook.enabled, channel.enabled)
          and lane.id in (
            select lane_id from deliveries where deliveries.id = any(work_ids) and not cancel_requested
            union all
            select lane_id from unsuccessful_deliveries where unsuccessful_deliveries.id = any(work_ids) and status = 'failed'
          )
        order by lane.id
        for no key update of lane
      ) as locked;

      with rescheduled as (
        select job.id
        from graphile_worker.reschedule_jobs(
          array(select job.id from queue.jobs as job where job.id = any(job_ids) and attempts >= max_attempts),
          run_at := now(), attempts := 0
        ) as job
        union all
        select job.id
        from graphile_worker.reschedule_jobs(
          array(select job.id from queue.jobs as job where job.id = any(job_ids) and attempts < max_attempts),
          run_at := now()
        ) as job
      ),
      expedited_deliveries as (
        update deliveries
        set due_at = now()
        where deliveries.id = any(work_ids)
          and lane_id = any(lane_ids)
          and not cancel_requested
          and lease_until is null
        returning deliveries.id
      ),
      -- A finished dispatch does not change; its body is sent again as a new dispatch.
      wanted as materialized (
        select uuidv7() as new_id, failed.*, lane.sequence as current_sequence
        from (
          select *
          from dispatches
          where dispatches.id = any(work_ids)
            and hook_id = any(lane_ids)
            and status = 'failed'
          order by created_at, dispatches.id
        ) as failed
        join lanes as lane on lane.id = failed.hook_id and lane.organization_id = failed.organization_id
        -- Of a body that was too large to be sent, nothing is kept.
        where exists (
          select
          from dispatch_bodies as body
          where body.dispatch_id = failed.id
            and body.organization_id = failed.organization_id
        )
        and not exists (
          select
          from dispatches as newer
          where newer.redelivery_of = coalesce(failed.redelivery_of, failed.id)
            and newer.id > failed.id
        )
      ),
      bodies as (
        insert into dispatch_bodies (dispatch_id, organization_id, body, encrypted_body)
        select wanted.new_id, body.organization_id, body.body, body.encrypted_body
        from wanted
        join dispatch_bodies as body on body.dispatch_id = wanted.id and body.organization_id = wanted.organization_id
      ),
      redelivered as (
        insert into dispatches (
          id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence,
          max_attempts, redelivery_of, made_after_sequence, report_within_seconds
        )
        select
          new_id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence,
          max_attempts, coalesce(redelivery_of, wanted.id), current_sequence,
          case when event <> 'test.ping' then (
            select hook.report_within_seconds
            from deployment_hooks as hook
            where hook.id = wanted.hook_id
              and hook.organization_id = wanted.organization_id
          ) end
        from wanted
        order by new_id
        returning redelivery_of
      ),
      retried_events as (
        update outbox
        set retry_at = now()
        where outbox.id = any(work_ids)
          and drained_at is null
          and failed_at is not null
        returning outbox.id
      ),
      retried_messages as (
        update channel_messages
        set status       = 'pending',
            completed_at = null,
            error        = null,
            max_attempts = attempt_count + 3
        where channel_messages.id = any(work_ids)
          and channel_id = any(lane_ids)
          and status = 'failed'
        returning channel_messages.id
      )
      select array_agg(done) into retried
      from (
        select rescheduled.id::text as done from rescheduled
        union all
        select expedited_deliveries.id::text from expedited_deliveries
        union all
        select failed.id::text
        from dispatches as failed
        join redelivered on redelivered.redelivery_of = coalesce(failed.redelivery_of, failed.id)
        where failed.id = any(work_ids)
        union all
        select retried_events.id::text from retried_events
        union all
        select retried_messages.id::text from retried_messages
      ) as all_done;

      -- A mailbox that did not exist may exist by now.
      update channel_attempts set refused = '{}' where message_id = any(work_ids) and refused <> '{}';
      update lanes set version = version + 1, revision = revision + 1 where lanes.id = any(lane_ids);
      perform ops.wake_lanes(organization_ids, lane_ids);
      return query
        select
          wanted,
          what.kind,
          case
            when lower(wanted) = any(retried) then 'retried'
            when what.kind is null then 'not found'
            when what.kind = 'job' then 'not possible: it is running'
            when what.kind = 'event' then 'not needed: the drain fans it out'
            when what.status in ('succeeded', 'cancelled') then 'not possible: it is ' || what.status
            else 'not possible: the hook or channel is disabled, the body was too large, or it was retried already'
          end
        from unnest(ids) as wanted
        left join lateral ops.kind_of(wanted) as what on true;
    end
  $$;

comment on function ops.retry_work(text[]) is 'Retries work now. ops.retry and ops.retry_failed use it.';

create or replace function ops.retry(ids text[], reason text default null) returns table (id text, kind text, outcome text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      retry.ids := ops.full_ids(retry.ids);
      return query
        with tried as materialized (
          select retried_messages.id, retried_messages.kind, retried_messages.outcome from ops.retry_work(retry.ids) as retried_messages
        ),
        noted as materialized (
          select ops.note_action('retry', retry.ids, (select count(*) from tried where tried.outcome = 'retried'), retry.reason) as done
        )
        select tried.id, tried.kind, tried.outcome from tried cross join noted;
    end
  $$;

comment on function ops.retry(text[], text) is 'Retries work now, by the ids of ops.jobs or ops.failed_jobs: a job runs, a failed dispatch is redelivered as a new one, a message gets three more attempts, and work that waits for a later attempt is sent at once.';

-- What an id of ops.jobs names.
create or replace function ops.kind_of(id text, out kind text, out status text) returns record
  language sql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    select 'job', case when job.locked_at is not null then 'running' else 'waiting' end
    from queue.jobs as job
    where kind_of.id ~ '^[0-9]{1,18}$'
      and job.id = (case when kind_of.id ~ '^[0-9]{1,18}$' then kind_of.id end)::bigint
    union all
    select work.kind, work.status
    from (select (case when kind_of.id ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then kind_of.id end)::uuid as id) as wanted
    cross join lateral (
      select 'event' as kind, case when drained_at is null then 'waiting' else 'fanned out' end as status from outbox where outbox.id = wanted.id
      union all
      select 'dispatch', dispatches.status from dispatches where dispatches.id = wanted.id
      union all
      select 'message', channel_messages.status from channel_messages where channel_messages.id = wanted.id
    ) as work
    limit 1
  $$;

comment on function ops.kind_of(text) is 'What an id names, and its state. The other functions use it.';

create or replace function ops.retry_failed(task text default null, organization uuid default null) returns bigint
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      wanted text[];
      tried  bigint;
    begin
      if retry_failed.task is not null then perform ops.checked_flag('task:' || retry_failed.task); end if;
      if retry_failed.organization is not null then perform ops.checked_flag('org:' || retry_failed.organization); end if;
      select array_agg(failed.id) into wanted
      from ops.failed_jobs_detail as failed
      where (retry_failed.task is null or failed.task = retry_failed.task)
        and (retry_failed.organization is null or failed.organization_id = retry_failed.organization);
      select count(*) filter (where retried.outcome = 'retried') into tried from ops.retry_work(coalesce(wanted, '{}')) as retried;
      perform ops.note_action(
        'retry_failed',
        array_remove(array['task:' || retry_failed.task, 'org:' || retry_failed.organization], null),
        tried, null
      );
      return tried;
    end
  $$;

comment on function ops.retry_failed(text, uuid) is 'Retries what ops.failed_jobs lists: all of it, or that of one task (task => ''dispatch_hook'') or of one tenant (organization => ''…''). Returns how many; call it again if more than 10000 jobs have failed.';
