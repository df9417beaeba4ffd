-- One row is what agents have sent in a project: calls of tools, or telemetry; when first, and when last, to the minute.
create table agent_activity (
  project_id      uuid not null,
  organization_id uuid not null,
  kind            text not null check (kind in ('call', 'telemetry')),
  first_at        timestamptz(3) not null default now(),
  last_at         timestamptz(3) not null default now(),
  primary key (project_id, organization_id, kind),
  constraint agent_activity_project foreign key (project_id, organization_id)
    references projects (id, organization_id) on delete cascade
);
