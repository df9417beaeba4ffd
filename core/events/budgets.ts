/** Events of budgets: of an organization, or of one of its workspaces. */
import { declare, messagesOf, type NotificationSpec, type ToldEvent } from './declaration.ts'
import type { BudgetUsage, WorkspaceBudget } from './subjects.ts'
import { joined, named, notificationText, text, usd } from './words.ts'

type Data = { budget: BudgetUsage | WorkspaceBudget }

const message = messagesOf<Data>(({ budget }, sentence) => {
  const [limit, used] = [usd(budget.budget_monthly_limit_usd), usd(budget.budget_used_usd)]
  const workspace = 'workspace_name' in budget ? budget.workspace_name : null
  const { budget_monthly_limit_usd, budget_used_usd } = budget
  const share = budget_monthly_limit_usd ? Math.floor((100 * budget_used_usd) / budget_monthly_limit_usd) : Number.NaN
  return {
    sentence,
    subject: joined(' – ', text(workspace, 80), used && limit && `${used} of ${limit}`),
    facts: [
      ['Workspace', text(workspace)],
      ['Limit', limit],
      ['Used', used],
      ['Share', Number.isNaN(share) ? null : `${share}%`],
    ],
  }
})

/** Tells the owner and admins; of a workspace's budget, its admins. */
const tells =
  (title: (whose: string, budget: BudgetUsage) => string, consequence: string | null) =>
  ({ data: { budget }, ...at }: ToldEvent<Data>): NotificationSpec => {
    const { budget_monthly_limit_usd, budget_used_usd, budget_alert_threshold, usage_percent } = budget
    const spent = `${usd(budget_used_usd)} of ${usd(budget_monthly_limit_usd ?? 0)} spent this month.`
    const whose = named(at.workspace_name ?? at.organization_name)
    return {
      type: 'budget_alert',
      resource: at.workspace_id ? ['workspace', at.workspace_id] : ['organization', at.organization_id],
      data: { budget_monthly_limit_usd, budget_used_usd, budget_alert_threshold, usage_percent },
      text: () => notificationText(title(whose, budget), at, joined(' ', spent, consequence)),
      admins: true,
    }
  }

const about = {
  data: { budget: 'budget' },
  scope: 'organization',
} as const

export const budgetEvents = {
  'budget.alert': declare({
    ...about,
    when: 'The spend of an organization or workspace exceeds its alert threshold. Once per month, and again after the limit or threshold is changed.',
    sample: { budget: { budget_monthly_limit_usd: 100, budget_used_usd: 85.5, usage_percent: 0.855 } },
    message: message(
      'Budget alert',
      'warning',
      'the spend of this month exceeds the alert threshold.',
      'See where the money went, or raise the limit.',
    ),
    notifies: tells((whose, { usage_percent }) => `${whose} has used ${Math.floor(usage_percent * 100)}% of its budget`, null),
    hooks: null,
    slack: 'reply',
  }),
  'budget.exhausted': declare({
    ...about,
    when: 'The spend of an organization or workspace reaches its limit. As often as budget.alert.',
    sample: { budget: { budget_monthly_limit_usd: 100, budget_used_usd: 100.2, usage_percent: 1.002 } },
    message: message(
      'Budget exhausted',
      'bad',
      'the budget of this month is used up: no execution can be created or started.',
      'Raise the limit, or wait for the next month. Running executions continue.',
    ),
    notifies: tells(
      (whose) => `The budget of ${whose} is used up`,
      'No execution can be created or started until the month ends or the limit is raised.',
    ),
    hooks: null,
    slack: 'reply',
  }),
}
