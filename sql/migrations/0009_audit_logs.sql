-- One row is who did what, written in the transaction of what was done. Names are kept as they were.
create table audit_log_entries (
  id              uuid primary key default uuidv7(),
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
  created_at      timestamptz(3) not null default now()
);

-- An organization's trail, newest first.
create index audit_log_entries_organization on audit_log_entries (organization_id, id desc);

create trigger audit_log_entries_no_update before update on audit_log_entries
  for each statement execute function refuse_change();

create trigger audit_log_entries_no_truncate before truncate on audit_log_entries
  for each statement execute function refuse_change();

-- Entries go with their organization and in no other way: when a cascade arrives here, the organization's
-- row is gone already.
create function refuse_delete_before_organization() returns trigger
  language plpgsql
  as $$
    begin
      if exists (select from organizations where id = old.organization_id) then
        raise exception 'DELETE of % is refused: its rows are evidence', tg_table_name
          using errcode = 'restrict_violation';
      end if;
      return old;
    end
  $$;

create trigger audit_log_entries_no_delete before delete on audit_log_entries
  for each row execute function refuse_delete_before_organization();
