-- Contract: 0.4.0
-- A dispatch that succeeds at once is one row: its body and its last attempt are in it, and only attempts that were repeated have rows of
-- their own. Each row and each index entry costs about 45 bytes of WAL in addition to what it contains.

alter table dispatches
  -- The last attempt of a finished dispatch. Null if nothing was sent, and for those that an earlier version recorded.
  add column last_started_at       timestamptz(3),
  add column last_address          text,
  add column last_dns_ms           integer,
  add column last_first_byte_ms    integer,
  add column last_duration_ms      integer,
  add column last_response_status  integer,
  add column last_response_headers jsonb,
  add column last_response_body    text,
  add column last_error            jsonb,
  -- Of a pull hook: the lease that the attempt was.
  add column last_lease_until      timestamptz(3),
  -- The bytes of a body that contains secrets, encrypted by the application, with the list of these secrets; `body` is then what
  -- may be shown, with the secrets masked. Null: `body` is what is sent. `has_report`: it contains the report URL or token of its
  -- dispatch. Those of a redelivery, which has the same bytes, are then of the first dispatch.
  add column encrypted_body        bytea,
  add column has_report            boolean not null default false,
  -- The very bytes that are signed and sent again in every retry; jsonb would reorder them. Null if it was too large. The last column: what
  -- follows a change within a row is not logged again.
  add column body                  text;

-- Partitions that an upkeep of 0.3.0 detached, and did not come to drop.
do $$
  declare
    old regclass;
  begin
    for old in select * from detached_partitions('{dispatches,dispatch_bodies,dispatch_attempts}') loop
      execute format('drop table %s', old);
    end loop;
  end
$$;

update dispatches as dispatch
set body           = stored.body,
    encrypted_body = stored.encrypted_body,
    has_report     = stored.has_report
from dispatch_bodies as stored
where stored.dispatch_id = dispatch.id
  and stored.organization_id = dispatch.organization_id;

drop table dispatch_bodies;

-- "How did the last hour go?": one entry of the index covers many pages. Before PostgreSQL 16, a change of its column would end updates in
-- place (HOT), and write an entry to every index for each dispatch that is finished; without it, `ops.task_stats` reads all dispatches.
do $$
  begin
    if current_setting('server_version_num')::integer >= 160000 then
      create index dispatches_last_started on dispatches using brin (last_started_at) with (pages_per_range = 32, autosummarize = on);
    end if;
  end
$$;

-- One row is one request of a dispatch that was repeated, and its outcome.
alter table dispatch_attempts rename to repeated_attempts;

do $$
  declare
    old regclass;
  begin
    for old in select partition from partitions_of('repeated_attempts') loop
      execute format('alter table %s rename to %I', old, replace(old::text, 'dispatch_attempts', 'repeated_attempts'));
    end loop;
  end
$$;

alter index dispatch_attempts_started rename to repeated_attempts_started;

-- Each row is one request of a dispatch, and its outcome.
-- The condition is not in the second part: PostgreSQL would not look up single rows by their key there.
create view dispatch_attempts as
  select *
  from (
    select
      dispatch_id, organization_id, number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, error, lease_until
    from repeated_attempts
    union all
    select
      id, organization_id, attempt_count, last_started_at, last_address, last_dns_ms, last_first_byte_ms, last_duration_ms,
      last_response_status, last_response_headers, last_response_body, last_error, last_lease_until
    from dispatches
  ) as attempt
  where started_at is not null;

create or replace function dispatches_deleted() returns trigger
  language plpgsql
  as $$
    declare
      deleted record;
      fewer record;
    begin
      for deleted in select organization_id, array_agg(id) as ids from gone group by 1 loop
        delete from repeated_attempts where dispatch_id = any(deleted.ids) and organization_id = deleted.organization_id;
      end loop;

      for fewer in
        select hook_id, organization_id, id_week(id) as week, event, counted.status, count(*)
        from gone
        cross join lateral (values ('created'), (case when status in ('failed', 'cancelled') then status end)) as counted (status)
        where counted.status is not null
        group by 1, 2, 3, 4, 5
        order by 1, 3, 4, 5
      loop
        update dispatch_counts as counted
        set count = counted.count - fewer.count
        where counted.hook_id = fewer.hook_id
          and counted.organization_id = fewer.organization_id
          and counted.week = fewer.week
          and counted.event = fewer.event
          and counted.status = fewer.status;
      end loop;
      return null;
    end
  $$;

-- Redeliveries of finished dispatches, in the order of new_ids: the same body and sequence, and all that says what they come from, so
-- that a revocation finds them as it finds their originals. The one way to make them, for the API and for operators: who calls has
-- locked the lanes, and asked whether the approval of each still holds.
--
-- attempts: as many as each gets at most; null: as many as its original. A test is sent once.
-- keeps_override: whether a copy passes freezes as its original does, because of an override.
create function redeliver_dispatches(
  tenant uuid, new_ids uuid[], original_ids uuid[], attempts integer, keeps_override boolean,
  asked_by uuid default null, of_request text default null, of_trace text default null
) returns void
  language plpgsql
  as $$
    begin
      insert into dispatches (
        id, organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence,
        max_attempts, redelivery_of, made_after_sequence,
        report_within_seconds, gate_id, graph_id,
        override_reason, requested_by, request_id, traceparent, encrypted_body, has_report, body
      )
      select
        made.id, original.organization_id, original.workspace_id, original.project_id, original.hook_id, original.event_id,
        original.event, original.environment, original.sequence,
        case when original.event = 'test.ping' then 1 else coalesce(attempts, original.max_attempts) end,
        coalesce(original.redelivery_of, original.id), coalesce(lane.sequence, 0),
        case when original.event <> 'test.ping' then hook.report_within_seconds end, original.gate_id, original.graph_id,
        case when keeps_override then original.override_reason end, asked_by, of_request, of_trace,
        original.encrypted_body, original.has_report, original.body
      from unnest(new_ids, original_ids) as made (id, original_id)
      join dispatches as original on original.id = made.original_id and original.organization_id = tenant
      join deployment_hooks as hook on hook.id = original.hook_id and hook.organization_id = tenant
      left join lanes as lane on lane.id = original.hook_id and lane.organization_id = tenant
      -- Of a body that was too large, nothing is kept.
      where original.body is not null
      order by made.id;
    end
  $$;
