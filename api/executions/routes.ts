import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Nothing, Page } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
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
import { Completion, Execution, ExecutionInput, ExecutionQuery, Failure, Usage } from './schema.ts'

const tag = 'Executions'
const answers = { 200: Execution }
const errors = ['invalid_transition' as const]

export const executions = new Elysia({ name: 'executions', prefix: '/api/v1' })
  .use(access)
  .get('/requirements/:requirement_id/executions', ({ requirement, query }) => listExecutions(sql, requirement, query), {
    requirement: 'member',
    ...operation({
      tag,
      id: 'listExecutions',
      summary: 'The executions of a requirement',
      query: ExecutionQuery,
      answers: { 200: Page(Execution) },
    }),
  })
  .post(
    '/requirements/:requirement_id/executions',
    ({ caller, requirement, change, body }) =>
      change(
        201,
        (tx) => createExecution(tx, caller, requirement, body),
        ({ id }) => `/api/v1/executions/${id}`,
      ),
    {
      requirement: 'member',
      ...operation({
        tag,
        id: 'createExecution',
        summary: 'Queue an execution',
        description:
          'Executions that share a `graph_id` are one run of a workflow graph: `workflow.completed` is raised when the last of them ends.',
        body: ExecutionInput,
        answers: { 201: Execution },
        errors: ['budget_exhausted'],
      }),
    },
  )
  .get('/executions/:execution_id', ({ execution }) => getExecution(sql, execution), {
    execution: 'member',
    ...operation({ tag, id: 'getExecution', summary: 'An execution', answers }),
  })
  .post(
    '/executions/:execution_id/start',
    ({ caller, execution, change }) => change(200, (tx) => startExecution(tx, caller, execution)),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'startExecution',
        summary: 'Start an execution',
        description: '`queued → running`.',
        body: Nothing,
        answers,
        errors: [...errors, 'budget_exhausted'],
      }),
    },
  )
  .post(
    '/executions/:execution_id/complete',
    ({ caller, execution, change, body }) => change(200, (tx) => completeExecution(tx, caller, execution, body)),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'completeExecution',
        summary: 'Complete an execution',
        description:
          '`running → completed`. One that waits for a gate cannot complete. `cost_usd` is added to what was reported before.',
        body: Completion,
        answers,
        errors,
      }),
    },
  )
  .post(
    '/executions/:execution_id/fail',
    ({ caller, execution, change, body }) => change(200, (tx) => failExecution(tx, caller, execution, body)),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'failExecution',
        summary: 'Fail an execution',
        description: '`running → failed` and `awaiting_gate → failed`. Its pending gates become `cancelled`.',
        body: Failure,
        answers,
        errors,
      }),
    },
  )
  .post(
    '/executions/:execution_id/cancel',
    ({ caller, execution, change }) => change(200, (tx) => cancelExecution(tx, caller, execution)),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'cancelExecution',
        summary: 'Cancel an execution',
        description: 'Any unfinished one becomes `cancelled`, and so do its pending gates.',
        body: Nothing,
        answers,
        errors,
      }),
    },
  )
  .post(
    '/executions/:execution_id/usage',
    ({ caller, execution, change, body }) => change(200, (tx) => reportUsage(tx, caller, execution, body.cost_usd)),
    {
      execution: 'member',
      ...operation({
        tag,
        id: 'reportUsage',
        summary: 'Report spend',
        description:
          'Added to what was reported before. Allowed once the execution was started, also when it has ended. A report that would raise a sum of money above 1,000,000,000,000 USD is refused with 422 (`amount_out_of_range`).',
        body: Usage,
        answers,
        errors,
      }),
    },
  )
