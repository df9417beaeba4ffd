/** The state machine of executions. */

export type ExecutionStatus = 'queued' | 'running' | 'awaiting_gate' | 'completed' | 'failed' | 'cancelled'

const TRANSITIONS: Record<ExecutionStatus, readonly ExecutionStatus[]> = {
  queued: ['running', 'cancelled'],
  running: ['awaiting_gate', 'completed', 'failed', 'cancelled'],
  awaiting_gate: ['running', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

/** Whether an execution may change from one status to another. */
export const isTransition = (from: ExecutionStatus, to: ExecutionStatus): boolean => TRANSITIONS[from].includes(to)

/** Whether a status is final. */
export const isFinal = (status: ExecutionStatus): boolean => TRANSITIONS[status].length === 0
