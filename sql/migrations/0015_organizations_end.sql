-- An organization that is deleted keeps its row, marked, until the worker has taken away all that lay in it: millions
-- of rows cannot go within one request. Nobody is a member of it any more, so nobody finds anything in it.
alter table organizations add column deleted_at timestamptz(3);

-- What the worker still has to take away.
create index organizations_deleted on organizations (id) where deleted_at is not null;

-- Names of deleted ones are free at once.
alter table organizations
  drop constraint organizations_org_key_key,
  drop constraint organizations_slug_key;

create unique index organizations_org_key_key on organizations (org_key) where deleted_at is null;
create unique index organizations_slug_key on organizations (slug) where deleted_at is null;

-- A deleted organization needs no owner: the key is not asked for while a column of it is null. PostgreSQL 15 cannot
-- change the expression of a column, so it is made anew.
alter table organizations
  drop constraint organizations_owner_is_member,
  drop column owner_role;

alter table organizations
  add column owner_role text generated always as (case when deleted_at is null then 'owner' end) stored,
  add constraint organizations_owner_is_member
    foreign key (id, owner_id, owner_role) references organization_members (organization_id, user_id, role)
    deferrable initially deferred;

-- Its trail goes with it, batch by batch.
create or replace function refuse_delete_before_organization() returns trigger
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

-- Members are counted, and held to the limit, where nobody gets past: on the table itself. An organization begins
-- with none, and its owner is the first.
alter table organizations drop constraint organizations_member_count_check;

alter table organizations
  alter column member_count set default 0,
  add constraint organizations_member_count_check check (member_count >= 0);

create function count_added_members() returns trigger
  language plpgsql
  as $$
    declare
      organizations_counted integer;
    begin
      -- The row lock makes the next one wait and look again.
      update organizations as organization
      set member_count = organization.member_count + added.count
      from (select organization_id, count(*)::integer as count from added_members group by organization_id) as added
      where organization.id = added.organization_id
        and organization.deleted_at is null
        and (organization.max_members is null or organization.member_count + added.count <= organization.max_members);
      get diagnostics organizations_counted = row_count;
      if organizations_counted < (select count(distinct organization_id) from added_members) then
        raise exception 'The organization is deleted, or has all the members that it may have'
          using errcode = 'check_violation', constraint = 'organizations_max_members';
      end if;
      return null;
    end
  $$;

create function count_removed_members() returns trigger
  language plpgsql
  as $$
    begin
      update organizations as organization
      set member_count = organization.member_count - removed.count
      from (select organization_id, count(*)::integer as count from removed_members group by organization_id) as removed
      where organization.id = removed.organization_id
        and organization.deleted_at is null;
      return null;
    end
  $$;

create trigger organization_members_added after insert on organization_members
  referencing new table as added_members
  for each statement execute function count_added_members();

create trigger organization_members_removed after delete on organization_members
  referencing old table as removed_members
  for each statement execute function count_removed_members();

update organizations as organization
set member_count = counted.count
from (select organization_id, count(*)::integer as count from organization_members group by organization_id) as counted
where counted.organization_id = organization.id
  and counted.count <> organization.member_count;

-- An organization's members, newest first.
create index organization_members_joined on organization_members (organization_id, joined_at desc, user_id desc);

-- A workspace's members, newest first.
create index workspace_members_joined on workspace_members (workspace_id, joined_at desc, user_id desc);
