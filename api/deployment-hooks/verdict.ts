/**
 * Which step of checking a request fails, in words that help whoever writes a receiver. Pure, and careful: no word of
 * it holds a secret, or a signature that would have been right; signatures are compared in constant time.
 */
import { timingSafeEqual } from 'node:crypto'
import { signaturesOf, signingKey } from '../../core/security/signing.ts'
import type { Verdict } from './schema.ts'

/** How old a request may be (Standard Webhooks leaves the number open; its libraries take five minutes). */
const TOLERANCE_SECONDS = 300

/** All that is known of a request, and of the hook that it is said to come from. */
export interface Evidence {
  /** Names in lower case. */
  headers: Record<string, string>
  body: string
  /** What went out under the id that the headers name; null where the hook has no such dispatch. */
  sent: { webhook_id: string; body: string } | null
  secret: string | null
  /** The secret before the last rotation, and whether it still signs. */
  previous: { secret: string; counts: boolean } | null
  /** Seconds since 1970. */
  now: number
}

type Check = Verdict['checks'][number]

const good = (name: Check['name'], detail: string): Check => ({ name, ok: true, detail })
const bad = (name: Check['name'], detail: string): Check => ({ name, ok: false, detail })

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const SHA256 = /^sha256=[0-9a-f]{64}$/
const V1 = /^v1,[A-Za-z0-9+/]{43}=$/
const SECONDS = /^(0|[1-9]\d{0,10})$/

function githubFault(value: string | undefined): string | null {
  if (value === undefined || SHA256.test(value)) return null
  const found = /^sha256=/.test(value) ? `has ${value.length - 7} characters after it` : 'does not begin so'
  const inCapitals = SHA256.test(value.toLowerCase()) ? 'holds capitals' : found
  return `X-Signalbox-Signature must be "sha256=" and 64 hexadecimal digits in lower case; this one ${inCapitals}.`
}

function standardFaults({
  'webhook-signature': value,
  'webhook-id': id,
  'webhook-timestamp': time,
}: Evidence['headers']): string[] {
  if (value === undefined) return []
  const faults: string[] = []
  if (!value.split(' ').some((each) => V1.test(each)))
    faults.push('webhook-signature must be "v1," and 44 characters of base64, more than one separated by spaces.')
  if (!id) faults.push('webhook-id is missing; it is part of what webhook-signature signs.')
  if (!time) faults.push('webhook-timestamp is missing; it is part of what webhook-signature signs.')
  else if (/^\d{12,}$/.test(time)) faults.push('webhook-timestamp is in seconds; this looks like milliseconds.')
  else if (!SECONDS.test(time)) faults.push('webhook-timestamp must be whole seconds since 1970.')
  return faults
}

function formOf(headers: Evidence['headers']): Check {
  const { 'x-signalbox-signature': github, 'webhook-signature': standard } = headers
  if (github === undefined && standard === undefined)
    return bad(
      'signature_form',
      'Neither X-Signalbox-Signature nor webhook-signature is among the headers. Pass all headers as they came; a proxy on the way may drop those that it does not know.',
    )
  const faults = [githubFault(github), ...standardFaults(headers)].filter((fault) => fault !== null)
  if (faults.length > 0) return bad('signature_form', faults.join(' '))
  const present = [github && 'X-Signalbox-Signature', standard && 'webhook-signature'].filter(Boolean)
  return good('signature_form', `${present.join(' and ')} ${present.length === 1 ? 'is' : 'are'} of the right form.`)
}

/** A signature that came, and whether a key makes it of a body. */
interface Signature {
  header: string
  fits: (key: Uint8Array, body: string) => boolean
}

/** Those that are of the right form. */
function signaturesIn(headers: Evidence['headers']): Signature[] {
  const { 'x-signalbox-signature': github = '', 'webhook-signature': standard = '' } = headers
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '' } = headers
  const found: Signature[] = []
  if (SHA256.test(github))
    found.push({
      header: 'X-Signalbox-Signature',
      fits: (key, body) => equal(github, signaturesOf(key, { id, timestamp, body }).github),
    })
  if (standard && standardFaults(headers).length === 0)
    found.push({
      header: 'webhook-signature',
      fits: (key, body) => {
        const expected = signaturesOf(key, { id, timestamp, body }).standard
        return standard.split(' ').some((each) => equal(each, expected))
      },
    })
  return found
}

/** What people make of a secret by mistake, and how to tell them. */
function mistakenKeys(secret: string): [key: Uint8Array, detail: string][] {
  const text = (value: string) => new TextEncoder().encode(value)
  if (!secret.startsWith('whsec_')) {
    const decoded = signingKey(`whsec_${secret}`)
    const detail =
      'They were made with the secret decoded from base64, but only a secret that begins with whsec_ is base64. The key of this one is its text; a Standard Webhooks library needs its raw mode for it.'
    return decoded ? [[decoded, detail]] : []
  }
  return [
    [
      text(secret),
      'They were made with the text of the secret as the key. It begins with whsec_: the key is what follows, decoded from base64.',
    ],
    [
      text(secret.slice('whsec_'.length)),
      'They were made with the text after whsec_ as the key. That text is base64: the key is what it decodes to.',
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

/** What happened to a body between here and the receiver. */
function alteration(body: string, sent: string): string {
  if (body === '') return 'The body is empty. Something read it before the check: take the raw bytes first.'
  if (body.trim() === sent.trim()) return 'White space was added or lost at an end of the body, such as a line break.'
  if (isSameJson(body, sent))
    return 'The body says the same in other bytes: it was parsed and written again. Check the raw bytes, before anything parses them.'
  if (Buffer.from(body, 'latin1').toString() === sent) return 'The body is UTF-8, and was read as Latin-1.'
  if (body.normalize('NFC') === sent.normalize('NFC')) return 'The body was brought into another Unicode normalisation form.'
  if (sent.startsWith(body)) return `The body was cut off after ${body.length} of ${sent.length} characters.`
  return `The body is not what was sent: it differs from character ${firstDifference(body, sent) + 1} on.`
}

function clockOf({ 'webhook-timestamp': time = '' }: Evidence['headers'], now: number): Check | null {
  if (!SECONDS.test(time)) return null
  const age = now - Number(time)
  if (Math.abs(age) <= TOLERANCE_SECONDS)
    return good('clock', `webhook-timestamp is ${Math.abs(age)} seconds ${age < 0 ? 'ahead' : 'ago'} by our clock.`)
  return age > 0
    ? bad(
        'clock',
        `It was signed ${age} seconds ago, and a receiver refuses what is older than ${TOLERANCE_SECONDS}: somebody may send a recording. If it was refused when it came, the clock of the receiver is fast. Each retry is signed anew.`,
      )
    : bad('clock', `It was signed ${-age} seconds in the future by our clock. Was webhook-timestamp altered?`)
}

/** A signature with the secret and the body that it fits. */
interface Match {
  header: string
  isOld: boolean
}

/** Judges a request: each check in its turn, without those that cannot be decided any more. */
export function verdictOn({ headers, body, sent, secret, previous, now }: Evidence): Verdict {
  const checks: (Check | null)[] = [formOf(headers)]
  const key = secret === null ? null : signingKey(secret)
  if (secret === null || key === null) {
    checks.push(bad('key', 'This hook has no secret, so nothing that it sends is signed. rotate-secret makes one.'))
  } else {
    const signatures = signaturesIn(headers)
    const bodies = sent && sent.body !== body ? [body, sent.body] : [body]
    const old = previous && signingKey(previous.secret)
    const matches = signatures.flatMap(({ header, fits }): Match[] => {
      if (bodies.some((each) => fits(key, each))) return [{ header, isOld: false }]
      return old && bodies.some((each) => fits(old, each)) ? [{ header, isOld: true }] : []
    })
    if (signatures.length > 0) checks.push(keyOf(matches, signatures, bodies, secret, sent !== null))
    if (sent)
      checks.push(sent.body === body ? good('body', 'The body is what was sent.') : bad('body', alteration(body, sent.body)))
    else if (matches.length > 0) checks.push(good('body', 'The body is what was signed.'))
    checks.push(idAndTimeOf(headers, matches, signatures, sent), clockOf(headers, now), ageOf(matches, previous))
  }
  const reached = checks.filter((check) => check !== null)
  return { valid: reached.every(({ ok }) => ok), checks: reached }
}

function keyOf(matches: Match[], signatures: Signature[], bodies: string[], secret: string, isKnown: boolean): Check {
  if (matches.some(({ header }) => header === 'X-Signalbox-Signature') || matches.length === signatures.length)
    return good(
      'key',
      "This hook's secret made the signature. A receiver that refuses it holds another secret, or takes another key from it.",
    )
  if (matches.length > 0)
    return bad(
      'key',
      'webhook-signature was made with a secret of this hook, X-Signalbox-Signature with another key, or of another body.',
    )
  for (const [mistaken, detail] of mistakenKeys(secret))
    if (signatures.some(({ fits }) => bodies.some((each) => fits(mistaken, each)))) return bad('key', detail)
  return bad(
    'key',
    isKnown
      ? 'Neither the secret of this hook nor the one before it made the signatures: they are of another hook, of a secret that was replaced, or of somebody else.'
      : 'No secret of this hook makes these signatures of this body, and the hook has no dispatch of the id in X-Signalbox-Delivery: it comes from another hook or from somebody else, or both body and id were altered.',
  )
}

/** Undecided where there is no standard signature, or where it is not the id and the time that keep it from fitting. */
function idAndTimeOf(
  headers: Evidence['headers'],
  matches: Match[],
  signatures: Signature[],
  sent: Evidence['sent'],
): Check | null {
  if (!signatures.some(({ header }) => header === 'webhook-signature') || matches.length === 0) return null
  if (matches.some(({ header }) => header === 'webhook-signature'))
    return good('id_and_time', 'webhook-id and webhook-timestamp are those that were signed.')
  const which =
    sent && sent.webhook_id !== headers['webhook-id']
      ? 'webhook-id is not the one that was sent.'
      : 'webhook-timestamp, or webhook-signature itself, is not the one that was sent.'
  return bad('id_and_time', `X-Signalbox-Signature fits, and webhook-signature does not: ${which}`)
}

function ageOf(matches: Match[], previous: Evidence['previous']): Check | null {
  if (matches.length === 0) return null
  if (matches.some(({ isOld }) => !isOld)) return good('old_secret', 'The secret in force made the signature.')
  return previous?.counts
    ? good(
        'old_secret',
        'The secret before the last rotation made the signature. It still counts; what is sent from now on is signed with both.',
      )
    : bad(
        'old_secret',
        'The secret before the last rotation made the signature, and it does not count any more. Retries are signed anew with the secret in force.',
      )
}
