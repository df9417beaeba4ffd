/**
 * Reports which verification step a request fails, to help developers of receivers. No text contains a secret or a valid
 * signature, and signatures are compared in constant time.
 */
import { signaturesOf, signingKey } from '../../core/security/signing.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { nfc } from '../../core/values/plain-text.ts'
import type { Verdict } from './signature-schema.ts'

/** Maximum age of a request. Standard Webhooks leaves it open; its libraries use five minutes. */
const TOLERANCE_SECONDS = 300

export interface Evidence {
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** The dispatch that the headers name, as it was sent; null if the hook has no such dispatch. */
  sent: { webhook_id: string; body: string; timestamps: number[]; isSecret: boolean } | null
  /** The secret or, as text, the private key. */
  secret: string | null
  /** The secret before the last rotation, and whether it still signs. */
  previous: { secret: string; is_signing: boolean } | null
  /** Seconds since 1970. */
  now: number
}

export type Check = Verdict['checks'][number]

export const pass = (name: Check['name'], detail: string): Check => ({ name, ok: true, detail })
export const fail = (name: Check['name'], detail: string): Check => ({ name, ok: false, detail })

/** @param checks null where one cannot be decided */
export function verdictOf(checks: (Check | null)[]): Verdict {
  const decided = checks.filter((check) => check !== null)
  return { valid: decided.every(({ ok }) => ok), checks: decided }
}

const SHA256 = /^sha256=[0-9a-f]{64}$/
const V1 = /^v1,[A-Za-z0-9+/]{43}=$/
const SECONDS = /^(0|[1-9]\d{0,10})$/

function githubFormError(value: string | undefined): string | null {
  if (value === undefined || SHA256.test(value)) return null
  const found = /^sha256=/.test(value) ? `has ${value.length - 7} characters after "sha256="` : 'does not start with "sha256="'
  const finding = SHA256.test(value.toLowerCase()) ? 'contains upper-case letters' : found
  return `X-Signalbox-Signature must be "sha256=" and 64 hexadecimal digits in lower case; this value ${finding}.`
}

/** What is wrong with the headers of Standard Webhooks. @param form the pattern of one signature, and the same in words */
export function standardFormErrors(
  { 'webhook-signature': value, 'webhook-id': id, 'webhook-timestamp': time }: Evidence['headers'],
  form = V1,
  words = '"v1," and 44 characters of base64',
): string[] {
  if (value === undefined) return []
  const errors: string[] = []
  if (!value.split(' ').some((each) => form.test(each)))
    errors.push(`webhook-signature must be ${words}; several signatures are separated by spaces.`)
  if (!id) errors.push('webhook-id is missing; webhook-signature covers it.')
  if (!time) errors.push('webhook-timestamp is missing; webhook-signature covers it.')
  else if (/^\d{12,}$/.test(time)) errors.push('webhook-timestamp must be in seconds; this value looks like milliseconds.')
  else if (!SECONDS.test(time)) errors.push('webhook-timestamp must be an integer: seconds since 1970.')
  return errors
}

function checkForm(headers: Evidence['headers']): Check {
  const { 'x-signalbox-signature': github, 'webhook-signature': standard } = headers
  if (github === undefined && standard === undefined)
    return fail(
      'signature_form',
      'The headers contain neither X-Signalbox-Signature nor webhook-signature. Pass all headers as received. A proxy in front of the receiver may drop unknown headers.',
    )
  const errors = [githubFormError(github), ...standardFormErrors(headers)].filter((error) => error !== null)
  if (errors.length > 0) return fail('signature_form', errors.join(' '))
  const present = [github && 'X-Signalbox-Signature', standard && 'webhook-signature'].filter(Boolean)
  return pass('signature_form', `${present.join(' and ')} ${present.length === 1 ? 'is' : 'are'} well-formed.`)
}

/** A signature of the request, and whether a key and a body produce it. */
interface Signature {
  header: string
  isMadeWith: (key: Uint8Array, body: string) => boolean
}

/** The well-formed signatures of the request. */
function signaturesIn(headers: Evidence['headers']): Signature[] {
  const { 'x-signalbox-signature': github = '', 'webhook-signature': standard = '' } = headers
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers
  const found: Signature[] = []
  if (SHA256.test(github))
    found.push({
      header: 'X-Signalbox-Signature',
      isMadeWith: (key, body) => equalInConstantTime(github, signaturesOf(key, { id, timestamp, body }).github),
    })
  if (standard && standardFormErrors(headers).length === 0)
    found.push({
      header: 'webhook-signature',
      isMadeWith: (key, body) => {
        const expected = signaturesOf(key, { id, timestamp, body }).standard
        return standard.split(' ').some((each) => equalInConstantTime(each, expected))
      },
    })
  return found
}

/** Keys that developers derive from a secret by mistake, with the explanation. */
function mistakenKeys(secret: string): [key: Uint8Array, detail: string][] {
  const text = (value: string) => new TextEncoder().encode(value)
  if (!secret.startsWith('whsec_')) {
    const decoded = signingKey(`whsec_${secret}`)
    const detail =
      'The signatures were made with the secret decoded from base64, but only a secret that starts with whsec_ is base64. The key of this secret is its text; use the raw mode of a Standard Webhooks library.'
    return decoded ? [[decoded, detail]] : []
  }
  return [
    [
      text(secret),
      'The signatures were made with the text of the secret as the key. It starts with whsec_: the key is the rest, decoded from base64.',
    ],
    [
      text(secret.slice('whsec_'.length)),
      'The signatures were made with the text after whsec_ as the key. Decode that text from base64 to get the key.',
    ],
  ]
}

function isSameJson(a: string, b: string): boolean {
  try {
    return Bun.deepEquals(JSON.parse(a), JSON.parse(b))
  } catch {
    return false
  }
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

/**
 * Describes how a body differs from the one that was sent. Where a body with secrets differs is not said: by trying, a member could
 * find out the secrets character by character.
 */
function describeAlteration(body: string, { body: sent, isSecret }: { body: string; isSecret: boolean }): string {
  if (body === '') return 'The body is empty. Something consumed it before the verification: read the raw bytes first.'
  if (body.trim() === sent.trim())
    return 'White space, such as a line break, was added or removed at the start or end of the body.'
  if (isSameJson(body, sent))
    return 'The body is the same JSON in different bytes: it was parsed and serialized again. Verify the raw bytes before parsing.'
  if (Buffer.from(body, 'latin1').toString() === sent) return 'The body is UTF-8 but was decoded as Latin-1.'
  if (nfc(body) === nfc(sent)) return 'The body was converted to another Unicode normalization form.'
  if (isSecret) return 'The body differs from what was sent.'
  if (sent.startsWith(body)) return `The body was truncated after ${body.length} of ${sent.length} characters.`
  return `The body differs from what was sent, starting at character ${firstDifference(body, sent) + 1}.`
}

/**
 * Compares the body with what was sent. Null if no dispatch is known and nothing was verified.
 * @param isSigned whether a signature covers the body
 */
export function checkBody({ body, sent }: Pick<Evidence, 'body' | 'sent'>, isSigned: boolean): Check | null {
  if (sent === null) return isSigned ? pass('body', 'The body is what was signed.') : null
  // A body with a secret is compared only for those who have a signature of it: others could guess the secret.
  if (sent.isSecret && !isSigned) return null
  return sent.body === body ? pass('body', 'The body is what was sent.') : fail('body', describeAlteration(body, sent))
}

export function checkClock({ 'webhook-timestamp': time = '' }: Evidence['headers'], now: number): Check | null {
  if (!SECONDS.test(time)) return null
  const age = now - Number(time)
  if (Math.abs(age) <= TOLERANCE_SECONDS)
    return pass('clock', `webhook-timestamp is ${Math.abs(age)} seconds ${age < 0 ? 'ahead of' : 'behind'} our clock.`)
  return age > 0
    ? fail(
        'clock',
        `The request was signed ${age} seconds ago. Receivers reject requests older than ${TOLERANCE_SECONDS} seconds, since they may be replayed. If it was rejected on arrival, the receiver's clock is ahead. Every retry is signed again.`,
      )
    : fail('clock', `The request was signed ${-age} seconds in the future by our clock. Was webhook-timestamp altered?`)
}

/** A signature that a secret of the hook produces, with the body received or sent. */
type Match = { header: string; isOld: boolean }

/** Runs all checks in order. Checks that cannot be decided are left out. */
export function judgeRequest({ headers, body, sent, secret, previous, now }: Evidence): Verdict {
  const checks: (Check | null)[] = [checkForm(headers)]
  const key = secret === null ? null : signingKey(secret)
  if (secret === null || key === null) {
    checks.push(fail('key', 'This hook has no secret, so its dispatches are not signed. Create a secret with rotate-secret.'))
  } else {
    const signatures = signaturesIn(headers)
    const bodies = sent && sent.body !== body ? [body, sent.body] : [body]
    const old = previous && signingKey(previous.secret)
    const matches = signatures.flatMap(({ header, isMadeWith }): Match[] => {
      if (bodies.some((each) => isMadeWith(key, each))) return [{ header, isOld: false }]
      return old && bodies.some((each) => isMadeWith(old, each)) ? [{ header, isOld: true }] : []
    })
    if (signatures.length > 0) checks.push(checkKey(matches, signatures, bodies, secret, sent !== null))
    checks.push(checkBody({ body, sent }, matches.length > 0))
    checks.push(checkIdAndTime(headers, matches, signatures, sent), checkClock(headers, now), checkSecretAge(matches, previous))
  }
  return verdictOf(checks)
}

function checkKey(matches: Match[], signatures: Signature[], bodies: string[], secret: string, isKnown: boolean): Check {
  if (matches.some(({ header }) => header === 'X-Signalbox-Signature') || matches.length === signatures.length)
    return pass(
      'key',
      "The signature was made with this hook's secret. A receiver that rejects it has another secret, or derives another key from it.",
    )
  if (matches.length > 0)
    return fail(
      'key',
      'webhook-signature was made with a secret of this hook, but X-Signalbox-Signature with another key or body.',
    )
  for (const [mistaken, detail] of mistakenKeys(secret))
    if (signatures.some(({ isMadeWith }) => bodies.some((each) => isMadeWith(mistaken, each)))) return fail('key', detail)
  return fail(
    'key',
    isKnown
      ? 'The signatures were made with neither the current nor the previous secret of this hook: the request comes from another hook or sender, or was signed with an older secret.'
      : 'No secret of this hook produces these signatures for this body, and the hook has no dispatch with the id in X-Signalbox-Delivery: the request comes from another hook or sender, or both body and id were altered.',
  )
}

/** Null if there is no standard signature, or if it fails for another reason than id and timestamp. */
function checkIdAndTime(
  headers: Evidence['headers'],
  matches: Match[],
  signatures: Signature[],
  sent: Evidence['sent'],
): Check | null {
  if (!signatures.some(({ header }) => header === 'webhook-signature') || matches.length === 0) return null
  if (matches.some(({ header }) => header === 'webhook-signature'))
    return pass('id_and_time', 'webhook-id and webhook-timestamp are the signed values.')
  const which =
    sent && sent.webhook_id !== headers['webhook-id']
      ? 'webhook-id differs from the one that was sent.'
      : 'webhook-timestamp or webhook-signature differs from the one that was sent.'
  return fail('id_and_time', `X-Signalbox-Signature is valid, but webhook-signature is not: ${which}`)
}

/** @param noun what the hook signs with */
export function checkSecretAge(
  matches: Pick<Match, 'isOld'>[],
  previous: Evidence['previous'],
  noun: 'secret' | 'private key' = 'secret',
): Check | null {
  if (matches.length === 0) return null
  if (matches.some(({ isOld }) => !isOld)) return pass('old_secret', `The signature was made with the current ${noun}.`)
  const old = `The signature was made with the previous ${noun}, which is`
  return previous?.is_signing
    ? pass('old_secret', `${old} still valid. New requests are signed with both ${noun}s.`)
    : fail('old_secret', `${old} no longer valid. Retries are signed with the current ${noun}.`)
}
