-- The audit log is shown, filtered and counted by time, by action and by actor. Actions are compared byte by byte
-- (collation C), so that `member.*` is a range of the index.
create index audit_log_entries_time on audit_log_entries (organization_id, created_at desc, id desc);
create index audit_log_entries_action on audit_log_entries (organization_id, action collate "C", created_at desc, id desc);
create index audit_log_entries_actor on audit_log_entries (organization_id, actor_id, created_at desc, id desc);
drop index audit_log_entries_organization;

-- One row is an entry that is not sealed yet. Seals stand apart from the entries, so that not even the sealer has to
-- change what is evidence; this says what it has still to do.
create table audit_log_unsealed (
  organization_id uuid not null references organizations on delete cascade,
  entry_id        uuid not null,
  primary key (organization_id, entry_id)
  -- Rows come and go: what is left of them would soon be most of what a count has to read over.
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- Nothing here is ever updated, so that only this has pages marked as visible to all, without which the index alone
-- answers nothing.
alter table audit_log_entries set (autovacuum_vacuum_insert_scale_factor = 0.01);

-- One row is the seal of an entry: its place in the chain of its organization, and the hash over the entry and the hash
-- before it (`core/audit-chain.ts` says over what exactly). It holds no key to the entry: if that is ever taken away,
-- its seal remains and says so.
create table audit_log_seals (
  organization_id uuid not null references organizations on delete cascade,
  -- Without gaps, from 1: it counts the entries, too.
  seq             bigint not null check (seq >= 1),
  entry_id        uuid not null,
  hash            bytea not null check (octet_length(hash) = 32),
  primary key (organization_id, seq),
  constraint audit_log_seals_once unique (entry_id)
);

create trigger audit_log_seals_no_update before update on audit_log_seals
  for each statement execute function refuse_change();

create trigger audit_log_seals_no_truncate before truncate on audit_log_seals
  for each statement execute function refuse_change();

create trigger audit_log_seals_no_delete before delete on audit_log_seals
  for each row execute function refuse_delete_before_organization();

-- One row counts the sealed entries of one day (UTC), action and actor: totals are sums of these, and of what is not
-- sealed yet.
create table audit_log_counts (
  organization_id uuid not null references organizations on delete cascade,
  action          text collate "C" not null,
  actor_id        uuid,
  day             date not null,
  entries         bigint not null check (entries >= 1),
  constraint audit_log_counts_key unique nulls not distinct (organization_id, action, actor_id, day)
);

-- A trigger rather than the application: an entry that nobody asked to be sealed would be in no total, and an old
-- version that still runs asks for nothing.
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

insert into audit_log_unsealed (organization_id, entry_id) select organization_id, id from audit_log_entries;
