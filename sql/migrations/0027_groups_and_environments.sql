-- Groups of people, and the policies of environments, which name groups whose members approve gates.

-- One row is a group of members of an organization. Its name is unique without case: `name_key` is the name in one case, made by
-- `nameKey` of api/groups/groups.ts, because lower() depends on the locale of the database.
create table groups (
  id              uuid not null default uuidv7(),
  organization_id uuid not null references organizations on delete cascade,
  name            text not null check (length(name) between 1 and 120),
  name_key        text not null,
  description     text check (length(description) <= 2000),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint groups_name unique (organization_id, name_key)
);

-- An organization's groups, newest first.
create index groups_organization on groups (organization_id, created_at desc, id desc);

create trigger groups_touch before update on groups
  for each row execute function touch();

-- One row is a member of a group. A person who leaves the organization leaves its groups.
create table group_members (
  group_id        uuid not null,
  organization_id uuid not null,
  user_id         uuid not null,
  added_at        timestamptz(3) not null default now(),
  primary key (group_id, user_id, organization_id),
  constraint group_members_group foreign key (group_id, organization_id)
    references groups (id, organization_id) on delete cascade,
  constraint group_members_member foreign key (organization_id, user_id)
    references organization_members (organization_id, user_id) on delete cascade
);

-- The groups of a person, and those that are left with the organization.
create index group_members_user on group_members (organization_id, user_id);

-- One row is the policy of an environment of a project: what its gates require beyond the policy of the workspace. Null: as the
-- workspace says.
create table environment_policies (
  id                    uuid not null default uuidv7(),
  organization_id       uuid not null,
  workspace_id          uuid not null,
  project_id            uuid not null,
  environment           text not null check (length(environment) between 1 and 64),
  required_approvals    integer check (required_approvals between 1 and 10),
  prevent_self_approval boolean,
  expires_in_seconds    integer check (expires_in_seconds between 60 and 2592000),
  decide_via            text[] check (cardinality(decide_via) > 0 and decide_via <@ '{api,app,slack,mail}'),
  require_subject       boolean not null default false,
  require_checks        boolean not null default false,
  require_passkey       boolean not null default false,
  gate_required         boolean not null default false,
  -- A list of at most 20, each once or with a rule, as `api/freezes` reads them.
  freezes               jsonb not null default '[]' check (jsonb_typeof(freezes) = 'array' and jsonb_array_length(freezes) <= 20),
  created_at            timestamptz(3) not null default now(),
  updated_at            timestamptz(3) not null default now(),
  primary key (id, organization_id),
  constraint environment_policies_environment unique (project_id, environment, organization_id),
  constraint environment_policies_project foreign key (project_id, workspace_id, organization_id)
    references projects (id, workspace_id, organization_id) on delete cascade
);

create trigger environment_policies_touch before update on environment_policies
  for each row execute function touch();

-- One row is a group of which a number of members has to approve. The foreign key keeps the groups that policies name. Approvers are
-- deleted with their organization, before its groups are.
create table environment_approvers (
  policy_id       uuid not null,
  organization_id uuid not null references organizations on delete cascade,
  group_id        uuid not null,
  count           integer not null check (count between 1 and 10),
  -- Its place in the list.
  position        integer not null check (position between 1 and 6),
  primary key (policy_id, group_id, organization_id),
  constraint environment_approvers_position unique (policy_id, position, organization_id),
  constraint environment_approvers_policy foreign key (policy_id, organization_id)
    references environment_policies (id, organization_id) on delete cascade,
  constraint environment_approvers_group foreign key (group_id, organization_id)
    references groups (id, organization_id)
);

-- Whether a policy names a group.
create index environment_approvers_group on environment_approvers (group_id, organization_id);
