-- The tables of tenants as the views of `ops` read them on a cluster. Each function reads from all nodes what is open (waiting, or failed in
-- the last day), so that a view can join and search it on the coordinator. The views find these in place of the tables by their search path.
-- If a node is away, what is on it is missing, or everything; `ops.health` names the node. The columns are those that the views show:
-- everyone who may read the views may call the functions, so they return no secrets and no bodies.
drop schema if exists gathered, gathered_day cascade;
create schema gathered;
create schema gathered_day;

-- Creates a view of the columns in each of the sources, one after the other, and the function behind it.
create or replace function pg_temp.gather(place text, name text, shown text, variadic sources text[]) returns void
  language plpgsql
  as $gather$
    declare
      queries text[] := array(select format('select %s from %s', shown, source) from unnest(sources) as source);
      columns text;
    begin
      execute 'create temporary view gathered_columns as ' || queries[1];
      select string_agg(format('%I %s', attname, format_type(atttypid, null)), ', ' order by attnum)
      into columns
      from pg_attribute
      where attrelid = 'pg_temp.gathered_columns'::regclass
        and attnum > 0;
      drop view pg_temp.gathered_columns;
      execute format(
        $create$
          create function %1$I.read_%2$s() returns table (%3$s)
            language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
            as $read$
              #variable_conflict use_column
              begin
                return query %4$s;
              exception when connection_exception then return; end
            $read$
        $create$,
        place, name, columns, array_to_string(queries, '; return query ')
      );
      execute format('create view %1$I.%2$I as select * from %1$I.read_%2$s()', place, name);
    end
  $gather$;

select pg_temp.gather('gathered', name, shown, concat_ws(' where ', name, condition))
from (
  values
    ('organizations', 'id, slug, deleted_at', null),
    ('workspaces', 'id, organization_id, name', null),
    ('projects', 'id, organization_id, name', null),
    ('lanes', 'id, organization_id, kind, hook_id, channel_id, owner_id, error_code, is_pull, sequence', null),
    ('lane_health', 'lane_id, organization_id, failures, first_failure_at, last_success_at, last_failure_at, held_until', null),
    (
      'deployment_hooks',
      'id, organization_id, project_id, name, ops.origin(url) as url, enabled, disabled_reason, paused', null
    ),
    (
      'notification_channels',
      $$
        id, organization_id, workspace_id, name, channel_type, enabled, disabled_reason,
        jsonb_build_object('url', ops.origin(config ->> 'url'), 'smtp_host', config ->> 'smtp_host') as config
      $$,
      null
    ),
    ('deliveries', 'id, organization_id, lane_id, due_at, attempt_count, is_test', null),
    ('github_installations', 'id, organization_id, account_login, status', null),
    ('github_requests', 'id, organization_id, lane_id, due_at', 'due_at is not null'),
    ('waiting_events', 'id, organization_id, created_at, failed_at, retry_at, attempts, error', null),
    (
      'outbox', 'id, organization_id, name, created_at',
      '(id, organization_id) in (select id, organization_id from waiting_events)'
    ),
    (
      'unsuccessful_deliveries', 'id, organization_id, lane_id, kind, event, status, first_id, completed_at',
      $$status = 'failed' and completed_at > now() - interval '24 hours'$$
    )
) as open (name, shown, condition);

-- Those that wait, those that failed in the last day, and the redeliveries of these. Each is in one of the three.
select pg_temp.gather(
  'gathered', 'dispatches',
  $$
    distinct d.id, d.organization_id, d.hook_id, d.event, d.status, d.attempt_count, d.max_attempts, d.error, d.redelivery_of,
    d.created_at
  $$,
  $$dispatches as d join deliveries as q on q.id = d.id and q.organization_id = d.organization_id where d.status = 'pending'$$,
  $$
    dispatches as d join unsuccessful_deliveries as u on u.id = d.id and u.organization_id = d.organization_id
    where d.status = 'failed' and u.status = 'failed' and u.completed_at > now() - interval '24 hours'
  $$,
  $$
    unsuccessful_deliveries as u join dispatches as d on d.redelivery_of = u.first_id and d.organization_id = u.organization_id
    where d.status not in ('pending', 'failed') and u.status = 'failed' and u.completed_at > now() - interval '24 hours'
  $$
);

select pg_temp.gather(
  'gathered', 'channel_messages',
  'm.id, m.organization_id, m.channel_id, m.event, m.status, m.attempt_count, m.max_attempts, m.error, m.created_at',
  $$
    channel_messages as m join deliveries as q on q.id = m.id and q.organization_id = m.organization_id where m.status = 'pending'
  $$,
  $$
    channel_messages as m join unsuccessful_deliveries as u on u.id = m.id and u.organization_id = m.organization_id
    where m.status = 'failed' and u.status = 'failed' and u.completed_at > now() - interval '24 hours'
  $$
);

-- The last attempts of what waits, and all of what failed in the last day.
select pg_temp.gather(
  'gathered', attempts, format('a.%s, a.organization_id, a.number, a.response_status, a.error', key),
  format(
    '%s as a join deliveries as q on q.id = a.%s and q.organization_id = a.organization_id where a.number = q.attempt_count',
    attempts, key
  ),
  format(
    $$
      %s as a join unsuccessful_deliveries as u on u.id = a.%s and u.organization_id = a.organization_id
      where u.status = 'failed' and u.completed_at > now() - interval '24 hours'
    $$,
    attempts, key
  )
)
from (values ('dispatch_attempts', 'dispatch_id'), ('channel_attempts', 'message_id')) as kind (attempts, key);

-- For the views of the last day: everything of that day.
select pg_temp.gather('gathered_day', name, shown, format($$%s where %s > now() - interval '26 hours'$$, name, moment))
from (
  values
    ('dispatches', 'id, organization_id, hook_id, status, attempt_count, created_at', 'created_at'),
    ('channel_messages', 'id, organization_id, channel_id, status, attempt_count, created_at', 'created_at'),
    ('dispatch_attempts', 'dispatch_id, organization_id, number, started_at, duration_ms, error', 'started_at'),
    ('channel_attempts', 'message_id, organization_id, number, started_at, duration_ms, error', 'started_at')
) as of_day (name, shown, moment);
