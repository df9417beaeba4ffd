create or replace function ops.discard_in(tenant uuid, work_ids uuid[], out gone text[], out asked uuid[], out lane_ids uuid[])
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      note   jsonb       := jsonb_build_object('code', 'discarded', 'detail', 'An operator discarded it.');
      moment timestamptz := now();
      found  text[];
    begin
      with discarded_events as (
        delete from waiting_events
        where organization_id = tenant
          and waiting_events.id = any(work_ids)
        returning waiting_events.id
      )
      select array_agg(discarded_events.id::text) into gone from discarded_events;

      with
      -- While its lane is served, or it is leased, a dispatch may be in flight: the worker or the claimer finishes it.
      marked as (
        update deliveries
        set cancel_requested = true
        from lanes as lane
        where deliveries.organization_id = tenant
          and deliveries.id = any(work_ids)
          and lane.id = deliveries.lane_id
          and lane.organization_id = tenant
          and lane.kind = 'hook'
          and (lane.owner_id is not null or deliveries.lease_until is not null)
        returning deliveries.id, deliveries.lane_id
      ),
      taken as (
        delete from deliveries
        using lanes as lane
        where deliveries.organization_id = tenant
          and deliveries.id = any(work_ids)
          and lane.id = deliveries.lane_id
          and lane.organization_id = tenant
          and (lane.kind = 'channel' or lane.owner_id is null)
          and deliveries.lease_until is null
        returning deliveries.id, deliveries.attempt_count
      ),
      cancelled as (
        update dispatches
        set status = 'cancelled', completed_at = coalesce(completed_at, moment), error = note,
            attempt_count = coalesce((select taken.attempt_count from taken where taken.id = dispatches.id), attempt_count)
        where organization_id = tenant
          and dispatches.id = any(work_ids)
          and (status = 'failed' or dispatches.id in (select taken.id from taken))
        returning dispatches.id
      ),
      cancelled_messages as (
        update channel_messages
        set status = 'cancelled', completed_at = coalesce(completed_at, moment), error = note,
            attempt_count = coalesce((select taken.attempt_count from taken where taken.id = channel_messages.id), attempt_count)
        where organization_id = tenant
          and channel_messages.id = any(work_ids)
          and (status = 'failed' or channel_messages.id in (select taken.id from taken))
        returning channel_messages.id
      )
      select
        array(
          select cancelled.id::text from cancelled
          union all select cancelled_messages.id::text from cancelled_messages
        ),
        array(select marked.id from marked),
        array(select distinct marked.lane_id from marked)
      into found, asked, lane_ids;
      gone := gone || found;

      update lanes
      set version = version + 1, revision = revision + 1
      where organization_id = tenant
        and lanes.id = any(lane_ids);
    end
  $$;

comment on function ops.discard_in(uuid, uuid[]) is 'Discards the work of one organization. ops.discard uses it.';

create or replace function ops.discard(ids text[], reason text) returns table (id text, kind text, outcome text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      full_ids text[]   := ops.full_ids(ids);
      job_ids  bigint[] := array(select wanted::bigint from unnest(full_ids) as wanted where wanted ~ '^[0-9]{1,18}$');
      work_ids uuid[]   := array(
        select wanted::uuid
        from unnest(full_ids) as wanted
        where wanted ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
      );
      tenants  uuid[]   := ops.organizations_of(work_ids);
      gone     text[];
      asked    uuid[]   := '{}';
      lane_ids uuid[]   := '{}';
      served   uuid[];
      tenant   uuid;
      part     record;
    begin
      if coalesce(btrim(discard.reason), '') = '' then
        raise exception 'The reason is missing.' using errcode = 'invalid_parameter_value';
      end if;
      -- The locks of the drain: no event is fanned out while it is discarded.
      if exists (select 1 from waiting_events where organization_id = any(tenants) and waiting_events.id = any(work_ids)) then
        foreach tenant in array tenants loop
          perform pg_advisory_xact_lock(hashtextextended('signalbox.drain ' || tenant, 0));
        end loop;
      end if;
      perform ops.lock_lanes(work_ids);

      -- Not the job that serves a hook or channel: without it, waiting deliveries would wait for ever.
      served := array(
        select substring(job.key from '^(?:dispatch_hook|deliver_channel):([0-9a-f-]{36})$')::uuid
        from queue.jobs as job
        where job.id = any(job_ids)
      );
      served := array(select distinct lane_id from deliveries where lane_id = any(served));
      gone := array(
        select job.id::text
        from graphile_worker.complete_jobs(array(
          select job.id
          from queue.jobs as job
          where job.id = any(job_ids)
            and not coalesce(
              substring(job.key from '^(?:dispatch_hook|deliver_channel):([0-9a-f-]{36})$')::uuid = any(served), false
            )
        )) as job
      );
      foreach tenant in array tenants loop
        select * into part from ops.discard_in(tenant, work_ids);
        gone := gone || part.gone;
        asked := asked || part.asked;
        lane_ids := lane_ids || part.lane_ids;
      end loop;
      perform ops.wake_lanes(tenants, lane_ids);
      perform ops.note_action('discard', full_ids, cardinality(gone) + cardinality(asked), discard.reason);
      return query
        select
          wanted,
          coalesce(what.kind, case when lower(wanted) = any(gone) then 'job' end),
          case
            when lower(wanted) = any(gone) then 'discarded'
            when lower(wanted) = any(asked::text[]) then 'discarded, unless it is in flight and succeeds'
            when what.kind is null then 'not found'
            when what.kind = 'job' and what.status = 'running' then 'not possible: it is running; see ops.stuck_jobs'
            when what.kind = 'job' then 'not possible: it serves waiting dispatches or messages; discard those'
            else 'not possible: it is ' || what.status
          end
        from unnest(full_ids) as wanted
        left join lateral ops.kind_of(wanted) as what on true;
    end
  $$;

comment on function ops.discard(text[], text) is 'Discards work, by the ids of ops.jobs: select * from ops.discard(array[''…''], ''why''). A job is deleted, an event is skipped, a dispatch or message is cancelled. Running work is left alone.';
