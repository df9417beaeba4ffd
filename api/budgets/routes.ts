import { Elysia } from 'elysia'
import { organizationBudget } from '../../core/budgets.ts'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listed } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import { listSpend } from './budgets.ts'
import { Budget, Spend, SpendQuery } from './schema.ts'

const tag = 'Budgets'

export const budgets = new Elysia({ name: 'budgets', prefix: '/api/v1/organizations' })
  .use(access)
  .get('/:org_id/budget', ({ organization }) => organizationBudget(sql, organization.id), {
    organization: 'admin',
    ...operation({
      tag,
      id: 'getBudget',
      summary: 'The budget of an organization',
      description:
        'Spend is what executions report, counted in the calendar month (UTC) in which it is reported. What was deleted since stays in `budget_used_usd`, and is in no workspace. `budget.alert` is raised when the spend exceeds the threshold, `budget.exhausted` when it reaches the limit: once a month each, and again only after the limit or the threshold was changed. Once it is exhausted, no execution is created or started (409 `budget_exhausted`); running ones may still report.',
      responses: { 200: Budget },
    }),
  })
  .get(
    '/:org_id/budget/history',
    async ({ request, organization, query }) => {
      const entries = await listed(request, query, (slice) => listSpend(sql, organization.id, query, slice))
      return entries.map(({ id: _, ...entry }) => entry)
    },
    {
      organization: 'admin',
      ...operation({
        tag,
        id: 'getBudgetHistory',
        summary: 'The spend of an organization, month by month',
        description:
          'The newest month first; months without spend are left out. With `group_by` there is an entry for each workspace, project or agent in each month, also for those that were deleted since.',
        query: SpendQuery,
        responses: { 200: Type.Array(Spend) },
      }),
    },
  )
