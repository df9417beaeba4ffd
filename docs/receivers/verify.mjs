/**
 * Verifies both signatures of a request from Signalbox, in Node 18 or newer, or Bun; no dependencies.
 *
 *   SIGNALBOX_SECRET=whsec_… node verify.mjs headers.txt body.json
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** How old a request may be: an older one may be a replay. */
const TOLERANCE_SECONDS = 300
/** Whole seconds since 1970, in one spelling: `1.7e9` is none, and has another signature. */
const SECONDS = /^(0|[1-9][0-9]{0,10})$/

/** After `whsec_` the key is base64; otherwise the key is the secret itself. */
const keyOf = (secret) => (secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret))

// Constant time, so that the duration does not reveal how much of a guess was correct.
function equal(given, expected) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * @param {string} secret of the hook
 * @param {Record<string, string | undefined>} headers with names in lower case, as in Node
 * @param {Buffer} body the raw bytes, before anything parsed them
 * @returns {string | null} why the request must be rejected; null if it is from Signalbox
 */
export function refusal(secret, headers, body, now = Date.now() / 1000) {
  const hmac = (...parts) => parts.reduce((mac, part) => mac.update(part), createHmac('sha256', keyOf(secret)))

  // During a rotation, the old secret signs as well.
  const github = [headers['x-signalbox-signature'], headers['x-signalbox-signature-previous']]
  const expected = `sha256=${hmac(body).digest('hex')}`
  if (!github.some((each) => equal(each ?? '', expected))) return 'X-Signalbox-Signature does not match'

  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers
  if (!SECONDS.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS)
    return 'webhook-timestamp is too old, or in the future'
  const standard = `v1,${hmac(`${id}.${timestamp}.`, body).digest('base64')}`
  if (!(headers['webhook-signature'] ?? '').split(' ').some((each) => equal(each, standard)))
    return 'webhook-signature does not match'
  return null
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , headersFile, bodyFile] = process.argv
  const lines = readFileSync(headersFile, 'utf8').split(/\r?\n/).filter(Boolean)
  const headers = Object.fromEntries(lines.map((line) => [line.split(':')[0].toLowerCase(), line.replace(/^[^:]*:\s*/, '')]))
  const reason = refusal(process.env.SIGNALBOX_SECRET ?? '', headers, readFileSync(bodyFile))
  console.log(reason ?? 'ok')
  process.exitCode = reason ? 1 : 0
}
