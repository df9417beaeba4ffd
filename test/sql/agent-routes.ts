/** A call of a tool of agents. */
import { message } from '../mcp/agents.ts'
import type { Actor } from '../support/signalbox.ts'
import type { Walk } from './walk.ts'

/** Calls one tool: they call operations, which the walk calls as well. */
export async function walkTools(walk: Walk, ada: Actor): Promise<void> {
  const { body, headers } = message({}, 'tools/call', { name: 'list_work', arguments: { project_id: walk.ids.project_id } })
  await walk.call(ada, 'POST /mcp', body, headers)
}
