-- Indexes of ours on the jobs of graphile_worker, whose own serve nothing but taking the next one. They are made here
-- and not by a migration, because that schema is made after the migrations. All of them are partial: nothing of a job
-- that runs or has failed is in the large ones, and nothing of one that waits in the small ones.

-- What waits, by kind of work.
create index if not exists ops_jobs_task on graphile_worker._private_jobs (task_id, run_at)
  where locked_at is null and attempts < max_attempts;

-- What waits, by tenant. The flag of a job's tenant is `org:<id>`; text, so that no job is refused for what its flags say.
create index if not exists ops_jobs_tenant on graphile_worker._private_jobs (
  (coalesce(jsonb_path_query_first(flags, '$.keyvalue() ? (@.key starts with "org:").key') #>> '{}', '')), task_id, run_at
) where locked_at is null and attempts < max_attempts;

-- What runs, or is held by a worker that died.
create index if not exists ops_jobs_locked on graphile_worker._private_jobs (locked_at) where locked_at is not null;

-- What was given up.
create index if not exists ops_jobs_failed on graphile_worker._private_jobs (id) where locked_at is null and attempts >= max_attempts;
