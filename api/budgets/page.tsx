/** The budgets of an organization and of a workspace: this month, and the last twelve. */
import type { ComponentChildren } from 'preact'
import { organizationBudget, workspaceBudget } from '../../core/budgets/budgets.ts'
import type { BudgetUsage, WorkspaceBudget } from '../../core/events/subjects.ts'
import { sql } from '../../core/platform/database.ts'
import { OrganizationTabs } from '../organizations/tabs.tsx'
import { percentText } from '../pages/components/measures.tsx'
import { type Column, Empty, Facts, Section, Table } from '../pages/components/structure.tsx'
import { Money, NONE } from '../pages/components/text.tsx'
import { page, pageRoutes } from '../pages/page.tsx'
import { WorkspaceTabs } from '../workspaces/tabs.tsx'
import { listSpend, type Spend } from './budgets.ts'
import { BudgetState, GroupChart, monthOf, SpendChart } from './components.tsx'

const LAST_YEAR = { limit: 12 }

/** Workspaces that the page of an organization lists. */
const MAX_WORKSPACES = 100

const stateOf = (budget: BudgetUsage) => (
  <BudgetState limit={budget.budget_monthly_limit_usd} used={budget.budget_used_usd} threshold={budget.budget_alert_threshold} />
)

function ThisMonth({ of }: { of: BudgetUsage }) {
  const { budget_monthly_limit_usd: limit } = of
  return (
    <Section title="This month">
      <Facts
        of={[
          ['State', stateOf(of)],
          ['Used', <Money usd={of.budget_used_usd} />],
          ['Limit', limit === null ? 'none' : <Money usd={limit} />],
          ['Used of limit', limit === null ? null : percentText(of.usage_percent)],
          ['Alert', limit === null ? null : `above ${percentText(of.budget_alert_threshold)}`],
        ]}
      />
    </Section>
  )
}

const workspaceColumns: Column<WorkspaceBudget>[] = [
  {
    head: 'Workspace',
    main: true,
    cell: ({ workspace_id, workspace_name }) => <a href={`/app/workspaces/${workspace_id}/budget`}>{workspace_name}</a>,
  },
  { head: 'State', cell: stateOf },
  { head: 'Used', numeric: true, cell: ({ budget_used_usd }) => <Money usd={budget_used_usd} /> },
  { head: 'Limit', numeric: true, cell: ({ budget_monthly_limit_usd }) => <Money usd={budget_monthly_limit_usd} /> },
  {
    head: 'Used of limit',
    numeric: true,
    cell: ({ budget_monthly_limit_usd, usage_percent }) =>
      budget_monthly_limit_usd === null ? NONE : percentText(usage_percent),
  },
]

function Workspaces({ of }: { of: WorkspaceBudget[] }) {
  const bySpend = of.toSorted((one, other) => other.budget_used_usd - one.budget_used_usd)
  return (
    <Section title="Workspaces this month" count={of.length}>
      <Table label="Workspaces this month" columns={workspaceColumns} rows={bySpend.slice(0, MAX_WORKSPACES)}>
        No workspaces yet. What executions cost is counted in the workspace of their project.
      </Table>
      {of.length > MAX_WORKSPACES && <p class="hint">The {MAX_WORKSPACES} workspaces with the highest spend.</p>}
    </Section>
  )
}

const monthColumn: Column<Spend> = { head: 'Month', cell: ({ month }) => monthOf(month, 'long') }
const spendColumn: Column<Spend> = { head: 'Spend', numeric: true, cell: ({ used_usd }) => <Money usd={used_usd} /> }

const modelColumns: Column<Spend>[] = [
  { head: 'Model', main: true, cell: ({ model }) => (model ? <bdi>{model}</bdi> : <span class="hint">without a model</span>) },
  monthColumn,
  spendColumn,
]

const agentColumns: Column<Spend>[] = [
  { head: 'Agent', main: true, cell: ({ agent }) => <bdi>{agent}</bdi> },
  monthColumn,
  spendColumn,
]

interface SpendTableProps {
  title: string
  columns: Column<Spend>[]
  rows: (Spend & { key: string })[]
  aside?: ComponentChildren
}

const SpendTable = ({ title, columns, rows, aside }: SpendTableProps) => (
  <Section title={title} aside={aside}>
    {rows.length === 0 ? (
      <Empty>Nothing was spent in the last 12 months.</Empty>
    ) : (
      <>
        <GroupChart title={title} rows={rows} nameOf={({ model, agent }) => agent ?? model ?? 'without a model'} />
        <Table label={title} columns={columns} rows={rows.slice(0, MAX_GROUPS)} />
      </>
    )}
    {rows.length > MAX_GROUPS && <p class="hint">The first {MAX_GROUPS}; the API lists all of them.</p>}
  </Section>
)

const MAX_GROUPS = 50

const readGroups = (of: Parameters<typeof listSpend>[1]) =>
  Promise.all(
    (['model', 'agent'] as const).map((group_by) =>
      listSpend(sql, of, { limit: MAX_GROUPS, group_by }, { limit: MAX_GROUPS + 1, after: null }),
    ),
  )

/** @param home the path of the organization, for its admins */
const Groups = ({ of: [models = [], agents = []], home }: { of: (Spend & { key: string })[][]; home?: string }) => (
  <>
    <SpendTable
      title="Spend by model"
      columns={modelColumns}
      rows={models}
      aside={home && <a href={`${home}/model-prices`}>Prices</a>}
    />
    <SpendTable
      title="Spend by agent"
      columns={agentColumns}
      rows={agents}
      aside={home && <a href={`${home}/agent-limits`}>Limits</a>}
    />
  </>
)

/** The last 12 months, and this month next to them. */
const SpendAndBudget = ({ spend, of }: { spend: Spend[]; of: BudgetUsage }) => (
  <div class="columns">
    <div>
      <Section title="Last 12 months">
        <SpendChart spend={spend} limit={of.budget_monthly_limit_usd} />
      </Section>
    </div>
    <div>
      <ThisMonth of={of} />
    </div>
  </div>
)

const organizationBudgetPage = page('/app/organizations/:org_id/budget', { organization: 'admin' }, async ({ organization }) => {
  const [budget, spend, groups] = await Promise.all([
    organizationBudget(sql, organization.id),
    listSpend(sql, organization, LAST_YEAR, { ...LAST_YEAR, after: null }),
    readGroups(organization),
  ])
  return {
    title: 'Budget',
    main: (
      <>
        <OrganizationTabs of={organization} path={`/app/organizations/${organization.id}/budget`} />
        <SpendAndBudget spend={spend} of={budget} />
        <Workspaces of={budget.workspaces} />
        <Groups of={groups} home={`/app/organizations/${organization.id}`} />
      </>
    ),
  }
})

const workspaceBudgetPage = page('/app/workspaces/:workspace_id/budget', { workspace: 'admin' }, async ({ workspace }) => {
  const [budget, spend, groups] = await Promise.all([
    workspaceBudget(sql, workspace),
    listSpend(sql, workspace, LAST_YEAR, { ...LAST_YEAR, after: null }),
    readGroups(workspace),
  ])
  return {
    title: 'Budget',
    main: (
      <>
        <WorkspaceTabs of={workspace} path={`/app/workspaces/${workspace.id}/budget`} />
        <SpendAndBudget spend={spend} of={budget} />
        <Groups of={groups} />
      </>
    ),
  }
})

export const budgetPages = pageRoutes('budget-pages', organizationBudgetPage, workspaceBudgetPage)
