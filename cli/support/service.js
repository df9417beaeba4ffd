/** Requests to a service, repeated while it cannot be reached. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.js'
import { send } from './http.js'
import { onTerminal, printProgress } from './terminal.js'

/** How long commands repeat a request, unless they say otherwise. */
const PATIENCE_MS = 5_000
/** Longer than the service waits before it answers. */
const TIMEOUT_MS = 35_000
const MAX_DELAY_MS = 30_000
/** The longest wait that an answer can ask for. What stands in between may ask for days, and a timer counts no more than 24. */
const MAX_RETRY_AFTER_MS = 300_000

/**
 * Whether a response means that the service is away or busy, and not that the request was wrong.
 *
 * @param {number} status
 */
export const isPassing = (status) => status >= 500 || status === 408 || status === 425 || status === 429

/**
 * @typedef {object} Patience
 * @property {number} [ms] how long the request is repeated; a request that was sent is waited for
 * @property {AbortSignal} [stopping] ends the request and the wait for the next try
 * @property {(response: import('./http.js').HttpResponse) => string | null} [objection] why a response is none yet, so that the request is repeated
 */

/**
 * @param {number} ms
 * @param {AbortSignal | undefined} signal ends the pause
 */
export const pause = (ms, signal) => sleep(Math.max(0, ms), undefined, { signal }).catch(() => {})

/**
 * Sends a request, and sends it again while the service cannot be reached or is busy.
 *
 * @param {string} url
 * @param {import('./http.js').HttpRequest} options
 * @param {string} name of the service, for people
 * @param {Patience} [patience]
 * @returns {Promise<import('./http.js').HttpResponse>} the last response
 * @throws {Failure} `unreachable` without any response; `stopped`
 */
export async function request(url, options, name, { ms = PATIENCE_MS, stopping, objection } = {}) {
  const until = performance.now() + ms
  for (let tries = 1; ; tries++) {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    let delay = Math.min(MAX_DELAY_MS, 125 * 2 ** tries)
    let cause = ''
    /** @type {import('./http.js').HttpResponse | null} */
    let response = null
    try {
      response = await send(url, { ...options, signals: stopping ? [stopping, timeout] : [timeout] })
      const objected = isPassing(response.status) ? `${name} answered ${response.status}` : objection?.(response)
      if (!objected) return response
      cause = objected
      const after = response.headers['retry-after'] ?? ''
      // Seconds or a date.
      const asked = Number(after) * 1000 || Date.parse(after) - Date.now() || 0
      delay = Math.max(delay, Math.min(asked, MAX_RETRY_AFTER_MS))
    } catch (error) {
      if (error instanceof Failure) throw error
      const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
      cause = `${name} cannot be reached (${timeout.aborted ? 'no answer' : onTerminal(code ?? message)})`
    }
    if (stopping?.aborted) throw new Failure('Stopped.', { code: 'stopped' })
    if (performance.now() + delay > until) {
      if (response) return response
      throw new Failure(`${cause}: ${new URL(url).origin}`, {
        code: 'unreachable',
        next: /CERT|SIGNATURE/.test(cause)
          ? 'If its certificate is from an authority of your own, name that in NODE_EXTRA_CA_CERTS.'
          : 'Check the URL (--url or SIGNALBOX_URL), the network, and HTTPS_PROXY if there is a proxy.',
      })
    }
    printProgress(`${cause}; trying again`)
    await pause(delay, stopping)
  }
}
