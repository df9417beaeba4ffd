import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { Type } from '../../core/values/schema.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { AgentLimit, AgentLimitsInput, listAgentLimits, setAgentLimits } from './agent-limits.ts'

export const agentLimits = new Elysia({ name: 'agent-limits', prefix: '/api/v1/organizations', tags: ['Budgets'] })
  .use(access)
  .get(
    '/:org_id/agent-limits',
    ({ organization }) => listAgentLimits(sql, organization.id),
    operation('organization', 'admin', {
      id: 'listAgentLimits',
      summary: 'List the limits of agents',
      responses: { 200: Type.Array(AgentLimit) },
    }),
  )
  .put(
    '/:org_id/agent-limits',
    ({ request, caller, organization, change, body }) =>
      change(200, (tx) => setAgentLimits(tx, caller, organization, request, body)),
    operation('organization', 'admin', {
      id: 'setAgentLimits',
      summary: 'Replace the limits of agents',
      description:
        'The whole list, at most 200. `max_cost_usd` is what the executions of an agent may cost in a calendar month (UTC), in all projects together. Once that is reached, executions of the agent cannot be created or started (409 `budget_exhausted`); running ones continue, and can still report usage.',
      body: AgentLimitsInput,
      responses: { 200: Type.Array(AgentLimit) },
    }),
  )
