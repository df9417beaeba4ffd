-- What ops may change. Each function runs with the rights of the schema's owner, so that whoever is to use one needs no
-- right but to execute it; nobody but the owner has that until they are granted it. Each writes down who, what and why.

create or replace function ops.note_action(action text, targets text[], affected bigint, reason text) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    insert into ops.actions (action, targets, affected, reason) values (action, targets, affected, reason)
  $$;

comment on function ops.note_action(text, text[], bigint, text) is 'Writes an entry of ops.action_log; the other functions use it.';

-- A flag that names something there is, in its one spelling.
create or replace function ops.checked_flag(flag text) returns text
  language plpgsql stable
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      spelt text := lower(btrim(flag));
      named text;
    begin
      if spelt like 'org:%' then
        select 'org:' || id into named
        from organizations
        where (id = ops.tenant_of(spelt) or slug = substr(spelt, 5))
          and deleted_at is null
        order by id = ops.tenant_of(spelt) desc nulls last
        limit 1;
        if named is not null then return named; end if;
        raise exception 'There is no organization for the flag %.', flag
          using errcode = 'invalid_parameter_value', hint = 'A tenant''s flag is org: and its id or slug: table ops.tenant_load, or select id, slug from organizations.';
      elsif spelt like 'task:%' then
        if exists (select from ops.tasks where task = substr(spelt, 6)) then return spelt; end if;
        raise exception 'There is no task for the flag %.', flag
          using errcode = 'invalid_parameter_value', hint = 'Their names: table ops.tasks.';
      end if;
      raise exception 'The flag % is unknown.', coalesce(quote_literal(flag), 'null')
        using errcode = 'invalid_parameter_value', hint = 'A flag is org:<id or slug of an organization> or task:<name of a task>.';
    end
  $$;

comment on function ops.checked_flag(text) is 'The flag, if it names a tenant or task that there is; an error otherwise.';

create or replace function ops.pause(flag text, reason text, until timestamptz default null) returns ops.pauses
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      made ops.pauses;
    begin
      if coalesce(btrim(pause.reason), '') = '' then
        raise exception 'Say why: others will ask.' using errcode = 'invalid_parameter_value';
      end if;
      if pause.until <= now() then
        raise exception 'The time until which to pause is over: %.', pause.until using errcode = 'invalid_parameter_value';
      end if;
      delete from ops.pauses as over where over.until <= now();
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

comment on function ops.pause(text, text, timestamptz) is 'Stops the work of one tenant (org:<id>, or org:<slug>) or of one kind (task:<name>), in force within 10 seconds: select * from ops.pause(''org:…'', ''why'', now() + interval ''1 hour''). What was begun is finished, what waits is kept in its order. Pausing again replaces reason and end.';

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
        -- Refuses a flag that names nothing.
        perform ops.checked_flag(resume.flag);
        return false;
      end if;
      perform ops.note_action('resume', array[gone], 1, null);
      return true;
    end
  $$;

comment on function ops.resume(text) is 'Lets paused work go on, within 10 seconds. Answers whether it was paused; a flag that names nothing is refused.';

-- Wakes the lanes of hooks and channels, as the worker does: one job each, due now.
create or replace function ops.wake_lanes(hook_ids uuid[], channel_ids uuid[]) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    update hook_lanes set version = version + 1 where hook_id = any(hook_ids);
    select from graphile_worker.add_jobs(array(
      select (
        'dispatch_hook', json_build_object('hook_id', hook_id), null, now(), null,
        'dispatch_hook:' || hook_id, null,
        array['org:' || organization_id, 'task:dispatch_hook', 'lane:' || organization_id]
      )::graphile_worker.job_spec
      from hook_lanes
      where hook_id = any(hook_ids)
      union all
      select (
        'deliver_channel', json_build_object('channel_id', channel_id), null, now(), null,
        'deliver_channel:' || channel_id, null, array['org:' || organization_id, 'task:deliver_channel']
      )::graphile_worker.job_spec
      from channel_lanes
      where channel_id = any(channel_ids)
    ));
  $$;

comment on function ops.wake_lanes(uuid[], uuid[]) is 'Has hooks and channels served now; the other functions use it.';

create or replace function ops.unlock_pools(pools text[]) returns void
  language sql
  set search_path = pg_catalog, public, pg_temp
  as $$
    -- What was to be run anew while it ran is in another job since, and this one would seem to have failed for good.
    delete from graphile_worker._private_jobs as job
    using graphile_worker._private_tasks as task
    where job.locked_by = any(pools)
      and job.key is null
      and job.attempts >= job.max_attempts
      and task.id = job.task_id
      and task.identifier in ('dispatch_hook', 'deliver_channel', 'drain_outbox');
    -- Who runs one may live on, and graphile_worker deletes what has run by its number. Whoever is woken from here on gets
    -- another job for that: this one, found by its key, would be deleted with the wake.
    update graphile_worker._private_jobs set key = null where locked_by = any(pools) and key is not null;
    select graphile_worker.force_unlock_workers(pools);
  $$;

comment on function ops.unlock_pools(text[]) is 'Unlocks the jobs of pools of graphile_worker, which then run again; the other functions and the workers use it.';

create or replace function ops.unlock_dead_workers() returns table (worker text, jobs bigint, lanes bigint)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    #variable_conflict use_column
    declare
      dead        uuid[];
      hook_ids    uuid[];
      channel_ids uuid[];
      pools       text[];
      freed       jsonb;
    begin
      select coalesce(array_agg(id), '{}') into dead
      from (select id from workers where seen_at < now() - interval '35 seconds' for update skip locked) as silent;
      select coalesce(array_agg(hook_id), '{}') into hook_ids from hook_lanes where owner_id = any(dead);
      select coalesce(array_agg(channel_id), '{}') into channel_ids from channel_lanes where owner_id = any(dead);

      with holders (worker, pool_id, lanes) as (
        select
          hostname || ' ' || pid, pool_id,
          (select count(*) from hook_lanes where owner_id = id) + (select count(*) from channel_lanes where owner_id = id)
        from workers
        where id = any(dead)
        union all
        -- Locked in the name of nobody: graphile_worker itself would wait for four hours.
        select distinct 'unknown', locked_by, 0
        from graphile_worker._private_jobs
        where locked_at < now() - interval '1 minute'
          and not exists (select from workers where pool_id = locked_by)
      )
      select
        array_agg(pool_id) filter (where pool_id is not null),
        jsonb_agg(jsonb_build_object('worker', worker, 'lanes', lanes, 'jobs', (
          select count(*) from graphile_worker._private_jobs where locked_at is not null and locked_by = holders.pool_id
        )))
      into pools, freed
      from holders;

      -- As the workers themselves do it: what was begun and not finished is an attempt, too.
      insert into ops.job_runs (
        organization_id, job_id, task, attempt, outcome, error_class, wait_ms, run_ms, worker_id, started_at, finished_at
      )
      select
        ops.tenant_of(jsonb_path_query_first(job.flags, '$.keyvalue() ? (@.key starts with "org:").key') #>> '{}'),
        job.id, job.task_identifier, job.attempts,
        case when job.attempts < job.max_attempts then 'retrying' else 'failed' end, 'worker_ended',
        least(extract(epoch from greatest(job.locked_at - job.run_at, '0')) * 1000, 2147483647),
        least(extract(epoch from now() - job.locked_at) * 1000, 2147483647),
        worker.id, job.locked_at, now()
      from workers as worker
      join graphile_worker.jobs as job on job.locked_by = worker.pool_id
      where worker.id = any(dead);

      update hook_lanes set owner_id = null where owner_id = any(dead);
      delete from workers where id = any(dead);
      perform ops.unlock_pools(coalesce(pools, '{}'));
      perform ops.wake_lanes(hook_ids, channel_ids);
      if freed is not null then
        perform ops.note_action('unlock_dead_workers', dead::text[] || coalesce(pools, '{}'), jsonb_array_length(freed), null);
      end if;
      return query select freed_of.* from jsonb_to_recordset(freed) as freed_of (worker text, jobs bigint, lanes bigint);
    end
  $$;

comment on function ops.unlock_dead_workers() is 'Frees what workers hold that have been silent for over 35 seconds, and jobs that are locked for nobody: others go on with it at once. Live workers do the same within a minute.';

create or replace function ops.wake_stranded() returns table (kind text, id uuid, name text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  as $$
    declare
      found jsonb;
    begin
      select coalesce(jsonb_agg(jsonb_build_object('kind', stranded.kind, 'id', stranded.id, 'name', stranded.name)), '[]')
      into found
      from ops.stranded_detail as stranded
      where stranded.why = 'not_woken';
      perform ops.wake_lanes(
        array(select (each ->> 'id')::uuid from jsonb_array_elements(found) as each where each ->> 'kind' = 'hook' order by 1),
        array(select (each ->> 'id')::uuid from jsonb_array_elements(found) as each where each ->> 'kind' = 'channel' order by 1)
      );
      if found <> '[]' then
        perform ops.note_action(
          'wake_stranded', array(select each ->> 'id' from jsonb_array_elements(found) as each), jsonb_array_length(found), null
        );
      end if;
      return query select woken.* from jsonb_to_recordset(found) as woken (kind text, id uuid, name text);
    end
  $$;

comment on function ops.wake_stranded() is 'Has hooks and channels served that are due and that nobody was woken for: those of ops.stranded. Workers do the same every minute.';
