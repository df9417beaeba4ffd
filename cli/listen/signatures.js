/** Checks both signatures of a request: the one in GitHub's form, and the one of Standard Webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Older requests are rejected, as they may be replayed. */
const TOLERANCE_SECONDS = 300

/**
 * The key of a secret: its UTF-8 bytes, or the decoded bytes if it starts with `whsec_`.
 *
 * @param {string} secret
 * @returns {Buffer | null} null if a `whsec_` secret is not base64
 */
export function signingKey(secret) {
  if (!secret.startsWith('whsec_')) return Buffer.from(secret)
  const encoded = secret.slice('whsec_'.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.replace(/=+$/, '').length % 4 === 1) return null
  return Buffer.from(encoded, 'base64')
}

/**
 * In constant time, so that the duration does not reveal how much of a guess is right.
 *
 * @param {string} given
 * @param {string} expected
 */
function equal(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Whether `X-Signalbox-Signature` fits. During a rotation the previous secret signs as well.
 *
 * @param {Buffer} key
 * @param {Record<string, string>} headers
 * @param {string} body
 */
export function githubFits(key, headers, body) {
  const expected = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
  const given = [headers['x-signalbox-signature'], headers['x-signalbox-signature-previous']]
  return given.some((each) => equal(each ?? '', expected))
}

/**
 * Whether `webhook-signature` fits, which also signs id and time.
 *
 * @param {Buffer} key
 * @param {Record<string, string>} headers
 * @param {string} body
 */
export function standardFits(key, headers, body) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = 'none', 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < TOLERANCE_SECONDS)) return false
  const expected = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  return signatures.split(' ').some((each) => equal(each, expected))
}
