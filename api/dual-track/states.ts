/** The state machine of comparisons. */

export type ComparisonStatus = 'created' | 'comparing' | 'compared' | 'failed' | 'decided' | 'cancelled'

const TRANSITIONS: Record<ComparisonStatus, readonly ComparisonStatus[]> = {
  // A person can decide without a comparison.
  created: ['comparing', 'decided', 'cancelled'],
  comparing: ['compared', 'failed', 'cancelled'],
  compared: ['comparing', 'decided', 'cancelled'],
  failed: ['comparing', 'decided', 'cancelled'],
  decided: [],
  cancelled: [],
}

/** Whether a comparison may change from one status to another. */
export const isTransition = (from: ComparisonStatus, to: ComparisonStatus): boolean => TRANSITIONS[from].includes(to)
