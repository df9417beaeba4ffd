/**
 * Reports which verification step a request with a public-key signature fails. `webhook-signature` is the only signature, and covers
 * id, timestamp and body together. To tell which of them was altered, they are replaced by what was sent.
 */

import { privateKeyOf, publicKeySignatureOf, type Signed } from '../../core/security/signing.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import {
  type Check,
  checkBody,
  checkClock,
  checkSecretAge,
  type Evidence,
  fail,
  pass,
  standardFormErrors,
} from './verification.ts'
import type { Verdict } from './verification-schema.ts'

const V1A = /^v1a,[A-Za-z0-9+/]{86}==$/

function checkForm(headers: Evidence['headers']): Check {
  const { 'webhook-signature': value } = headers
  if (value === undefined)
    return fail(
      'signature_form',
      'The headers contain no webhook-signature, the only signature of this hook. Pass all headers as received. A proxy in front of the receiver may drop unknown headers.',
    )
  const errors = standardFormErrors(headers, V1A, '"v1a," and 88 characters of base64')
  const given = value.split(' ')
  if (!given.some((each) => V1A.test(each)) && given.some((each) => each.startsWith('v1,')))
    errors.push('This hook signs with a private key (v1a), not with a secret (v1).')
  return errors.length > 0
    ? fail('signature_form', errors.join(' '))
    : pass('signature_form', 'webhook-signature is well-formed.')
}

/** What a signature covers, and whether the previous key made it. */
interface Match {
  id: string
  timestamp: string
  isOld: boolean
}

/** What may have been signed: the request as it was received, and the body as it was sent, with the id and a time that were sent. */
function candidatesOf({ headers, body, sent }: Evidence): Signed[] {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers
  const received = { id, timestamp, body }
  if (sent === null) return [received]
  const timestamps = new Set([timestamp, ...sent.timestamps.map(String)])
  const altered = [...new Set([id, sent.webhook_id])].flatMap((id) =>
    [...timestamps].map((timestamp) => ({ id, timestamp, body: sent.body })),
  )
  return [received, ...altered]
}

/**
 * Finds what was signed, and with which key. Signs each candidate and compares, because that takes as long for a hundred signatures
 * in the header as for one.
 */
function findMatch(evidence: Evidence): Match | null {
  const signatures = (evidence.headers['webhook-signature'] ?? '').split(' ').filter((each) => V1A.test(each))
  const keys = [evidence.secret, evidence.previous?.secret].filter((each) => each != null).map(privateKeyOf)
  const candidates = candidatesOf(evidence)
  for (const [index, key] of keys.entries())
    for (const candidate of candidates) {
      const expected = publicKeySignatureOf(key, candidate)
      if (signatures.some((each) => equalInConstantTime(each, expected)))
        return { id: candidate.id, timestamp: String(candidate.timestamp), isOld: index > 0 }
    }
  return null
}

function checkKey(match: Match | null, isKnown: boolean): Check {
  if (match)
    return pass(
      'key',
      "The signature was made with this hook's private key. A receiver that rejects it has another public key: compare it with `public_key`.",
    )
  return fail(
    'key',
    isKnown
      ? 'The signature was made with neither the current nor the previous private key of this hook: the request comes from another hook or sender, or was signed with an older key.'
      : 'No private key of this hook produces this signature for this id, timestamp and body, and the hook has no dispatch with the id in X-Signalbox-Delivery: the request comes from another hook or sender, or was altered.',
  )
}

function checkIdAndTime({ 'webhook-id': id, 'webhook-timestamp': timestamp }: Evidence['headers'], match: Match): Check {
  const altered = [match.id !== id && 'webhook-id', match.timestamp !== timestamp && 'webhook-timestamp'].filter(Boolean)
  if (altered.length === 0) return pass('id_and_time', 'webhook-id and webhook-timestamp are the signed values.')
  return fail(
    'id_and_time',
    `${altered.join(' and ')} ${altered.length === 1 ? 'differs' : 'differ'} from what was sent and signed.`,
  )
}

/** Runs all checks in order, for a hook with the signature `ed25519`. Checks that cannot be decided are left out. */
export function judgePublicKeyRequest(evidence: Evidence): Verdict {
  const { headers, sent, previous, now } = evidence
  const form = checkForm(headers)
  const checks: (Check | null)[] = [form]
  if (form.ok) {
    const match = findMatch(evidence)
    checks.push(checkKey(match, sent !== null), checkBody(evidence, match !== null))
    if (match) checks.push(checkIdAndTime(headers, match))
    checks.push(checkClock(headers, now))
    if (match) checks.push(checkSecretAge([match], previous, 'private key'))
  } else checks.push(checkBody(evidence, false), checkClock(headers, now))
  const decided = checks.filter((check) => check !== null)
  return { valid: decided.every(({ ok }) => ok), checks: decided }
}
