create or replace function ops.discard(ids text[], reason text) returns table (id text, kind text, outcome text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      full_ids text[]   := ops.full_ids(ids);
      job_ids  bigint[] := array(select wanted::bigint from unnest(full_ids) as wanted where wanted ~ '^[0-9]{1,18}$');
      work_ids uuid[]   := array(select wanted::uuid from unnest(full_ids) as wanted where wanted ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$');
      note     jsonb    := jsonb_build_object('code', 'discarded', 'detail', 'An operator discarded it.');
      gone     text[];
      asked    uuid[];
      organization_ids uuid[];
      woken    uuid[];
    begin
      if coalesce(btrim(discard.reason), '') = '' then
        raise exception 'The reason is missing.' using errcode = 'invalid_parameter_value';
      end if;
      -- The lock of the drain: no event is fanned out while it is discarded.
      if exists (select from outbox where outbox.id = any(work_ids) and drained_at is null) then
        perform pg_advisory_xact_lock(hashtext('signalbox.drain'));
      end if;
      -- Channels and lanes are locked before their deliveries, in the order of their ids, as everywhere.
      perform from notification_channels
      where notification_channels.id in (select channel_id from channel_messages where channel_messages.id = any(work_ids))
      order by notification_channels.id
      for no key update;
      perform from lanes
      where lanes.id in (
        select lane_id from deliveries where deliveries.id = any(work_ids)
        union all
        select lane_id from unsuccessful_deliveries where unsuccessful_deliveries.id = any(work_ids)
      )
      order by lanes.id
      for no key update;

      with deleted as (
        select job.id
        from graphile_worker.complete_jobs(array(
          select job.id
          from queue.jobs as job
          where job.id = any(job_ids)
            -- Not the job that serves a hook or channel: without it, waiting deliveries would wait for ever.
            and not exists (
              select from deliveries where job.key in ('dispatch_hook:' || lane_id, 'deliver_channel:' || lane_id)
            )
        )) as job
      ),
      discarded_events as (
        update outbox set drained_at = now() where outbox.id = any(work_ids) and drained_at is null returning outbox.id
      ),
      -- While its lane is served, or it is leased, a dispatch may be in flight: the worker or the claimer finishes it.
      marked as (
        update deliveries
        set cancel_requested = true
        from lanes as lane
        where deliveries.id = any(work_ids)
          and lane.id = deliveries.lane_id
          and lane.kind = 'hook'
          and (lane.owner_id is not null or deliveries.lease_until is not null)
        returning deliveries.id, deliveries.organization_id, deliveries.lane_id
      ),
      taken as (
        delete from deliveries
        using lanes as lane
        where deliveries.id = any(work_ids)
          and lane.id = deliveries.lane_id
          and (lane.kind = 'channel' or lane.owner_id is null)
          and deliveries.lease_until is null
        returning deliveries.id, deliveries.attempt_count
      ),
      cancelled as (
        update dispatches
        set status = 'cancelled', completed_at = coalesce(completed_at, now()), error = note,
            attempt_count = coalesce((select taken.attempt_count from taken where taken.id = dispatches.id), attempt_count)
        where dispatches.id = any(work_ids)
          and (status = 'failed' or dispatches.id in (select taken.id from taken))
        returning dispatches.id
      ),
      silenced as (
        update channel_messages
        set status = 'cancelled', completed_at = coalesce(completed_at, now()), error = note,
            attempt_count = coalesce((select taken.attempt_count from taken where taken.id = channel_messages.id), attempt_count)
        where channel_messages.id = any(work_ids)
          and (status = 'failed' or channel_messages.id in (select taken.id from taken))
        returning channel_messages.id
      )
      select
        array(
          select deleted.id::text from deleted
          union all select discarded_events.id::text from discarded_events
          union all select cancelled.id::text from cancelled
          union all select silenced.id::text from silenced
        ),
        array(select marked.id from marked),
        array(select distinct marked.organization_id from marked),
        array(select distinct marked.lane_id from marked)
      into gone, asked, organization_ids, woken;

      update lanes set version = version + 1, revision = revision + 1 where lanes.id = any(woken);
      perform ops.wake_lanes(organization_ids, woken);
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
