-- One row is a tenant. Every key of a tenant's table includes the organization, so that the tables can be distributed over
-- many machines with all rows of one organization on one of them (docs/scaling.md). The id comes first in a primary key, so
-- that a row is found by its id alone.
--
-- The counters enforce the limits: a transaction that adds a member or a workspace raises the counter first, and the row lock
-- makes the next transaction wait and look again.
--
-- A deleted organization keeps its row, marked, until the worker has deleted everything in it: millions of rows cannot be
-- deleted within one request. It has no members any more, so no request finds anything in it.
create table organizations (
  id                       uuid primary key default uuidv7(),
  name                     text not null check (length(name) between 1 and 120),
  org_key                  text not null,
  slug                     text not null,
  owner_id                 uuid not null references users,
  -- Null of a deleted organization, which needs no owner: a foreign key is not checked while one of its columns is null.
  owner_role               text generated always as (case when deleted_at is null then 'owner' end) stored,
  description              text check (length(description) <= 2000),
  logo_url                 text check (length(logo_url) <= 2048),
  settings                 jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  budget_monthly_limit_usd usd,
  -- Not rounded: with six decimals, a small threshold would become 0.
  budget_alert_threshold   numeric not null default 0.80 check (budget_alert_threshold > 0 and budget_alert_threshold <= 1),
  budget_epoch             integer not null default 0,
  registration_mode        text not null default 'invite-only' check (registration_mode in ('open', 'invite-only')),
  max_workspaces           integer check (max_workspaces >= 1),
  max_members              integer check (max_members >= 1),
  member_count             integer not null default 0 check (member_count >= 0),
  workspace_count          integer not null default 0 check (workspace_count >= 0),
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  deleted_at               timestamptz(3)
);

-- One row has the names of an organization that is not deleted. They are unique over all organizations, which the table of
-- organizations itself could not enforce on many machines.
create table organization_names (
  organization_id uuid not null,
  org_key         text not null,
  slug            text not null,
  primary key (organization_id),
  constraint organizations_org_key_key unique (org_key),
  constraint organizations_slug_key unique (slug),
  constraint organization_names_organization foreign key (organization_id) references organizations on delete cascade
    deferrable initially deferred
);

-- Makes `deleted_at` part of a key: deleting an organization then waits for transactions that have locked it for their rows, as
-- every foreign key does, and they wait for it.
create unique index organizations_living on organizations (id, owner_role);

-- What the worker still has to delete.
create index organizations_deleted on organizations (id) where deleted_at is not null;

-- Counters are not a change of the organization: an `If-Match` must still hold after one.
create trigger organizations_touch
  before update of name, owner_id, description, logo_url, settings, budget_monthly_limit_usd, budget_alert_threshold,
                   registration_mode, max_workspaces, max_members
  on organizations
  for each row execute function touch();

-- One row is a user's membership of an organization.
create table organization_members (
  organization_id uuid not null references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  role            text not null check (role in ('owner', 'admin', 'member')),
  joined_at       timestamptz(3) not null default now(),
  primary key (organization_id, user_id),
  constraint organization_members_role_key unique (organization_id, user_id, role)
);

-- "My organizations".
create index organization_members_user on organization_members (user_id, organization_id);

-- An organization's members, newest first.
create index organization_members_joined on organization_members (organization_id, joined_at desc, user_id desc);

-- Who is notified of a gate or a budget: the few among many members.
create index organization_members_above on organization_members (organization_id, user_id) where role in ('owner', 'admin');

-- Exactly one owner: at most one by this index, and at least one, the one that the organization names, by the foreign key,
-- which is checked when the transaction ends.
create unique index organization_members_owner on organization_members (organization_id) where role = 'owner';

alter table organizations
  add constraint organizations_owner_is_member
    foreign key (id, owner_id, owner_role) references organization_members (organization_id, user_id, role)
    deferrable initially deferred;

-- Members are counted, and the limit enforced, by triggers, so that no code path can bypass them. An organization starts with
-- none, and its owner is the first.
create function count_added_members() returns trigger
  language plpgsql
  as $$
    declare
      organizations_counted integer;
    begin
      -- The row lock makes the next transaction wait and look again.
      update organizations as organization
      set member_count = organization.member_count + added.count
      from (select organization_id, count(*)::integer as count from added_members group by organization_id) as added
      where organization.id = added.organization_id
        and organization.deleted_at is null
        and (organization.max_members is null or organization.member_count + added.count <= organization.max_members);
      get diagnostics organizations_counted = row_count;
      if organizations_counted < (select count(distinct organization_id) from added_members) then
        raise exception 'violated constraint "organizations_max_members": The organization is deleted, or has all the members that it may have'
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

-- One row is an invitation of an address. It does not count as a member. Only the SHA-256 of the token in the mailed link is
-- stored, and none until the mail is written.
create table invitations (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  email           email_address not null,
  role            text not null check (role in ('admin', 'member')),
  status          text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'revoked', 'expired')),
  invited_by      uuid not null references users,
  token_hash      bytea,
  expires_at      timestamptz(3) not null,
  created_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint invitations_token check (token_hash is null or status = 'pending')
);

-- One pending invitation for each address; an expired one is marked so before another is written.
create unique index invitations_pending on invitations (organization_id, email) where status = 'pending';

-- The user who opens a mailed link.
create unique index invitations_token_hash on invitations (token_hash, organization_id) where token_hash is not null;

-- The invitations of a user, and whether an address may register at all.
create index invitations_email on invitations (email, id desc) where status = 'pending';

-- An organization's invitations, newest first.
create index invitations_organization on invitations (organization_id, created_at desc, id desc);

-- One row is a personal access token, valid until it is deleted; only its SHA-256 is stored. One that names an organization
-- is valid there alone, and is deleted with the membership: the foreign key ensures both.
create table personal_tokens (
  id              uuid primary key default uuidv7(),
  user_id         uuid not null references users on delete cascade,
  organization_id uuid,
  name            text not null check (length(name) between 1 and 120),
  scope           text not null check (scope in ('read', 'write')),
  hash            bytea not null,
  expires_at      timestamptz(3),
  last_used_at    timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  constraint personal_tokens_hash_key unique (hash),
  constraint personal_tokens_member foreign key (organization_id, user_id)
    references organization_members (organization_id, user_id) on delete cascade
);

-- "My tokens", newest first, and how many there are.
create index personal_tokens_user on personal_tokens (user_id, id desc);

-- The tokens that an organization's admins see, and those that are deleted with a membership.
create index personal_tokens_organization on personal_tokens (organization_id, user_id) where organization_id is not null;
