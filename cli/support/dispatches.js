/** Claiming and acknowledging the dispatches of pull hooks. */
import { pause } from './service.js'

/**
 * @typedef {object} Claimed
 * @property {{ id: string, event: string, sequence: number | null, attempt_count: number }} dispatch
 * @property {string} payload
 * @property {Record<string, string>} headers
 * @property {string} lease_until
 */

/** @typedef {'succeeded' | 'failed' | 'retry'} Outcome */

const WAIT_SECONDS = 25
/** How long after a claim that got nothing the next one comes, if it was answered at once. */
const PAUSE_MS = 1_000
const CLAIMED = { dispatch: { id: '', event: '' }, payload: '', headers: {}, lease_until: '' }

/** For as long as it takes. */
const FOREVER = Number.POSITIVE_INFINITY

/**
 * Claims dispatches, waiting for them.
 *
 * @param {import('./api.js').Api} client
 * @param {string} hook
 * @param {{ limit: number, lease_seconds: number }} input
 * @param {AbortSignal} stopping
 * @returns {Promise<Claimed[]>} empty if there were none, or the command stops
 */
export async function claim(client, hook, input, stopping) {
  const path = `/deployment-hooks/${encodeURIComponent(hook)}/claim`
  const body = { ...input, wait: WAIT_SECONDS }
  const begun = performance.now()
  try {
    const claimed = await client.ask('POST', path, {
      body,
      patience: { ms: FOREVER, stopping },
      keyless: true,
      answer: [CLAIMED],
    })
    if (claimed.length === 0) await pause(PAUSE_MS - (performance.now() - begun), stopping)
    return claimed
  } catch (error) {
    if (stopping.aborted) return []
    throw error
  }
}

/**
 * The outcomes of dispatches whose acknowledgement did not arrive, by id: claimed again, they are acknowledged and not done again.
 *
 * @type {Map<string, { outcome: Outcome, detail: string }>}
 */
const unacknowledged = new Map()

/**
 * The outcome of a dispatch when it was claimed before.
 *
 * @param {Claimed} claimed
 */
export const doneBefore = ({ dispatch }) => unacknowledged.get(dispatch.id)

/**
 * Acknowledges a dispatch.
 *
 * @param {import('./api.js').Api} client
 * @param {Claimed} claimed
 * @param {Outcome} outcome
 * @param {string} detail
 * @param {AbortSignal} lease aborted when the lease ends
 * @returns {Promise<string | null>} why it could not be acknowledged; null if it is
 */
export async function acknowledge(client, { dispatch, lease_until }, outcome, detail, lease) {
  const { id } = dispatch
  const body = { outcome, lease_until, ...(detail !== '' && { detail }) }
  if (outcome !== 'retry') unacknowledged.set(id, { outcome, detail })
  const patience = { ms: FOREVER, stopping: lease }
  const refusal = await refusalOf(client.ask('POST', `/dispatches/${id}/acknowledge`, { body, patience, answer: { id: '' } }))
  if (refusal === null) unacknowledged.delete(id)
  return lease.aborted && refusal ? 'the lease has ended' : refusal
}

/**
 * Why a request failed; null if it did not.
 *
 * @param {Promise<unknown>} asked
 * @returns {Promise<string | null>}
 */
export async function refusalOf(asked) {
  try {
    await asked
    return null
  } catch (error) {
    return /** @type {Error} */ (error).message
  }
}
