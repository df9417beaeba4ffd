-- Changes that operators make. Each function runs with the rights of the owner of the schema, so that a role needs only the
-- right to execute it, which is granted to no role at first. Each records who changed what, and why.

create or replace function ops.note_action(action text, targets text[], affected bigint, reason text) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    insert into ops.actions (action, targets, affected, reason) values (action, targets, affected, reason)
  $$;

comment on function ops.note_action(text, text[], bigint, text) is 'Writes an entry of ops.action_log. The other functions use it.';

create or replace function ops.checked_flag(flag text) returns text
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      given text := lower(btrim(flag));
      known text;
    begin
      if given like 'org:%' then
        select 'org:' || id into known
        from organizations
        where (id = ops.tenant_of(given) or slug = substr(given, 5))
          and deleted_at is null
        order by id = ops.tenant_of(given) desc nulls last
        limit 1;
        if known is not null then return known; end if;
        raise exception 'There is no organization for the flag %.', flag
          using errcode = 'invalid_parameter_value',
            hint = 'A tenant''s flag is org: and its id or slug: table ops.tenant_load, or select id, slug from organizations.';
      elsif given like 'task:%' then
        if exists (select from ops.tasks where task = substr(given, 6)) then return given; end if;
        raise exception 'There is no task for the flag %.', flag
          using errcode = 'invalid_parameter_value', hint = 'Their names: table ops.tasks.';
      end if;
      raise exception 'The flag % is unknown.', coalesce(quote_literal(flag), 'null')
        using errcode = 'invalid_parameter_value',
          hint = 'A flag is org:<id or slug of an organization> or task:<name of a task>.';
    end
  $$;

comment on function ops.checked_flag(text) is 'The flag in its canonical form; an error if it names no existing tenant or task.';

create or replace function ops.pause(flag text, reason text, until timestamptz default null) returns ops.pauses
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      made ops.pauses;
    begin
      if coalesce(btrim(pause.reason), '') = '' then
        raise exception 'The reason is missing.' using errcode = 'invalid_parameter_value';
      end if;
      if pause.until <= now() then
        raise exception 'The end of the pause is in the past: %.', pause.until using errcode = 'invalid_parameter_value';
      end if;
      delete from ops.pauses as expired where expired.until <= now();
      insert into ops.pauses as paused (flag, reason, until)
      values (ops.checked_flag(pause.flag), left(btrim(pause.reason), 1000), pause.until)
      on conflict (flag) do update
      set reason = excluded.reason, until = excluded.until, paused_at = now(),
          paused_by = excluded.paused_by, application_name = excluded.application_name
      returning paused.* into made;
      perform ops.note_action('pause', array[made.flag], 1, concat_ws(' ', made.reason, '(until ' || made.until || ')'));
      return made;
    end
  $$;

comment on function ops.pause(text, text, timestamptz) is 'Pauses one tenant (org:<id>, or org:<slug>) or one task (task:<name>), within 10 seconds: select * from ops.pause(''org:…'', ''why'', now() + interval ''1 hour''). Started work is finished, waiting work keeps its order. Pausing again replaces reason and end.';

create or replace function ops.resume(flag text) returns boolean
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      gone text;
    begin
      delete from ops.pauses as pause where pause.flag = lower(btrim(resume.flag)) returning pause.flag into gone;
      if gone is null then
        delete from ops.pauses as pause where pause.flag = ops.checked_flag(resume.flag) returning pause.flag into gone;
      end if;
      if gone is null then
        -- Raises an error for a flag that names nothing.
        perform ops.checked_flag(resume.flag);
        return false;
      end if;
      perform ops.note_action('resume', array[gone], 1, null);
      return true;
    end
  $$;

comment on function ops.resume(text) is 'Ends a pause, within 10 seconds. Returns whether there was one; raises an error for a flag that names nothing.';

-- Adds a job for each lane, due now; a job that waits for a later moment is moved to now. If a tenant wakes many lanes at once,
-- the first ten run first and the others with lower priority, so that they delay no other tenant. API, workers and the functions
-- below wake lanes in no other way.
create or replace function ops.wake_lanes(organization_ids uuid[], lane_ids uuid[]) returns void
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      woken   uuid[];
      tenants uuid[];
      kinds   text[];
    begin
      select array_agg(id order by id), array_agg(organization_id order by id), array_agg(kind order by id)
      into woken, tenants, kinds
      from lanes
      where id = any(lane_ids)
        and organization_id = any(organization_ids)
        -- No worker serves a pull hook.
        and not is_pull;

      if woken is null then return; end if;
      perform graphile_worker.add_jobs(array(
        select (
          lane.task, json_build_object('organization_id', lane.tenant, 'lane_id', lane.id), null, now(), null,
          lane.task || ':' || lane.id,
          least((lane.position - 1) / 10, 9),
          array['org:' || lane.tenant, 'task:' || lane.task, 'lane:' || lane.tenant]
        )::graphile_worker.job_spec
        from (
          select
            each.id, each.tenant, ops.lane_task(each.kind) as task,
            row_number() over (partition by each.tenant order by each.id) as position
          from unnest(woken, tenants, kinds) as each (id, tenant, kind)
        ) as lane
        -- Always in this order, so that two transactions that wake the same lanes do not deadlock.
        order by lane.id
      ));
    end
  $$;

comment on function ops.wake_lanes(uuid[], uuid[]) is 'Makes workers serve the lanes of hooks, channels and installations now. API, workers and the other functions use it.';

-- Records the runs that dead workers could not finish. Called before their rows of `workers` are deleted.
create or replace function ops.record_lost_runs(worker_ids uuid[]) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    insert into ops.job_runs (
      organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, worker_id, started_at, finished_at
    )
    select
      ops.tenant_of(job.tenant), job.id, job.task, job.attempts,
      case when job.attempts < job.max_attempts then 'retrying' else 'failed' end, 'worker_ended',
      least(extract(epoch from greatest(job.locked_at - job.run_at, '0')) * 1000, 2147483647),
      least(extract(epoch from now() - job.locked_at) * 1000, 2147483647),
      worker.id, job.locked_at, now()
    from workers as worker
    join queue.jobs as job on job.locked_by = worker.pool_id
    where worker.id = any(worker_ids);
  $$;

comment on function ops.record_lost_runs(uuid[]) is 'Records the runs that dead workers could not finish. Workers and ops.unlock_dead_workers use it.';

create or replace function ops.unlock_dead_workers() returns table (worker text, jobs bigint, lanes bigint)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      dead             uuid[];
      organization_ids uuid[];
      lane_ids         uuid[];
      pools            text[];
      freed            jsonb;
      held             jsonb;
    begin
      select coalesce(array_agg(id), '{}') into dead
      from (select id from workers where process_status(seen_at) = 'dead' for update skip locked) as dead;

      select jsonb_object_agg(owner_id, count) into held
      from (select owner_id, count(*) as count from lanes where owner_id = any(dead) group by owner_id) as lanes_of;
      with holders (worker, pool_id, lanes) as (
        select
          hostname || ' ' || pid, pool_id, coalesce((held ->> workers.id::text)::bigint, 0)
        from workers
        where id = any(dead)
        union all
        -- Locked by a worker that is not registered: graphile_worker itself would unlock it after four hours.
        select distinct 'unknown', locked_by, 0
        from queue.jobs
        where locked_at < now() - interval '1 minute'
          and not exists (select from workers where pool_id = locked_by)
      )
      select
        array_agg(pool_id) filter (where pool_id is not null),
        jsonb_agg(jsonb_build_object('worker', worker, 'lanes', lanes, 'jobs', (
          select count(*) from queue.jobs where locked_at is not null and locked_by = holders.pool_id
        )))
      into pools, freed
      from holders;

      perform ops.record_lost_runs(dead);
      with freed_lanes as (
        update lanes
        set owner_id = null, version = version + 1
        where owner_id = any(dead)
        returning lanes.id, lanes.organization_id
      )
      select coalesce(array_agg(distinct freed_lanes.organization_id), '{}'), coalesce(array_agg(freed_lanes.id), '{}')
      into organization_ids, lane_ids
      from freed_lanes;
      delete from workers where id = any(dead);
      perform queue.unlock_pools(coalesce(pools, '{}'));
      perform ops.wake_lanes(organization_ids, lane_ids);
      if freed is not null then
        perform ops.note_action('unlock_dead_workers', dead::text[] || coalesce(pools, '{}'), jsonb_array_length(freed), null);
      end if;
      return query select freed_of.* from jsonb_to_recordset(freed) as freed_of (worker text, jobs bigint, lanes bigint);
    end
  $$;

comment on function ops.unlock_dead_workers() is 'Unlocks what workers hold that have sent no heartbeat for 35 seconds, and jobs that are locked by no known worker. Live workers do the same within a minute.';

create or replace function ops.wake_stranded() returns table (kind text, id uuid, name text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      found jsonb;
    begin
      select coalesce(jsonb_agg(to_jsonb(stranded)), '[]')
      into found
      from ops.stranded_detail as stranded
      where stranded.why = 'not_woken';
      perform ops.wake_lanes(
        array(select distinct (each ->> 'organization_id')::uuid from jsonb_array_elements(found) as each),
        array(select (each ->> 'id')::uuid from jsonb_array_elements(found) as each)
      );
      if found <> '[]' then
        perform ops.note_action(
          'wake_stranded', array(select each ->> 'id' from jsonb_array_elements(found) as each), jsonb_array_length(found), null
        );
      end if;
      return query select woken.* from jsonb_to_recordset(found) as woken (kind text, id uuid, name text);
    end
  $$;

comment on function ops.wake_stranded() is 'Has hooks and channels served that are due and have no job: those that ops.stranded lists as not_woken. Workers do the same every 30 seconds.';
