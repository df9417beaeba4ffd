-- The lanes of old, which `lanes` and `lane_health` took the place of. Not in the transaction that filled those: to drop a foreign
-- key locks the table that it leads to, and while the old processes wait for that transaction they hold locks there.
lock table deployment_hooks, notification_channels, workers, hook_lanes, hook_receivers, channel_lanes in access exclusive mode;

drop table hook_receivers, hook_lanes, channel_lanes;
drop function if exists ops.wake_lanes(uuid[], uuid[]);

-- Jobs that wait name their lane from here on. A database that no release has finished has no jobs.
do $$
  begin
    if to_regclass('graphile_worker.jobs') is null then return; end if;
    perform graphile_worker.add_job(
      task_identifier, json_build_object('lane_id', split_part(key, ':', 2)), run_at := run_at, job_key := key,
      priority := priority::integer, flags := array(select jsonb_object_keys(flags))
    )
    from graphile_worker.jobs
    where task_identifier in ('dispatch_hook', 'deliver_channel')
      and key is not null;
  end
$$;
