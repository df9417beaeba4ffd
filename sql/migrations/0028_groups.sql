-- Groups of people: policies name those whose members approve gates.

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
