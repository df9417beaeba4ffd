-- One row is a workspace: a group of projects with people of its own.
create table workspaces (
  id                       uuid primary key default uuidv7(),
  organization_id          uuid not null references organizations on delete cascade,
  name                     text not null check (length(name) between 1 and 120),
  workspace_key            text not null,
  description              text check (length(description) <= 10000),
  owner_id                 uuid not null references users,
  budget_monthly_limit_usd numeric(15, 6) check (budget_monthly_limit_usd >= 0),
  budget_alert_threshold   numeric(7, 6) not null default 0.80 check (budget_alert_threshold > 0 and budget_alert_threshold <= 1),
  created_at               timestamptz(3) not null default now(),
  updated_at               timestamptz(3) not null default now(),
  constraint workspaces_workspace_key_key unique (organization_id, workspace_key),
  -- What lies in a workspace repeats its organization; this lets the database hold the two together.
  constraint workspaces_place_key unique (id, organization_id)
);

-- An organization's workspaces, newest first.
create index workspaces_organization on workspaces (organization_id, created_at desc, id desc);

create trigger workspaces_touch before update on workspaces
  for each row execute function touch();

-- One row is a user's place in a workspace; only members of its organization have one.
create table workspace_members (
  workspace_id    uuid not null,
  organization_id uuid not null,
  user_id         uuid not null,
  role            text not null check (role in ('admin', 'member')),
  joined_at       timestamptz(3) not null default now(),
  constraint workspace_members_pkey primary key (workspace_id, user_id),
  constraint workspace_members_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade,
  constraint workspace_members_organization foreign key (organization_id, user_id)
    references organization_members (organization_id, user_id) on delete cascade
);

-- Removing a member of the organization removes their places in its workspaces.
create index workspace_members_user on workspace_members (organization_id, user_id);

create table workspace_spend (
  workspace_id    uuid not null,
  organization_id uuid not null,
  month           date not null check (extract(day from month) = 1),
  used_usd        numeric(18, 6) not null default 0 check (used_usd >= 0),
  primary key (workspace_id, month),
  foreign key (workspace_id, organization_id) references workspaces (id, organization_id) on delete cascade
);

-- One row is a daemon that runs agents for an organization.
create table runtimes (
  id              uuid primary key default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  name            text not null check (length(name) between 1 and 120),
  hostname        text not null check (length(hostname) between 1 and 253),
  agents          text[] not null default '{}',
  owner_id        uuid not null references users,
  last_heartbeat  timestamptz(3) not null default now(),
  created_at      timestamptz(3) not null default now(),
  constraint runtimes_place_key unique (id, organization_id)
);

create index runtimes_organization on runtimes (organization_id, created_at desc, id desc);
