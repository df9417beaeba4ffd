-- A threshold is kept as it was sent. Rounded to six decimals it would differ from what was sent: the same update again would
-- count as a change, and 0.0000001 would be 0, which no threshold can be. Triggers on a column keep its type from being changed.
drop trigger organizations_touch on organizations;
drop trigger organizations_budget_epoch on organizations;
drop trigger workspaces_budget_epoch on workspaces;

alter table organizations alter column budget_alert_threshold type numeric;
alter table workspaces alter column budget_alert_threshold type numeric;

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
