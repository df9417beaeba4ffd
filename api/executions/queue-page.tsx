/** Queues an execution by hand, from the page of its requirement. */
import { action, pageRoutes } from '../pages/page.tsx'
import { requirementPage } from '../requirements/page.tsx'
import { createExecution } from './executions.ts'
import { ExecutionInput } from './schema.ts'

const queue = action(
  '/app/requirements/:requirement_id/executions',
  { requirement: 'member' },
  { on: requirementPage, body: ExecutionInput },
  async ({ caller, requirement, change }, input) => {
    const { id, agent } = await change((tx) => createExecution(tx, caller, requirement, input))
    return { to: `/app/executions/${id}`, notice: `An execution is queued for ${agent}.` }
  },
)

export const queuePages = pageRoutes('queue-pages', queue)
