/** Columns of executions, shared by their operations and workflows. */
import { sql } from '../../core/platform/database.ts'
import type { Execution } from './schema.ts'

/** The columns of an execution as the API shows one. */
export const executionColumns = sql`
  id, organization_id, workspace_id, project_id, requirement_id, graph_id, agent, runtime_id, status,
  summary, error, cost_usd, metrics, artifacts, created_by, started_by, started_at, finished_at, created_at, updated_at
`

/** An execution as it appears in events, without its artifacts. */
export function withoutArtifacts({ artifacts: _, ...execution }: Execution): Omit<Execution, 'artifacts'> {
  return execution
}
