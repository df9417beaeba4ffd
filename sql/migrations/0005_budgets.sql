-- A change of limit or threshold starts a new epoch, in which the budget can be crossed again. A trigger, so that every code
-- path does it; setting the same value again starts none.
create function begin_budget_epoch() returns trigger
  language plpgsql
  as $$
    begin
      new.budget_epoch := old.budget_epoch + 1;
      return new;
    end
  $$;

create trigger organizations_budget_epoch
  before update of budget_monthly_limit_usd, budget_alert_threshold on organizations
  for each row
  when (
    old.budget_monthly_limit_usd is distinct from new.budget_monthly_limit_usd
    or old.budget_alert_threshold is distinct from new.budget_alert_threshold
  )
  execute function begin_budget_epoch();

create trigger workspaces_budget_epoch
  before update of budget_monthly_limit_usd, budget_alert_threshold on workspaces
  for each row
  when (
    old.budget_monthly_limit_usd is distinct from new.budget_monthly_limit_usd
    or old.budget_alert_threshold is distinct from new.budget_alert_threshold
  )
  execute function begin_budget_epoch();

-- One row is what an organization spent in a calendar month (UTC). It includes what was spent in workspaces that were deleted
-- since.
create table organization_spend (
  organization_id uuid not null references organizations on delete cascade,
  month           date not null check (extract(day from month) = 1),
  used_usd        usd not null default 0,
  primary key (organization_id, month)
);

-- One row is what a workspace spent in a calendar month (UTC).
create table workspace_spend (
  workspace_id    uuid not null,
  organization_id uuid not null,
  month           date not null check (extract(day from month) = 1),
  used_usd        usd not null default 0,
  primary key (workspace_id, month, organization_id),
  constraint workspace_spend_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade
);

-- One row is what one agent spent in one project in one month. It has no foreign key to workspace and project: what was spent
-- in deleted ones still counts.
create table agent_spend (
  organization_id uuid not null references organizations on delete cascade,
  month           date not null check (extract(day from month) = 1),
  workspace_id    uuid not null,
  project_id      uuid not null,
  agent           text not null,
  used_usd        usd not null default 0,
  primary key (organization_id, month, workspace_id, project_id, agent)
);

-- One row is a budget that was crossed: its alert threshold, or its limit. The unique key ensures that its event is emitted
-- once. As the month is part of it, nothing has to be reset.
create table budget_crossings (
  organization_id uuid not null references organizations on delete cascade,
  -- Null: the budget of the organization itself.
  workspace_id    uuid,
  month           date not null check (extract(day from month) = 1),
  kind            text not null check (kind in ('alert', 'exhausted')),
  epoch           integer not null,
  crossed_at      timestamptz(3) not null default now(),
  constraint budget_crossings_once unique nulls not distinct (organization_id, workspace_id, month, kind, epoch),
  constraint budget_crossings_workspace foreign key (workspace_id, organization_id)
    references workspaces (id, organization_id) on delete cascade
);

-- Crossings are deleted with their workspace.
create index budget_crossings_workspace on budget_crossings (workspace_id, organization_id) where workspace_id is not null;
