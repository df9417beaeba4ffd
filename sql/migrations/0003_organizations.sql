-- One row is a tenant. Its counters enforce its limits: whoever adds a member or a workspace raises the
-- counter first, and the row lock makes the next one wait and look again.
create table organizations (
  id                       uuid primary key default uuidv7(),
  name                     text not null check (length(name) between 1 and 120),
  org_key                  text not null,
  slug                     text not null,
  owner_id                 uuid not null references users,
  description              text check (length(description) <= 2000),
  logo_url                 text check (length(logo_url) <= 2048),
  settings                 jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  budget_monthly_limit_usd numeric(15, 6) check (budget_monthly_limit_usd >= 0),
  budget_alert_threshold   numeric(7, 6) not null default 0.80 check (budget_alert_threshold > 0 and budget_alert_threshold <= 1),
  registration_mode        text not null default 'invite-only' check (registration_mode in ('open', 'invite-only')),
  max_workspaces           integer check (max_workspaces >= 1),
  max_members              integer check (max_members >= 1),
  member_count             integer not null default 1 check (member_count >= 1),
  workspace_count          integer not null default 0 check (workspace_count >= 0),
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  constraint organizations_org_key_key unique (org_key),
  constraint organizations_slug_key unique (slug)
);

-- Counters are no change of the organization: they must not turn away an `If-Match`.
create trigger organizations_touch
  before update of name, owner_id, description, logo_url, settings, budget_monthly_limit_usd, budget_alert_threshold,
                   registration_mode, max_workspaces, max_members
  on organizations
  for each row execute function touch();

-- One row is a user's place in an organization.
create table organization_members (
  organization_id uuid not null references organizations on delete cascade,
  user_id         uuid not null references users on delete cascade,
  role            text not null check (role in ('owner', 'admin', 'member')),
  joined_at       timestamptz(3) not null default now(),
  constraint organization_members_pkey primary key (organization_id, user_id),
  constraint organization_members_role_key unique (organization_id, user_id, role)
);

-- "My organizations".
create index organization_members_user on organization_members (user_id, organization_id);

-- Exactly one owner. At most one by the index; at least one, and the one that the organization names, by
-- the deferred key, which is checked when the transaction ends.
create unique index organization_members_owner on organization_members (organization_id) where role = 'owner';

alter table organizations
  add column owner_role text not null generated always as ('owner') stored,
  add constraint organizations_owner_is_member
    foreign key (id, owner_id, owner_role) references organization_members (organization_id, user_id, role)
    deferrable initially deferred;

-- Spend per calendar month (UTC). It outlives the workspaces that it was spent in.
create table organization_spend (
  organization_id uuid not null references organizations on delete cascade,
  month           date not null check (extract(day from month) = 1),
  used_usd        numeric(18, 6) not null default 0 check (used_usd >= 0),
  primary key (organization_id, month)
);
