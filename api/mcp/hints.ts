/** What a model should do when an operation is refused, where its `detail` does not say it. */
import type { ProblemCode } from '../problems.ts'

const ASK = 'You cannot change this: tell the person you work for.'

export const HINTS: Partial<Record<ProblemCode, string>> = {
  validation_failed: 'Correct the arguments that are named, and call the tool again.',
  not_found: 'Check the id: take it from the result of another tool, and do not guess. The token may belong to another project.',
  invalid_transition: 'Do not repeat the call: read the record again, and continue from the state that it is in.',
  gate_open: 'Do not open another one: call wait_for_gate with the id that is named.',
  gate_limit_reached: `Do not open more gates. ${ASK}`,
  budget_exhausted: `Do not start work that costs money. ${ASK}`,
  read_only_token: ASK,
  insufficient_scope: ASK,
  forbidden: ASK,
  person_required: ASK,
  second_factor_required: ASK,
  rate_limited: 'Make fewer calls: wait_for_gate waits for you.',
  idempotency_key_reused: 'Use a new idempotency_key for another change, and the same one only to repeat a call unchanged.',
  idempotency_in_progress: 'Your first call with this key is still running. Repeat the same call in a few seconds.',
  internal: 'Try once more. If it fails again, tell the person you work for.',
  database_unavailable: 'Repeat the same call, with the same idempotency_key.',
  shutting_down: 'Repeat the same call, with the same idempotency_key.',
}
