/** Servers speak the same protocol in several ages of it: what one of them turned down is not sent to it again. */

/** The parts of a request that not every server knows. */
export interface Accepted {
  format: 'json_schema' | 'json_object' | 'text'
  temperature: boolean
  limit: 'max_tokens' | 'max_completion_tokens'
}

const LESS = { json_schema: 'json_object', json_object: 'text', text: 'text' } as const

/**
 * Learns from a refusal.
 *
 * @param accepted is changed
 * @param sent what the refused request was made with
 * @returns whether it is worth another try
 */
export function yieldTo(accepted: Accepted, sent: Accepted, status: number | undefined, message: string): boolean {
  if (status !== 400 && status !== 422) return false
  if (/max_tokens/.test(message) && sent.limit === 'max_tokens') accepted.limit = 'max_completion_tokens'
  else if (/temperature/.test(message) && sent.temperature) accepted.temperature = false
  else if (/response_format|json_schema|json_object/.test(message) && sent.format !== 'text') accepted.format = LESS[sent.format]
  else return false
  return true
}
