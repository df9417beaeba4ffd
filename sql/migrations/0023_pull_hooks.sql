-- Pull hooks: CI systems that cannot be reached claim their dispatches. They wait in the same queue as those that are sent.

-- `mode` is fixed when the hook is made. Of the token with which dispatches are claimed, only the hash is stored.
alter table deployment_hooks
  add column mode            text not null default 'push' check (mode in ('push', 'pull')),
  add column pull_token_hash bytea check (octet_length(pull_token_hash) = 32),
  alter column url drop not null,
  add constraint deployment_hooks_mode check (
    case mode
      when 'pull' then url is null and headers is null and header_names = '{}'
      else url is not null and pull_token_hash is null
    end
  );

create function refuse_other_mode() returns trigger
  language plpgsql
  as $$
    begin
      raise exception 'The mode of a hook is fixed.' using errcode = 'integrity_constraint_violation';
    end
  $$;

create trigger deployment_hooks_mode before update of mode on deployment_hooks
  for each row when (old.mode <> new.mode)
  execute function refuse_other_mode();

-- Workers never serve the lane of a pull hook.
alter table lanes
  add column is_pull boolean not null default false,
  add constraint lanes_pull check (not is_pull or owner_id is null);

-- The lease of a claimed dispatch: from when, and until when. While it is leased it is due at the end of the lease, so that a
-- claim reads only what it may take. By the clock of the database alone.
alter table deliveries
  add column leased_at   timestamptz(3),
  add column lease_until timestamptz(3),
  add constraint deliveries_lease check (
    case when lease_until is null then leased_at is null else due_at = lease_until and leased_at < lease_until end
  );

-- Leases that have run out.
create index deliveries_lease_until on deliveries (lease_until) where lease_until is not null;

-- Those of one hook: each claim looks for them.
create index deliveries_lane_leases on deliveries (lane_id, lease_until) where lease_until is not null;

-- The lease that an attempt was; null for a request. Whoever acknowledges a lease again, because the response was lost, is
-- recognized by it.
alter table dispatch_attempts add column lease_until timestamptz(3);

-- A dispatch has one lease. It ends, and its attempt is recorded, before there is another.
create function refuse_second_lease() returns trigger
  language plpgsql
  as $$
    begin
      raise exception 'Dispatch % is leased until %.', old.id, old.lease_until
        using errcode = 'integrity_constraint_violation';
    end
  $$;

create trigger deliveries_one_lease before update of lease_until on deliveries
  for each row when (old.lease_until is not null and new.lease_until <> old.lease_until)
  execute function refuse_second_lease();
