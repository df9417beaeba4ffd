/** Claiming and acknowledging the dispatches of pull hooks. */
import { Failure } from './failure.js'

/**
 * @typedef {object} Claimed
 * @property {{ id: string, event: string, sequence: number | null, attempt_count: number }} dispatch
 * @property {string} payload
 * @property {Record<string, string>} headers
 * @property {string} lease_until
 */

/** @typedef {'succeeded' | 'failed' | 'retry'} Outcome */

const WAIT_SECONDS = 25

/** For as long as it takes. */
export const FOREVER = Number.POSITIVE_INFINITY

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
  try {
    return await client.ask('POST', path, { body, patience: { ms: FOREVER, stopping }, keyless: true })
  } catch (error) {
    if (stopping.aborted) return []
    throw error
  }
}

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
  const body = { outcome, lease_until, ...(detail !== '' && { detail }) }
  return refusalOf(client, `/dispatches/${dispatch.id}/acknowledge`, body, lease)
}

/**
 * @param {import('./api.js').Api} client
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} lease
 */
export async function refusalOf(client, path, body, lease) {
  try {
    await client.ask('POST', path, { body, patience: { ms: FOREVER, stopping: lease } })
    return null
  } catch (error) {
    if (lease.aborted) return 'the lease has ended'
    if (error instanceof Failure) return error.message
    throw error
  }
}
