/** Servers support different versions of the protocol. Features that the server rejects are not used again. */

/** Features of requests that not every server supports. */
export interface ServerFeatures {
  format: 'json_schema' | 'json_object' | 'text'
  temperature: boolean
  limit: 'max_tokens' | 'max_completion_tokens'
}

const FALLBACKS = { json_schema: 'json_object', json_object: 'text', text: 'text' } as const

/**
 * Disables the feature that an error message names.
 *
 * @param supported is modified
 * @param sent the features of the rejected request
 * @returns whether to retry the request
 */
export function disableUnsupported(
  supported: ServerFeatures,
  sent: ServerFeatures,
  status: number | undefined,
  message: string,
): boolean {
  if (status !== 400 && status !== 422) return false
  if (/max_tokens/.test(message) && sent.limit === 'max_tokens') supported.limit = 'max_completion_tokens'
  else if (/temperature/.test(message) && sent.temperature) supported.temperature = false
  else if (/response_format|json_schema|json_object/.test(message) && sent.format !== 'text')
    supported.format = FALLBACKS[sent.format]
  else return false
  return true
}
