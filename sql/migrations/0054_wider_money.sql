-- One type for all money. Requests carry at most 1e9; a sum may grow to 1e12, which is refused by name before an
-- arithmetic error could end the request.
create domain usd as numeric(19, 6) constraint usd_range check (value between 0 and 1e12);

-- PostgreSQL does not change the type of a column that a trigger names.
drop trigger organizations_touch on organizations;
drop trigger organizations_budget_epoch on organizations;
drop trigger workspaces_budget_epoch on workspaces;

-- A threshold is any number in (0, 1]: rounded to six decimals, a small one would be 0.
alter table organizations
  drop constraint organizations_budget_monthly_limit_usd_check,
  alter column budget_monthly_limit_usd type usd,
  alter column budget_alert_threshold type numeric;

alter table workspaces
  drop constraint workspaces_budget_monthly_limit_usd_check,
  alter column budget_monthly_limit_usd type usd,
  alter column budget_alert_threshold type numeric;

alter table executions
  drop constraint executions_cost_usd_check,
  alter column cost_usd type usd;

alter table organization_spend
  drop constraint organization_spend_used_usd_check,
  alter column used_usd type usd;

alter table workspace_spend
  drop constraint workspace_spend_used_usd_check,
  alter column used_usd type usd;

alter table agent_spend
  drop constraint agent_spend_used_usd_check,
  alter column used_usd type usd;

alter table dual_track_comparisons
  drop constraint dual_track_comparisons_cost_usd_check,
  alter column cost_usd type usd;

-- Counters are no change of the organization: they must not turn away an `If-Match`.
create trigger organizations_touch
  before update of name, owner_id, description, logo_url, settings, budget_monthly_limit_usd, budget_alert_threshold,
                   registration_mode, max_workspaces, max_members
  on organizations
  for each row execute function touch();

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
