/** Reports of an agent on the outcomes of dispatches. */
import { apiClient } from '../support/api.js'
import { refusalOf } from '../support/dispatches.js'
import { pause } from '../support/service.js'

/** For how long a report is repeated. */
const PATIENCE_MS = 600_000
/** How long a report may take before the next one of the dispatch replaces it. */
const TURN_MS = 2_000
/** How long reports may take once the agent stops. */
const LAST_MS = 3_000

/** Those that are under way. @type {Set<Promise<void>>} */
const reports = new Set()

/**
 * What reports on a dispatch, if it has a rollout. Nothing waits for a report: the address that the service names for itself is
 * not used, and what cannot be reported must neither hold up nor repeat a deployment.
 *
 * @param {string} url that the agent claims from
 * @param {import('../support/dispatches.js').Claimed} claimed
 * @param {(what: string) => void} step prints
 * @returns {(state: 'in_progress' | 'succeeded' | 'failed') => void}
 */
export function reporter(url, { dispatch, headers }, step) {
  const token = headers['X-Signalbox-Report-Token']
  if (!token) return () => {}
  const client = apiClient(url, { token: async () => token, renew: async () => false, source: 'the dispatch', next: '' })
  let before = Promise.resolve()
  let replace = () => {}
  return (state) => {
    const replaced = new AbortController()
    /**
     * @param {Promise<void>} earlier
     * @param {() => void} giveUp
     */
    const send = async (earlier, giveUp) => {
      await Promise.race([earlier, pause(TURN_MS, undefined)])
      giveUp()
      const options = {
        body: { state },
        patience: { ms: PATIENCE_MS, stopping: replaced.signal },
        answer: { rollout: { state: '' } },
      }
      const refusal = await refusalOf(client.ask('POST', `/dispatches/${dispatch.id}/report`, options))
      if (refusal && !replaced.signal.aborted) step(`could not report ${state}: ${refusal}`)
    }
    const sent = send(before, replace).finally(() => reports.delete(sent))
    reports.add(sent)
    before = sent
    replace = () => replaced.abort()
  }
}

/** Waits until the reports that are under way have arrived, for a short time. */
export const lastReports = () => Promise.race([Promise.all(reports), pause(LAST_MS, undefined)])
