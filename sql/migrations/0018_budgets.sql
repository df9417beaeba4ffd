-- A change of limit or threshold begins a new epoch, in which a budget can be crossed anew. Held here, so that nobody
-- who changes one can forget it; setting what is set already begins none.
alter table organizations add column budget_epoch integer not null default 0;
alter table workspaces add column budget_epoch integer not null default 0;

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

-- One row is a budget that was crossed: its alert threshold, or its limit. The key is what makes the event of it be
-- told once; with the month in it, nothing has to be reset.
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

-- A workspace that is deleted takes its crossings with it.
create index budget_crossings_workspace on budget_crossings (workspace_id, organization_id) where workspace_id is not null;

-- One row is what one agent spent in one project in one month. It holds no key to workspace and project: what was
-- deleted since stays counted.
create table agent_spend (
  organization_id uuid not null references organizations on delete cascade,
  month           date not null check (extract(day from month) = 1),
  workspace_id    uuid not null,
  project_id      uuid not null,
  agent           text not null,
  used_usd        numeric(18, 6) not null default 0 check (used_usd >= 0),
  primary key (organization_id, month, workspace_id, project_id, agent)
);
