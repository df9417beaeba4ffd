-- The organizations that work belongs to, in the order in which they are changed.
create or replace function ops.organizations_of(work_ids uuid[]) returns uuid[]
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return array(
        select organization_id
        from (
          select organization_id from outbox where outbox.id = any(work_ids)
          union
          select organization_id from dispatches where dispatches.id = any(work_ids)
          union
          select organization_id from channel_messages where channel_messages.id = any(work_ids)
        ) as work
        order by organization_id
      );
    end
  $$;

comment on function ops.organizations_of(uuid[]) is 'The organizations of events, dispatches and messages. ops.retry and ops.discard use it.';

-- Channels and lanes are locked before their deliveries, in the order of their ids, as everywhere.
create or replace function ops.lock_lanes(work_ids uuid[]) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      of_work jsonb;
      lane    record;
    begin
      select jsonb_agg(to_jsonb(served)) into of_work
      from (
        select lane_id as id, organization_id from deliveries where deliveries.id = any(work_ids)
        union
        select lane_id, organization_id from unsuccessful_deliveries where unsuccessful_deliveries.id = any(work_ids)
      ) as served;

      for lane in
        select id, organization_id from jsonb_to_recordset(of_work) as served (id uuid, organization_id uuid) order by id
      loop
        perform from notification_channels
        where notification_channels.id = lane.id
          and notification_channels.organization_id = lane.organization_id
        for no key update;
      end loop;
      for lane in
        select id, organization_id from jsonb_to_recordset(of_work) as served (id uuid, organization_id uuid) order by id
      loop
        perform from lanes
        where lanes.id = lane.id
          and lanes.organization_id = lane.organization_id
        for no key update;
      end loop;
    end
  $$;

comment on function ops.lock_lanes(uuid[]) is 'Locks the hooks and channels of dispatches and messages. ops.retry and ops.discard use it.';

create or replace function ops.retry_in(tenant uuid, work_ids uuid[], out done text[], out lane_ids uuid[])
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      failed_ids uuid[];
      new_ids    uuid[];
      found      text[];
    begin
      lane_ids := array(
        select lane.id
        from lanes as lane
        join organizations as organization on organization.id = lane.organization_id
        left join deployment_hooks as hook on hook.id = lane.hook_id and hook.organization_id = lane.organization_id
        left join notification_channels as channel
          on channel.id = lane.channel_id and channel.organization_id = lane.organization_id
        where lane.organization_id = tenant
          and organization.deleted_at is null
          and coalesce(hook.enabled, channel.enabled)
          and lane.id in (
            select lane_id
            from deliveries
            where deliveries.organization_id = tenant
              and deliveries.id = any(work_ids)
              and not cancel_requested
            union all
            select lane_id
            from unsuccessful_deliveries
            where unsuccessful_deliveries.organization_id = tenant
              and unsuccessful_deliveries.id = any(work_ids)
              and status = 'failed'
          )
      );

      with expedited as (
        update deliveries
        set due_at = now()
        where organization_id = tenant
          and deliveries.id = any(work_ids)
          and lane_id = any(lane_ids)
          and not cancel_requested
          and lease_until is null
          -- What a freeze or a pause holds back stays held.
          and (held_until is null or held_until <= now())
          and (is_test or lane_id <> all(array(
            select hook.id from deployment_hooks as hook where hook.organization_id = tenant and hook.paused
          )))
        returning deliveries.id
      )
      select array_agg(expedited.id::text) into done from expedited;

      -- A finished dispatch does not change; its body is sent again as a new dispatch. Of a body that was too large to be sent,
      -- nothing is kept.
      failed_ids := array(
        select failed.id
        from dispatches as failed
        where failed.organization_id = tenant
          and failed.id = any(work_ids)
          and failed.hook_id = any(lane_ids)
          and failed.status = 'failed'
          and failed.body is not null
          and not exists (
            select 1
            from dispatches as newer
            where newer.organization_id = tenant
              and newer.redelivery_of = coalesce(failed.redelivery_of, failed.id)
              and newer.id > failed.id
          )
        order by failed.created_at, failed.id
      );
      -- Without a join: on a cluster, what reads tables cannot be called for their rows.
      failed_ids := array(
        select id from unnest(failed_ids) with ordinality as failed (id, n) where ops.refusal_of(id) is null order by n
      );
      new_ids := array(select uuidv7() as id from unnest(failed_ids) order by id);
      -- Operators carry out what was overridden.
      perform redeliver_dispatches(tenant, new_ids, failed_ids, null, true);
      done := done || failed_ids::text[];

      with retried_events as (
        update waiting_events
        set retry_at = now()
        where organization_id = tenant
          and waiting_events.id = any(work_ids)
          and failed_at is not null
        returning waiting_events.id
      )
      select array_agg(retried_events.id::text) into found from retried_events;
      done := done || found;

      with retried_messages as (
        update channel_messages
        set status       = 'pending',
            completed_at = null,
            error        = null,
            max_attempts = attempt_count + 3
        where organization_id = tenant
          and channel_messages.id = any(work_ids)
          and channel_id = any(lane_ids)
          and status = 'failed'
        returning channel_messages.id
      )
      select array_agg(retried_messages.id::text) into found from retried_messages;
      done := done || found;

      -- A mailbox that did not exist may exist by now.
      update channel_attempts
      set refused = '{}'
      where organization_id = tenant
        and message_id = any(work_ids)
        and refused <> '{}';
      update lanes
      set version = version + 1, revision = revision + 1
      where organization_id = tenant
        and lanes.id = any(lane_ids);
    end
  $$;

comment on function ops.retry_in(uuid, uuid[]) is 'Retries the work of one organization. ops.retry_work uses it.';

create or replace function ops.retry_work(ids text[]) returns table (id text, kind text, outcome text)
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      job_ids  bigint[] := array(select wanted::bigint from unnest(ids) as wanted where wanted ~ '^[0-9]{1,18}$');
      work_ids uuid[]   := array(
        select wanted::uuid from unnest(ids) as wanted where wanted ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
      );
      tenants  uuid[]   := ops.organizations_of(work_ids);
      lane_ids uuid[]   := '{}';
      retried  text[];
      tenant   uuid;
      part     record;
    begin
      perform ops.lock_lanes(work_ids);
      retried := array(
        select job.id::text
        from graphile_worker.reschedule_jobs(
          array(select job.id from queue.jobs as job where job.id = any(job_ids) and attempts >= max_attempts),
          run_at := now(), attempts := 0
        ) as job
        union all
        select job.id::text
        from graphile_worker.reschedule_jobs(
          array(select job.id from queue.jobs as job where job.id = any(job_ids) and attempts < max_attempts),
          run_at := now()
        ) as job
      );
      foreach tenant in array tenants loop
        select * into part from ops.retry_in(tenant, work_ids);
        retried := retried || part.done;
        lane_ids := lane_ids || part.lane_ids;
      end loop;
      perform ops.wake_lanes(tenants, lane_ids);
      return query
        select
          wanted, what.kind,
          case
            when lower(wanted) = any(retried) then 'retried'
            when what.kind is null then 'not found'
            when what.kind = 'job' then 'not possible: it is running'
            when what.kind = 'event' then 'not needed: the drain fans it out'
            when what.status in ('succeeded', 'cancelled') then 'not possible: it is ' || what.status
            when what.kind = 'dispatch' and what.status = 'failed' and ops.refusal_of(wanted::uuid) is not null
              then 'not possible: it lacks an approval, ' || ops.refusal_of(wanted::uuid)
            when what.status = 'pending' then 'not possible: the hook or channel is disabled, paused, or held back by a freeze'
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
          select work.id, work.kind, work.outcome from ops.retry_work(retry.ids) as work
        ),
        noted as materialized (
          select ops.note_action('retry', retry.ids, (select count(*) from tried where tried.outcome = 'retried'), retry.reason)
        )
        select tried.id, tried.kind, tried.outcome from tried cross join noted;
    end
  $$;

comment on function ops.retry(text[], text) is 'Retries work now, by the ids of ops.jobs or ops.failed_jobs: a job runs, a failed dispatch is redelivered as a new one, a message gets three more attempts, and work that waits for a later attempt is sent at once.';

-- What an id of ops.jobs names.
create or replace function ops.kind_of(id text, out kind text, out status text) returns record
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      work_id uuid;
    begin
      if kind_of.id ~ '^[0-9]{1,18}$' then
        select 'job', case when job.locked_at is not null then 'running' else 'waiting' end
        into kind, status
        from queue.jobs as job where job.id = kind_of.id::bigint;
        return;
      end if;
      if kind_of.id !~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' then return; end if;
      work_id := kind_of.id::uuid;
      select 'event', case when waiting.id is null then 'fanned out' else 'waiting' end into kind, status
      from outbox as event
      left join waiting_events as waiting on waiting.id = event.id and waiting.organization_id = event.organization_id
      where event.id = work_id;
      if found then return; end if;
      select 'dispatch', dispatches.status into kind, status from dispatches where dispatches.id = work_id;
      if found then return; end if;
      select 'message', channel_messages.status into kind, status from channel_messages where channel_messages.id = work_id;
    end
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
      select count(*) filter (where retried.outcome = 'retried') into tried
      from ops.retry_work(coalesce(wanted, '{}')) as retried;
      perform ops.note_action(
        'retry_failed',
        array_remove(array['task:' || retry_failed.task, 'org:' || retry_failed.organization], null),
        tried, null
      );
      return tried;
    end
  $$;

comment on function ops.retry_failed(text, uuid) is 'Retries what ops.failed_jobs lists: all of it, or the jobs of one task (task => ''dispatch_hook'') or of one tenant (organization => ''…''). Returns how many; call it again if more than 10000 jobs have failed.';
