/** The client: openapi-fetch with a token, idempotency keys, and retries. */
import createOpenApiClient from 'openapi-fetch'

const MAX_TRIES = 5
const MAX_DELAY_MS = 120_000

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 */
const sleep = (ms, signal) =>
  /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', abort)
        resolve()
      }, ms)
      signal.addEventListener('abort', abort, { once: true })
    })
  )

/**
 * When to send a request again.
 *
 * @param {Response} response
 * @returns {number | null} milliseconds; null for a response that is final
 */
function retryDelay({ status, headers }) {
  if (status !== 429 && status !== 503) return null
  const after = headers.get('retry-after') ?? '1'
  const ms = Number(after) * 1000
  // A date, or what cannot be read.
  const delay = Number.isNaN(ms) ? Date.parse(after) - Date.now() : ms
  if (Number.isNaN(delay)) return 1000
  return delay <= MAX_DELAY_MS ? Math.max(0, delay) : null
}

/** @type {typeof import('./index.js').createClient} */
export function createClient({ url, token, fetch = globalThis.fetch }) {
  const client = /** @type {import('./index.js').SignalboxClient} */ (
    createOpenApiClient({
      baseUrl: url,
      async fetch(request) {
        for (let tries = 1; ; tries++) {
          // A clone, because the body of a request can be sent only once.
          const response = await fetch(request.clone())
          const delay = retryDelay(response)
          if (delay === null || tries === MAX_TRIES) return response
          await response.body?.cancel()
          await sleep(delay, request.signal)
          request.signal.throwIfAborted()
        }
      },
    })
  )
  client.use({
    async onRequest({ request: { method, headers } }) {
      if (!headers.has('authorization'))
        headers.set('Authorization', `Bearer ${typeof token === 'function' ? await token() : token}`)
      // The same in every try, so that what was done is not done again.
      if (method === 'POST' && !headers.has('idempotency-key')) headers.set('Idempotency-Key', crypto.randomUUID())
    },
  })
  return client
}
