/** Verifies requests from Signalbox: Standard Webhooks (https://www.standardwebhooks.com), `v1` and `v1a`. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { types } from 'node:util'

/** How old a request may be: an older one may be a replay. */
const TOLERANCE_SECONDS = 300
/** Whole seconds since 1970, in one spelling: `1.7e9` is none, and has another signature. */
const SECONDS = /^(0|[1-9]\d{0,10})$/
/** 64 bytes in base64. Node would also decode what is not padded, or in the alphabet for URLs. */
const ED25519 = /^v1a,([A-Za-z0-9+/]{85}[AQgw]==)$/
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

export class WebhookVerificationError extends Error {
  /** @override */
  name = 'WebhookVerificationError'
}

/**
 * @param {string} text in base64
 * @param {string} what it should be
 */
function decoded(text, what) {
  if (!BASE64.test(text)) throw new TypeError(`This is not ${what}`)
  return Buffer.from(text, 'base64')
}

/**
 * A function that says whether one signature fits.
 *
 * @param {string} key
 * @param {Buffer} signed
 * @returns {(signature: string) => boolean}
 */
function checkOf(key, signed) {
  // An empty key, such as a variable that is not set, would let everybody sign.
  if (!key || key === 'whsec_') throw new TypeError('The secret is empty')
  if (key.startsWith('whpk_')) {
    const x = decoded(key.slice(5), 'a public key').toString('base64url')
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return (signature) => {
      const bytes = ED25519.exec(signature)?.[1]
      return bytes !== undefined && verify(null, signed, publicKey, Buffer.from(bytes, 'base64'))
    }
  }
  const secret = key.startsWith('whsec_') ? decoded(key.slice(6), 'a secret') : Buffer.from(key)
  const expected = Buffer.from(`v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
  return (signature) => {
    const given = Buffer.from(signature)
    // In constant time, so that the duration does not reveal how much of a guess is correct.
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}

/**
 * The bytes of a body as it was received.
 *
 * @param {unknown} body
 */
function bytesOf(body) {
  if (typeof body === 'string') return Buffer.from(body)
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (types.isAnyArrayBuffer(body)) return Buffer.from(body)
  throw new TypeError(
    'The body must be the text or bytes that were received: parsed JSON cannot be verified, nor what is not read yet',
  )
}

/**
 * Headers by name in lower case: of any class of headers, a Map, pairs, or an object.
 *
 * @param {any} headers
 * @returns {Map<string, string>}
 */
function readHeaders(headers) {
  /** @type {Map<string, string>} */
  const all = new Map()
  const add = (/** @type {unknown} */ value, /** @type {unknown} */ name) => all.set(String(name).toLowerCase(), String(value))
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError('The headers must be a Headers object, a Map, or an object with a value for each name')
  if (Array.isArray(headers)) for (const [name, value] of headers) add(value, name)
  else if (typeof headers.forEach === 'function') headers.forEach(add)
  else for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) add(value, name)
  return all
}

/** @type {typeof import('./index.js').verifyWebhook} */
export function verifyWebhook(body, headers, secretOrPublicKey) {
  const all = readHeaders(headers)
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) => all.get(`webhook-${name}`))
  const raw = bytesOf(body)
  const fits = checkOf(secretOrPublicKey, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]))
  if (!SECONDS.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('webhook-timestamp is missing, too old, or in the future')
  // During a rotation there are two signatures.
  if (!signatures.split(' ').some(fits)) throw new WebhookVerificationError('webhook-signature does not match')
  return JSON.parse(raw.toString())
}
