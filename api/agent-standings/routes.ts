import { Elysia } from 'elysia'
import { sql } from '../../core/platform/database.ts'
import { access } from '../plugins/access.ts'
import { operation } from '../plugins/operation.ts'
import { AgentStandings, StandingsQuery } from './schema.ts'
import { listStandings } from './standings.ts'

export const agentStandings = new Elysia({ name: 'agent-standings', prefix: '/api/v1/organizations', tags: ['Budgets'] })
  .use(access)
  .get(
    '/:org_id/agent-standings',
    ({ organization, query }) => listStandings(sql, organization.id, query),
    operation('organization', 'admin', {
      id: 'getAgentStandings',
      summary: 'Compare the agents of an organization',
      description:
        'The outcomes of the executions that were created in the given months, in all workspaces, by agent. For admins, as the spend is. Each rate has the count that it stands on and its 95% Wilson interval, which is wide with few cases. Agents with at least 20 cases are ranked by the worse end of the interval, or by the mean; equal ones share a rank. Comparisons count if they were created in the months, with the agents that they name. Rollouts count for the agents of the execution whose gate they follow, or of the workflow that they deploy, whenever they ended; a rollout was rolled back if the next dispatch of its hook is a rollback. `caveats` says what the figures cannot tell. See [Usage and costs](/docs/usage#agents-compared).',
      query: StandingsQuery,
      responses: { 200: AgentStandings },
    }),
  )
