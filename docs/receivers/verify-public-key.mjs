/**
 * Verifies a request from Signalbox with the public key of the hook, in Node 18 or newer, or Bun; no dependencies.
 *
 *   SIGNALBOX_PUBLIC_KEY=whpk_… node verify-public-key.mjs headers.txt body.json
 */
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/** How old a request may be: an older one may be a replay. */
const TOLERANCE_SECONDS = 300
/** Whole seconds since 1970, in one spelling: `1.7e9` is none, and has another signature. */
const SECONDS = /^(0|[1-9][0-9]{0,10})$/
/** 64 bytes in base64. Node would also decode what is not padded, or in the alphabet for URLs. */
const SIGNATURE = /^v1a,([A-Za-z0-9+/]{85}[AQgw]==)$/

/** After `whpk_` the 32 bytes of the key are in base64. */
function keyOf(publicKey) {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

/**
 * @param {string} publicKey of the hook
 * @param {Record<string, string | undefined>} headers with names in lower case, as in Node
 * @param {Buffer} body the raw bytes, before anything parsed them
 * @returns {string | null} why the request must be rejected; null if it is from Signalbox
 */
export function refusal(publicKey, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (!SECONDS.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS)
    return 'webhook-timestamp is too old, or in the future'

  const key = keyOf(publicKey)
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  // During a rotation there are two signatures. Those of other versions than v1a are not for this key.
  const fits = signatures
    .split(' ')
    .map((each) => SIGNATURE.exec(each)?.[1])
    .some((each) => each && verify(null, signed, key, Buffer.from(each, 'base64')))
  return fits ? null : 'webhook-signature does not match'
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , headersFile, bodyFile] = process.argv
  const lines = readFileSync(headersFile, 'utf8').split(/\r?\n/).filter(Boolean)
  const headers = Object.fromEntries(lines.map((line) => [line.split(':')[0].toLowerCase(), line.replace(/^[^:]*:\s*/, '')]))
  const reason = refusal(process.env.SIGNALBOX_PUBLIC_KEY ?? '', headers, readFileSync(bodyFile))
  console.log(reason ?? 'ok')
  process.exitCode = reason ? 1 : 0
}
