import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { listedPage, NEWEST_FIRST } from '../plugins/lists.ts'
import { operation } from '../plugins/operation.ts'
import {
  cancelExecution,
  completeExecution,
  createExecution,
  failExecution,
  getExecution,
  listExecutions,
  reportUsage,
  startExecution,
} from './executions.ts'
import { Completion, Execution, ExecutionInput, ExecutionQuery, Failure, StartInput, Usage } from './schema.ts'

const responses = { 200: Execution }
const errors = ['invalid_transition' as const]

export const executions = new Elysia({ name: 'executions', prefix: '/api/v1', tags: ['Executions'] })
  .use(access)
  .get(
    '/requirements/:requirement_id/executions',
    ({ request, requirement, query }) =>
      listedPage(request, query, NEWEST_FIRST, (page) => listExecutions(sql, requirement, page)),
    operation('requirement', 'member', {
      scopes: ['work:read', 'executions:write'],
      id: 'listExecutions',
      summary: 'List the executions of a requirement',
      query: ExecutionQuery,
      responses: { 200: Page(Execution) },
    }),
  )
  .post(
    '/requirements/:requirement_id/executions',
    ({ caller, requirement, change, body }) =>
      change(201, (tx) => createExecution(tx, caller, requirement, body), '/api/v1/executions'),
    operation('requirement', 'member', {
      scopes: ['executions:write'],
      id: 'createExecution',
      summary: 'Queue an execution',
      description:
        'With `start`, it is running at once. Executions with the same `graph_id` form one run of a workflow graph: `workflow.completed` is emitted when the last of them ends.',
      body: ExecutionInput,
      responses: { 201: Execution },
      errors: ['budget_exhausted'],
    }),
  )
  .get(
    '/executions/:execution_id',
    ({ execution }) => getExecution(sql, execution),
    operation('execution', 'member', {
      scopes: ['work:read', 'executions:write', 'usage:write'],
      id: 'getExecution',
      summary: 'Get an execution',
      responses,
    }),
  )
  .post(
    '/executions/:execution_id/start',
    ({ caller, execution, change, body }) => change(200, (tx) => startExecution(tx, caller, execution, body)),
    operation('execution', 'member', {
      scopes: ['executions:write'],
      id: 'startExecution',
      summary: 'Start an execution',
      description: '`queued → running`. `cost_from` and `max_cost_usd` replace what the execution was created with.',
      body: StartInput,
      responses,
      errors: [...errors, 'budget_exhausted'],
    }),
  )
  .post(
    '/executions/:execution_id/complete',
    ({ caller, execution, change, body }) => change(200, (tx) => completeExecution(tx, caller, execution, body)),
    operation('execution', 'member', {
      scopes: ['executions:write'],
      id: 'completeExecution',
      summary: 'Complete an execution',
      description:
        '`running → completed`. Not possible while a gate is pending. `cost_usd` is added to the cost reported before.',
      body: Completion,
      responses,
      errors,
    }),
  )
  .post(
    '/executions/:execution_id/fail',
    ({ caller, execution, change, body }) => change(200, (tx) => failExecution(tx, caller, execution, body)),
    operation('execution', 'member', {
      scopes: ['executions:write'],
      id: 'failExecution',
      summary: 'Fail an execution',
      description: '`running → failed` or `awaiting_gate → failed`. Pending gates become `cancelled`.',
      body: Failure,
      responses,
      errors,
    }),
  )
  .post(
    '/executions/:execution_id/cancel',
    ({ caller, execution, change }) => change(200, (tx) => cancelExecution(tx, caller, execution)),
    operation('execution', 'member', {
      scopes: ['executions:write'],
      id: 'cancelExecution',
      summary: 'Cancel an execution',
      description: 'An unfinished execution and its pending gates become `cancelled`.',
      body: Nothing,
      responses,
      errors,
    }),
  )
  .post(
    '/executions/:execution_id/usage',
    ({ caller, execution, change, body }) => change(200, (tx) => reportUsage(tx, caller, execution, body)),
    operation('execution', 'member', {
      scopes: ['usage:write'],
      id: 'reportUsage',
      summary: 'Report usage',
      description:
        'An amount, or the use of a model with its tokens. `cost_usd` is added to the cost reported before; without it, the cost of a model is computed by the [prices](#setModelPrices) of the organization. Allowed once the execution has started, also after it has ended. A report that would raise a sum above 1,000,000,000,000 USD is rejected with 422 (`amount_out_of_range`). Agents that export telemetry need not report: see [Usage and costs](/docs/usage).',
      body: Usage,
      responses,
      errors,
    }),
  )
