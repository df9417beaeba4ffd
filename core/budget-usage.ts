/** Budgets as reports and events show them. */

/** A budget and its use in this month, as in reports and events. */
export interface BudgetUsage {
  budget_monthly_limit_usd: number | null
  budget_used_usd: number
  budget_alert_threshold: number
  /** Used divided by limit; 0 without a limit, 1 with a limit of 0. */
  usage_percent: number
}

export interface WorkspaceBudget extends BudgetUsage {
  workspace_id: string
  workspace_name: string
}
