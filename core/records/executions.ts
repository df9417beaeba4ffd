/** Executions as the database returns them, and their states. */
import { sql } from '../platform/database.ts'
import type { ShownActor } from '../values/schema.ts'

export interface Artifact {
  name: string
  kind?: string
  url?: string
  content?: string
}

/** Where the cost of an execution comes from: amounts that are reported, or its usage of models. */
export type CostFrom = 'reports' | 'telemetry'

interface ModelUsage {
  model: string
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
  reasoning_tokens: number
  cost_usd: number | null
  source: CostFrom
}

export interface Execution {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  requirement_id: string
  graph_id: string
  agent: string
  runtime_id: string | null
  status: ExecutionStatus
  summary: string | null
  error: string | null
  cost_usd: number | null
  cost_from: CostFrom
  reported_cost_usd: number | null
  max_cost_usd: number | null
  usage: ModelUsage[]
  unpriced: number
  metrics: Record<string, number>
  artifacts: Artifact[]
  created_by: string
  actor: ShownActor
  started_by: string | null
  started_at: string | null
  finished_at: string | null
  created_at: string
  updated_at: string
}

/** An execution as events show it: without its artifacts, which may take a megabyte. */
export type ShortExecution = Omit<Execution, 'artifacts'>

export const shortExecutionColumns = sql`
  id, organization_id, workspace_id, project_id, requirement_id, graph_id, agent, runtime_id, status,
  summary, error, cost_usd, cost_from, reported_cost_usd, max_cost_usd,
  usage_of(id, organization_id) as usage, unpriced, metrics, created_by,
  actor_of(created_by, organization_id) as actor, started_by, started_at, finished_at, created_at, updated_at
`

export const executionColumns = sql`${shortExecutionColumns}, artifacts`

export type ExecutionStatus = 'queued' | 'running' | 'awaiting_gate' | 'completed' | 'failed' | 'cancelled'

const TRANSITIONS: Record<ExecutionStatus, readonly ExecutionStatus[]> = {
  queued: ['running', 'cancelled'],
  running: ['awaiting_gate', 'completed', 'failed', 'cancelled'],
  awaiting_gate: ['running', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export const isTransition = (from: ExecutionStatus, to: ExecutionStatus): boolean => TRANSITIONS[from].includes(to)

export const isFinal = (status: ExecutionStatus): boolean => TRANSITIONS[status].length === 0
