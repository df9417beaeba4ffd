-- One row is a project in which agents have called tools: when first, and when last, to the minute.
create table tool_calls (
  project_id      uuid not null,
  organization_id uuid not null,
  first_at        timestamptz(3) not null default now(),
  last_at         timestamptz(3) not null default now(),
  primary key (project_id, organization_id),
  constraint tool_calls_project foreign key (project_id, organization_id)
    references projects (id, organization_id) on delete cascade
);
