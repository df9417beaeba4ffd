/** One table a state machine: from where, to where. */

export type ExecutionStatus = 'queued' | 'running' | 'awaiting_gate' | 'completed' | 'failed' | 'cancelled'
export type GateStatus = 'pending' | 'approved' | 'rejected' | 'cancelled'
export type RequirementStatus = 'open' | 'in_progress' | 'done' | 'cancelled'
export type DispatchStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled'
export type ComparisonStatus = 'created' | 'comparing' | 'compared' | 'failed' | 'decided' | 'cancelled'

const EXECUTION: Record<ExecutionStatus, readonly ExecutionStatus[]> = {
  queued: ['running', 'cancelled'],
  running: ['awaiting_gate', 'completed', 'failed', 'cancelled'],
  awaiting_gate: ['running', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** Whether an execution may move so. */
export const executionMay = (from: ExecutionStatus, to: ExecutionStatus): boolean => EXECUTION[from].includes(to)

/** Whether nothing can happen to an execution any more. */
export const isFinished = (status: ExecutionStatus): boolean => EXECUTION[status].length === 0

const COMPARISON: Record<ComparisonStatus, readonly ComparisonStatus[]> = {
  // A person may judge without the comparison.
  created: ['comparing', 'decided', 'cancelled'],
  comparing: ['compared', 'failed', 'cancelled'],
  compared: ['comparing', 'decided', 'cancelled'],
  failed: ['comparing', 'decided', 'cancelled'],
  decided: [],
  cancelled: [],
}

/** Whether a comparison may move so. */
export const comparisonMay = (from: ComparisonStatus, to: ComparisonStatus): boolean => COMPARISON[from].includes(to)
