import { Elysia } from 'elysia'
import { organizationBudget } from '../../core/budgets/budgets.ts'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { Budget, listSpend, Spend, SpendQuery, spendOrder } from './budgets.ts'

export const budgets = new Elysia({ name: 'budgets', prefix: '/api/v1/organizations', tags: ['Budgets'] })
  .use(access)
  .get(
    '/:org_id/budget',
    ({ organization }) => organizationBudget(sql, organization.id),
    operation('organization', 'admin', {
      id: 'getBudget',
      summary: 'Get the budget of an organization',
      description:
        'Spend is reported by executions and counted in the calendar month (UTC) of the report. Spend of deleted resources remains in `budget_used_usd`, but belongs to no workspace. `budget.alert` is emitted when the spend exceeds the threshold, `budget.exhausted` when it reaches the limit: each once a month, and again only after the limit or the threshold was changed. While the budget is exhausted, executions cannot be created or started (409 `budget_exhausted`); running ones can still report usage.',
      responses: { 200: Budget },
    }),
  )
  .get(
    '/:org_id/budget/history',
    async ({ request, organization, query }) => {
      const entries = await listed(request, query, spendOrder(query), (slice) => listSpend(sql, organization, query, slice))
      return entries.map(({ key: _, ...entry }) => entry)
    },
    operation('organization', 'admin', {
      id: 'getBudgetHistory',
      summary: 'List the monthly spend of an organization',
      description:
        'Newest month first; months without spend are left out. With `group_by`, one entry per month and workspace, project, agent or model, including deleted ones.',
      query: SpendQuery,
      responses: { 200: Type.Array(Spend) },
    }),
  )
