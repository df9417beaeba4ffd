create view ops.health_detail as
  with
    worker as (
      select
        count(*) filter (where status = 'online') as online,
        count(*) filter (where status <> 'online') as stale
      from ops.workers_detail
    ),
    kinds (kind, plural) as (
      values ('job', 'jobs'), ('event', 'events'), ('dispatch', 'dispatches'), ('message', 'messages')
    ),
    stranded as materialized (
      select * from ops.stranded_detail
    ),
    -- Work that waits although nothing holds it back. `in_progress` work waits for its receiver.
    waiting as (
      select
        kinds.kind,
        kinds.plural,
        coalesce(max(oldest_due_seconds) filter (where not in_progress), 0) as seconds,
        coalesce(max(oldest_due_seconds) filter (where in_progress), 0) as in_progress_seconds,
        (array_agg(
          concat_ws(' ', task, 'of', coalesce(organization, 'all'), case when lane is not null then '(' || lane || ')' end)
          order by in_progress, oldest_due_at
        ) filter (where oldest_due_at is not null))[1] as worst
      from kinds
      left join ops.backlog_detail as backlog
        on backlog.kind = kinds.kind
        and backlog.held_by is null
        -- Stranded destinations have checks of their own; more workers do not help them.
        and not exists (select from stranded where stranded.id = backlog.lane_id)
      group by kinds.kind, kinds.plural
    ),
    failed as (
      select kinds.kind, kinds.plural, count(failed_jobs.id) as count
      from kinds
      left join (
        select kind, id from ops.failed_jobs_detail limit 10000
      ) as failed_jobs on failed_jobs.kind = kinds.kind
      group by kinds.kind, kinds.plural
    ),
    node as materialized (
      select * from ops.nodes()
    ),
    checks (sort_order, name, status, value, detail, hint) as (
      select
        0, 'nodes',
        case when bool_and(online) then 'ok' else 'critical' end,
        count(*) filter (where not online),
        case
          when bool_and(online) then format('%s nodes can be reached', count(*))
          else format(
            '%s of %s nodes cannot be reached: %s',
            count(*) filter (where not online), count(*), string_agg(node, ', ' order by id) filter (where not online)
          )
        end,
        case
          when not bool_and(online)
            then 'The organizations on these nodes get 503 until the nodes are back; nothing is lost. The other checks leave '
              'out what is on them.'
        end
      from node
      having count(*) > 0

      union all
      select
        0, 'clocks',
        case when max(abs(clock_offset)) > 1 then 'critical' else 'ok' end,
        count(*) filter (where abs(clock_offset) > 1),
        case
          when max(abs(clock_offset)) > 1 then string_agg(
            format('%s is %s s %s', node, abs(clock_offset), case when clock_offset > 0 then 'ahead' else 'behind' end),
            ', ' order by id
          ) filter (where abs(clock_offset) > 1)
          else 'all nodes are within a second of the coordinator'
        end,
        case
          when max(abs(clock_offset)) > 1
            then 'Set the clocks by NTP. Until then, gates expire and retries come too early or too late there.'
        end
      from node
      having count(*) > 0

      union all
      select
        0, 'shards', 'ok', count(*),
        string_agg(format('shard %s moves from %s to %s', shard, from_node, to_node), ', ' order by shard),
        'Writes to a shard wait for a moment when its move ends. Progress: select * from citus_rebalance_status();'
      from ops.moving_shards()
      having count(*) > 0

      union all
      select
        1, 'workers',
        case when online = 0 then 'critical' when stale > 0 then 'warning' else 'ok' end,
        online,
        case
          when online = 0 then 'no worker is online'
          when stale > 0 then format('%s online, %s stale', online, stale)
          else format('%s online', online)
        end,
        case
          when online = 0
            then 'Start a worker: bun worker/main.ts, or the worker process of the Procfile. Nothing is lost meanwhile.'
          when stale > 0 then 'A live worker takes over within a minute. To do it now: select * from ops.unlock_dead_workers();'
        end
      from worker

      union all
      select
        2, waiting.plural || '_waiting',
        case
          when seconds > 300 then 'critical'
          when seconds > 60 or in_progress_seconds > 60 then 'warning'
          else 'ok'
        end,
        round(greatest(seconds, in_progress_seconds)),
        case
          when greatest(seconds, in_progress_seconds) > 60
            then format('%s waited %s: %s', waiting.kind, greatest(seconds, in_progress_seconds) * interval '1 second', worst)
          else 'none waits over 60 s'
        end,
        case
          when seconds > 60 and worker.online = 0 then 'Start a worker.'
          when seconds > 60
            then 'Start more workers, or pause the tenant that floods the queue: table ops.tenant_load. See ops.backlog and '
              'the log of the workers.'
          when in_progress_seconds > 60
            then 'Its items are processed one at a time, and the receiver is slow: see ops.hook_health and '
              'ops.channel_health. More workers do not help.'
        end
      from waiting
      cross join worker

      union all
      select
        3, reasons.name,
        case when max(due_seconds) > 300 then 'critical' when count(id) > 0 then 'warning' else 'ok' end,
        count(id),
        case
          when count(id) > 0 then format(
            '%s hooks or channels have due work and %s; the oldest for %s: %s',
            count(id), reasons.problem, max(due_seconds) * interval '1 second',
            (array_agg(concat_ws(' ', kind, stranded.name, 'of', organization) order by due_at))[1]
          )
          else reasons.fine
        end,
        case when count(id) > 0 then reasons.hint end
      from (
        values
          (
            'destinations_stranded', 'not_woken', 'no job to serve it', 'every hook and channel with due work has a job',
            'Live workers add the missing jobs every 30 seconds. To do it now: select * from ops.wake_stranded();'
          ),
          (
            'secrets_unreadable', 'secret_unreadable', 'a secret that no key decrypts',
            'every secret that is needed can be decrypted',
            'Add the key that encrypted it to SECRETS_KEY of the workers, or ask its owner to set a new secret: '
              'table ops.stranded.'
          ),
          (
            'deliveries_broken', 'delivery_error', 'cannot be served', 'every hook and channel can be served',
            'This is a bug in Signalbox: the log of the workers has the error. See table ops.stranded.'
          )
      ) as reasons (name, why, problem, fine, hint)
      left join stranded on stranded.why = reasons.why
      group by reasons.name, reasons.problem, reasons.fine, reasons.hint

      union all
      select
        4, failed.plural || '_failed',
        case when count > 0 then 'warning' else 'ok' end,
        count,
        case when count > 0 then format('%s failed permanently', count) else 'none failed permanently' end,
        case
          when count > 0 and kind = 'event'
            then 'They cannot be fanned out; they block no others and are retried automatically. Why: table '
              'ops.broken_events.'
          when count > 0 and kind = 'job'
            then 'Why: table ops.failed_jobs, with details in ops.failed_jobs_detail. Then paste its retry_sql or '
              'discard_sql. To retry all: select ops.retry_failed();'
          when count > 0 then format(
            'In the last 24 hours: table ops.failed_jobs. Once the receiver works: select ops.retry_failed(%L);',
            case kind when 'dispatch' then 'dispatch_hook' else 'deliver_channel' end
          )
        end
      from failed

      union all
      select
        5, 'jobs_stuck',
        case when count(*) > 0 then 'warning' else 'ok' end,
        count(*),
        case when count(*) > 0 then format('%s locked without progress', count(*)) else 'none is stuck' end,
        case when count(*) > 0 then 'Paste unlock_sql of table ops.stuck_jobs.' end
      from ops.stuck_jobs_detail

      union all
      select
        6, 'crons',
        case when count(*) filter (where overdue) > 0 then 'warning' else 'ok' end,
        count(*) filter (where overdue),
        coalesce('not run for over 25 hours: ' || string_agg(task, ', ') filter (where overdue), 'all ran on time'),
        case when count(*) filter (where overdue) > 0 then 'Is a worker running at night? See table ops.crons.' end
      from ops.crons

      union all
      select
        7, 'sweeps',
        case when count(*) filter (where overdue) > 0 then 'warning' else 'ok' end,
        count(*) filter (where overdue),
        concat_ws(
          '; ',
          'overdue: ' || string_agg(sweep, ', ' order by sweep) filter (where overdue),
          coalesce(
            'last success: ' || string_agg(
              format('%s %s', sweep, coalesce(seconds_since || ' s ago', 'never')), ', '
              order by overdue desc, seconds_since desc nulls first, sweep
            ),
            'no worker has run'
          )
        ),
        case
          when count(*) filter (where overdue) > 0
            then 'The log of the workers has the error. When each last failed: table ops.sweeps.'
        end
      from ops.sweeps

      union all
      select
        8, 'vacuum',
        case when count(*) > 0 then 'warning' else 'ok' end,
        count(*),
        coalesce(
          'held up by ' || string_agg(
            format(
              'process %s (%s) for %s',
              pid, coalesce(nullif(application, ''), 'unnamed'), date_trunc('second', age)
            ),
            ', ' order by age desc
          ),
          'no transaction holds it up'
        ),
        case
          when count(*) > 0
            then 'What was deleted since stays in the tables and makes the queue slow. End it: '
              'select pg_terminate_backend(<process>);'
        end
      from ops.vacuum_holders()

      union all
      select
        9, 'pauses', 'ok', count(*),
        coalesce(string_agg(flag, ', ' order by paused_at), 'nothing is paused'),
        case when count(*) > 0 then 'Paused work waits until ops.resume: table ops.paused.' end
      from ops.paused_detail
    )
  select name as "check", status, value, detail, hint
  from checks
  order by array_position(array['critical', 'warning', 'ok'], status), sort_order, name;

comment on view ops.health_detail is 'Whether the service is healthy, worst check first, and what to do. One row per check; the worst status is the health of the service. Takes as long as ops.backlog and ops.failed_jobs together.';
comment on column ops.health_detail."check" is 'What is checked.';
comment on column ops.health_detail.status is 'ok; warning (failed permanently, or waits over 60 s); critical (no live worker, or waits over 5 minutes). Work that waits for a slow receiver is at most a warning; paused or disabled work is not counted.';
comment on column ops.health_detail.value is 'The number behind it: workers online, seconds of waiting, or a count.';
comment on column ops.health_detail.detail is 'The same in words.';
comment on column ops.health_detail.hint is 'What to do; null if there is nothing to do.';
