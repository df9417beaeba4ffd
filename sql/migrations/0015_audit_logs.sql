-- One row is who did what, written in the transaction of what was done. Names are stored as they were then. Rows are only ever
-- inserted: frequent vacuums after inserts mark their pages as visible to all, which index-only scans need.
create table audit_log_entries (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  workspace_id    uuid,
  workspace_name  text,
  actor_type      text not null check (actor_type in ('human', 'token', 'system')),
  actor_id        uuid,
  actor_name      text not null,
  action          text not null,
  resource_type   text not null,
  resource_id     uuid,
  detail          text not null,
  ip_address      text,
  created_at      timestamptz(3) not null default now(),
  primary key (id, organization_id)
) with (autovacuum_vacuum_insert_scale_factor = 0.01);

-- The log is listed, filtered and counted by time, by action and by actor. Actions are compared byte by byte (collation C), so
-- that `member.*` is a range of the index.
create index audit_log_entries_time on audit_log_entries (organization_id, created_at desc, id desc);
create index audit_log_entries_action on audit_log_entries (organization_id, action collate "C", created_at desc, id desc);
create index audit_log_entries_actor on audit_log_entries (organization_id, actor_id, created_at desc, id desc);

-- The audit log of one workspace, as a page shows it.
create index audit_log_entries_workspace on audit_log_entries (organization_id, workspace_id, created_at desc, id desc)
  where workspace_id is not null;

-- The name of its workspace is stored with an entry, as it is at that moment.
create function name_workspace() returns trigger
  language plpgsql
  as $$
    begin
      select name into new.workspace_name
      from workspaces
      where id = new.workspace_id
        and organization_id = new.organization_id;
      return new;
    end
  $$;

create trigger audit_log_entries_name_workspace before insert on audit_log_entries
  for each row when (new.workspace_id is not null and new.workspace_name is null)
  execute function name_workspace();

create trigger audit_log_entries_no_update before update on audit_log_entries
  for each statement execute function refuse_change();

create trigger audit_log_entries_no_truncate before truncate on audit_log_entries
  for each statement execute function refuse_change();

-- Entries are deleted with their organization alone: by the worker, batch by batch, once the organization is marked as deleted.
create function refuse_delete_before_organization() returns trigger
  language plpgsql
  as $$
    begin
      if exists (select from organizations where id = old.organization_id and deleted_at is null) then
        raise exception 'DELETE of % is refused: its rows are evidence', tg_table_name
          using errcode = 'restrict_violation';
      end if;
      return old;
    end
  $$;

create trigger audit_log_entries_no_delete before delete on audit_log_entries
  for each row execute function refuse_delete_before_organization();

-- One row is an entry that is not sealed yet. Separate from the entries, so that not even the sealer has to change evidence. Rows
-- come and go: without early vacuums, dead ones would soon be most of what a count reads.
create table audit_log_unsealed (
  organization_id uuid not null references organizations on delete cascade,
  entry_id        uuid not null,
  primary key (organization_id, entry_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- A trigger, so that every entry is sealed: one that is neither sealed nor waits for it would be in no total.
create function await_seal() returns trigger
  language plpgsql
  as $$
    begin
      insert into audit_log_unsealed (organization_id, entry_id) select organization_id, id from written;
      return null;
    end
  $$;

create trigger audit_log_entries_await_seal after insert on audit_log_entries
  referencing new table as written
  for each statement execute function await_seal();

-- The next tenants with entries that are not sealed, after one. A loose index scan, as in `waiting_tenants`. The queue changes
-- faster than its statistics: with outdated ones, PostgreSQL would sort it for every call.
create function unsealed_tenants(after uuid, most integer) returns setof uuid
  language sql stable
  set enable_bitmapscan = off
  set enable_seqscan = off
  set enable_sort = off
  as $$
    with recursive waiting as (
      (
        select organization_id, 1 as place
        from audit_log_unsealed
        where organization_id > after
        order by organization_id
        limit 1
      )
      union all
      select next.organization_id, waiting.place + 1
      from waiting
      cross join lateral (
        select organization_id
        from audit_log_unsealed
        where organization_id > waiting.organization_id
        order by organization_id
        limit 1
      ) as next
      where waiting.place < most
    )
    select organization_id from waiting
  $$;

-- One row is the seal of an entry: its place in the chain of its organization, and the hash over the entry and the previous hash
-- (`core/security/audit-chain.ts` says over what exactly). It has no foreign key to the entry: if that is ever removed, its seal
-- remains and shows it.
create table audit_log_seals (
  organization_id uuid not null references organizations on delete cascade,
  -- Without gaps, from 1: it counts the entries, too.
  seq             bigint not null check (seq >= 1),
  entry_id        uuid not null,
  hash            bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, seq),
  constraint audit_log_seals_once unique (entry_id, organization_id)
);

create trigger audit_log_seals_no_update before update on audit_log_seals
  for each statement execute function refuse_change();

create trigger audit_log_seals_no_truncate before truncate on audit_log_seals
  for each statement execute function refuse_change();

create trigger audit_log_seals_no_delete before delete on audit_log_seals
  for each row execute function refuse_delete_before_organization();

-- One row counts the sealed entries of one day (UTC), action and actor: totals are sums of these, and of what is not sealed
-- yet.
create table audit_log_counts (
  organization_id uuid not null references organizations on delete cascade,
  action          text collate "C" not null,
  actor_id        uuid,
  day             date not null,
  entries         bigint not null check (entries >= 1),
  constraint audit_log_counts_key unique nulls not distinct (organization_id, action, actor_id, day)
);
