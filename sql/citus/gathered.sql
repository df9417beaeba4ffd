-- The tables of tenants as the views of `ops` read them on a cluster. Each function reads from all nodes what is open (waiting,
-- or failed in the last day), so that a view can join and search it on the coordinator in ways in which Citus cannot read from
-- many nodes. The views find these in place of the tables by their search path.
--
-- If a node is away, what is on it is missing, or everything; `ops.health` names the node.
--
-- The columns are those that the views show. Everyone who may read the views may call the functions, so they return no secrets
-- and no bodies.
drop schema if exists gathered, gathered_day cascade;
create schema gathered;
create schema gathered_day;

create function gathered.read_organizations()
  returns table (id uuid, slug text, deleted_at timestamptz(3))
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query select o.id, o.slug, o.deleted_at from organizations as o;
    exception when connection_exception then return; end
  $$;
create view gathered.organizations as select * from gathered.read_organizations();

create function gathered.read_workspaces()
  returns table (id uuid, organization_id uuid, name text)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query select w.id, w.organization_id, w.name from workspaces as w;
    exception when connection_exception then return; end
  $$;
create view gathered.workspaces as select * from gathered.read_workspaces();

create function gathered.read_projects()
  returns table (id uuid, organization_id uuid, name text)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query select p.id, p.organization_id, p.name from projects as p;
    exception when connection_exception then return; end
  $$;
create view gathered.projects as select * from gathered.read_projects();

create function gathered.read_lanes()
  returns table (
    id uuid, organization_id uuid, kind text, hook_id uuid, channel_id uuid, owner_id uuid, error_code text, is_pull boolean,
    sequence bigint
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select l.id, l.organization_id, l.kind, l.hook_id, l.channel_id, l.owner_id, l.error_code, l.is_pull, l.sequence::bigint
        from lanes as l;
    exception when connection_exception then return; end
  $$;
create view gathered.lanes as select * from gathered.read_lanes();

create function gathered.read_lane_health()
  returns table (
    lane_id uuid, organization_id uuid, failures integer, first_failure_at timestamptz, last_success_at timestamptz,
    last_failure_at timestamptz, held_until timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select
          h.lane_id, h.organization_id, h.failures::integer, h.first_failure_at::timestamptz, h.last_success_at::timestamptz,
          h.last_failure_at::timestamptz, h.held_until::timestamptz
        from lane_health as h;
    exception when connection_exception then return; end
  $$;
create view gathered.lane_health as select * from gathered.read_lane_health();

create function gathered.read_deployment_hooks()
  returns table (
    id uuid, organization_id uuid, project_id uuid, name text, url text, enabled boolean, disabled_reason text, paused boolean
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query select h.id, h.organization_id, h.project_id, h.name, ops.origin(h.url), h.enabled, h.disabled_reason, h.paused
        from deployment_hooks as h;
    exception when connection_exception then return; end
  $$;
create view gathered.deployment_hooks as select * from gathered.read_deployment_hooks();

create function gathered.read_notification_channels()
  returns table (
    id uuid, organization_id uuid, workspace_id uuid, name text, channel_type text, config jsonb, enabled boolean,
    disabled_reason text
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select
          c.id, c.organization_id, c.workspace_id, c.name, c.channel_type,
          jsonb_build_object('url', ops.origin(c.config ->> 'url'), 'smtp_host', c.config ->> 'smtp_host'),
          c.enabled, c.disabled_reason
        from notification_channels as c;
    exception when connection_exception then return; end
  $$;
create view gathered.notification_channels as select * from gathered.read_notification_channels();

create function gathered.read_deliveries()
  returns table (id uuid, organization_id uuid, lane_id uuid, due_at timestamptz, attempt_count integer, is_test boolean)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query select d.id, d.organization_id, d.lane_id, d.due_at::timestamptz, d.attempt_count::integer, d.is_test
        from deliveries as d;
    exception when connection_exception then return; end
  $$;
create view gathered.deliveries as select * from gathered.read_deliveries();

create function gathered.read_outbox()
  returns table (
    id uuid, organization_id uuid, name text, created_at timestamptz, drained_at timestamptz, failed_at timestamptz,
    retry_at timestamptz,
    attempts integer, error text
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select
          e.id, e.organization_id, e.name, e.created_at::timestamptz, e.drained_at::timestamptz, e.failed_at::timestamptz,
          e.retry_at::timestamptz, e.attempts::integer, e.error
        from outbox as e
        where e.drained_at is null;
    exception when connection_exception then return; end
  $$;
create view gathered.outbox as select * from gathered.read_outbox();

create function gathered.read_unsuccessful_deliveries()
  returns table (
    id uuid, organization_id uuid, lane_id uuid, kind text, event text, status text, first_id uuid, completed_at timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select u.id, u.organization_id, u.lane_id, u.kind, u.event, u.status, u.first_id, u.completed_at::timestamptz
        from unsuccessful_deliveries as u
        where u.status = 'failed'
          and u.completed_at > now() - interval '24 hours';
    exception when connection_exception then return; end
  $$;
create view gathered.unsuccessful_deliveries as select * from gathered.read_unsuccessful_deliveries();

-- Those that wait, those that failed in the last day, and the redeliveries of these. Each is in one of the three.
create function gathered.read_dispatches()
  returns table (
    id uuid, organization_id uuid, hook_id uuid, event text, status text, attempt_count integer, max_attempts integer,
    error jsonb,
    redelivery_of uuid, created_at timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select
          d.id, d.organization_id, d.hook_id, d.event, d.status, d.attempt_count::integer, d.max_attempts::integer, d.error,
          d.redelivery_of, d.created_at::timestamptz
        from dispatches as d
        join deliveries as q on q.id = d.id and q.organization_id = d.organization_id
        where d.status = 'pending';
      return query
        select
          d.id, d.organization_id, d.hook_id, d.event, d.status, d.attempt_count::integer, d.max_attempts::integer, d.error,
          d.redelivery_of, d.created_at::timestamptz
        from dispatches as d
        join unsuccessful_deliveries as u on u.id = d.id and u.organization_id = d.organization_id
        where d.status = 'failed'
          and u.status = 'failed'
          and u.completed_at > now() - interval '24 hours';
      return query
        select distinct
          d.id, d.organization_id, d.hook_id, d.event, d.status, d.attempt_count::integer, d.max_attempts::integer, d.error,
          d.redelivery_of, d.created_at::timestamptz
        from unsuccessful_deliveries as u
        join dispatches as d on d.redelivery_of = u.first_id and d.organization_id = u.organization_id
        where d.status not in ('pending', 'failed')
          and u.status = 'failed'
          and u.completed_at > now() - interval '24 hours';
    exception when connection_exception then return; end
  $$;
create view gathered.dispatches as select * from gathered.read_dispatches();

create function gathered.read_channel_messages()
  returns table (
    id uuid, organization_id uuid, channel_id uuid, event text, status text, attempt_count integer, max_attempts integer,
    error jsonb,
    created_at timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select
          m.id, m.organization_id, m.channel_id, m.event, m.status, m.attempt_count::integer, m.max_attempts::integer, m.error,
          m.created_at::timestamptz
        from channel_messages as m
        join deliveries as q on q.id = m.id and q.organization_id = m.organization_id
        where m.status = 'pending';
      return query
        select
          m.id, m.organization_id, m.channel_id, m.event, m.status, m.attempt_count::integer, m.max_attempts::integer, m.error,
          m.created_at::timestamptz
        from channel_messages as m
        join unsuccessful_deliveries as u on u.id = m.id and u.organization_id = m.organization_id
        where m.status = 'failed'
          and u.status = 'failed'
          and u.completed_at > now() - interval '24 hours';
    exception when connection_exception then return; end
  $$;
create view gathered.channel_messages as select * from gathered.read_channel_messages();

create function gathered.read_dispatch_attempts()
  returns table (dispatch_id uuid, organization_id uuid, number integer, response_status integer, error jsonb)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select a.dispatch_id, a.organization_id, a.number::integer, a.response_status::integer, a.error
        from dispatch_attempts as a
        join deliveries as q on q.id = a.dispatch_id and q.organization_id = a.organization_id
        where a.number = q.attempt_count;
      return query
        select a.dispatch_id, a.organization_id, a.number::integer, a.response_status::integer, a.error
        from dispatch_attempts as a
        join unsuccessful_deliveries as u on u.id = a.dispatch_id and u.organization_id = a.organization_id
        where u.status = 'failed'
          and u.completed_at > now() - interval '24 hours';
    exception when connection_exception then return; end
  $$;
create view gathered.dispatch_attempts as select * from gathered.read_dispatch_attempts();

create function gathered.read_channel_attempts()
  returns table (message_id uuid, organization_id uuid, number integer, response_status integer, error jsonb)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select a.message_id, a.organization_id, a.number::integer, a.response_status::integer, a.error
        from channel_attempts as a
        join deliveries as q on q.id = a.message_id and q.organization_id = a.organization_id
        where a.number = q.attempt_count;
      return query
        select a.message_id, a.organization_id, a.number::integer, a.response_status::integer, a.error
        from channel_attempts as a
        join unsuccessful_deliveries as u on u.id = a.message_id and u.organization_id = a.organization_id
        where u.status = 'failed'
          and u.completed_at > now() - interval '24 hours';
    exception when connection_exception then return; end
  $$;
create view gathered.channel_attempts as select * from gathered.read_channel_attempts();

-- For the views of the last day: everything of that day.
create function gathered_day.read_dispatches()
  returns table (
    id uuid, organization_id uuid, hook_id uuid, status text, attempt_count integer, created_at timestamptz
  )
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select d.id, d.organization_id, d.hook_id, d.status, d.attempt_count::integer, d.created_at::timestamptz
        from dispatches as d
        where d.created_at > now() - interval '26 hours';
    exception when connection_exception then return; end
  $$;
create view gathered_day.dispatches as select * from gathered_day.read_dispatches();

create function gathered_day.read_channel_messages()
  returns table (id uuid, organization_id uuid, channel_id uuid, status text, attempt_count integer, created_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select m.id, m.organization_id, m.channel_id, m.status, m.attempt_count::integer, m.created_at::timestamptz
        from channel_messages as m
        where m.created_at > now() - interval '26 hours';
    exception when connection_exception then return; end
  $$;
create view gathered_day.channel_messages as select * from gathered_day.read_channel_messages();

create function gathered_day.read_dispatch_attempts()
  returns table (dispatch_id uuid, organization_id uuid, number integer, started_at timestamptz, duration_ms integer, error jsonb)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select a.dispatch_id, a.organization_id, a.number::integer, a.started_at::timestamptz, a.duration_ms::integer, a.error
        from dispatch_attempts as a
        where a.started_at > now() - interval '26 hours';
    exception when connection_exception then return; end
  $$;
create view gathered_day.dispatch_attempts as select * from gathered_day.read_dispatch_attempts();

create function gathered_day.read_channel_attempts()
  returns table (message_id uuid, organization_id uuid, number integer, started_at timestamptz, duration_ms integer, error jsonb)
  language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp
  as $$
    begin
      return query
        select a.message_id, a.organization_id, a.number::integer, a.started_at::timestamptz, a.duration_ms::integer, a.error
        from channel_attempts as a
        where a.started_at > now() - interval '26 hours';
    exception when connection_exception then return; end
  $$;
create view gathered_day.channel_attempts as select * from gathered_day.read_channel_attempts();
