import { markLanesChanged } from '../../core/delivery/lanes.ts'
import { type HookRow, hookColumns, shownHook } from '../../core/deployment-hooks/view.ts'
import { decryptBody } from '../../core/dispatches/bodies.ts'
import { epochSeconds } from '../../core/platform/clock.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import { privateKeyOf, publicKeySignatureOf, type SignatureKind, type Signed } from '../../core/security/signing.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Tx } from '../../sql/index.ts'
import { readOr } from '../credentials/unreadable-secrets.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { lockHook, recordHook } from './hooks.ts'
import { newKeys } from './rules.ts'
import type { Hook, Rotation } from './schema.ts'
import type { Verdict, Verification } from './signature-schema.ts'
import type { Check, Evidence } from './verification.ts'
import { checkBody, checkClock, checkSecretAge, fail, judgeRequest, pass, standardFormErrors, verdictOf } from './verification.ts'

const DEFAULT_OVERLAP_SECONDS = 86_400

/**
 * Gives a hook a new secret or key pair. The previous one is stored beyond the overlap, though it no longer signs, so that
 * `verifyRequest` can report that a request was signed with it.
 */
export async function rotateSecret(tx: Tx, by: Caller, hook: Resource<'hook'>, { overlap_seconds }: Rotation) {
  const { signature, secret: stored } = await lockHook(tx, hook)
  // One that no key decrypts cannot sign alongside the new one.
  const isReadable = stored !== null && (await readOr(null, () => decrypt(stored))) !== null
  const replaced = isReadable ? stored : null
  const { secret, public_key, shown: keys } = newKeys(signature)
  const overlap = overlap_seconds ?? DEFAULT_OVERLAP_SECONDS
  const [rotated] = await tx<[HookRow<Hook & { previous_secret_until: string | null }>]>`
    update deployment_hooks
    set secret                = ${await encrypt(secret)},
        public_key            = ${public_key},
        previous_secret       = ${replaced},
        previous_secret_until = ${replaced === null ? tx`null` : tx`now() + ${overlap} * interval '1 second'`}
    where id = ${hook.id} and organization_id = ${hook.organization_id}
    returning ${hookColumns}, case when ${overlap} > 0 then previous_secret_until end as previous_secret_until
  `
  const shown = shownHook(rotated)
  // The worker that serves the lane caches the hook; a new revision makes it read the hook again.
  await markLanesChanged(tx, [hook.organization_id], [hook.id])
  const { previous_secret_until: until } = shown
  const what = signature === 'ed25519' ? 'key pair' : 'secret'
  const rest = until ? `; the old ${what} is valid until ${until}` : ''
  const detail = `${by.name} rotated the ${what} of the deployment hook ${shown.name}${rest}.`
  await recordHook(tx, by, hook, 'secret_rotated', hook.id, detail)
  return { ...shown, ...keys }
}

/** The input of `verify`, parsed without NFC normalization, which would hide that the body was altered. */
export const rawVerification = (request: Request): Verification => JSON.parse(Buffer.from(contextOf(request).bytes).toString())

interface StoredSecrets {
  signature: SignatureKind
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  previous_is_signing: boolean
}

interface SentRequest {
  webhook_id: string
  timestamps: number[]
  body: string
  encrypted_body: Uint8Array | null
}

/** Header names in lower case, without the form that CGI gives them (`HTTP_X_…`). */
const normalizeNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name
        .toLowerCase()
        .replace(/^http_/, '')
        .replaceAll('_', '-'),
      value.trim(),
    ]),
  )

async function decryptSent({ encrypted_body, ...sent }: SentRequest): Promise<Evidence['sent']> {
  if (encrypted_body === null) return { ...sent, isSecret: false }
  return { ...sent, body: (await decryptBody(encrypted_body)).body, isSecret: true }
}

/** Verifies a request as its receiver should, and compares it with what was sent. */
export async function verifyRequest(tx: Tx, hook: Resource<'hook'>, given: Verification): Promise<Verdict> {
  const [stored] = await tx<StoredSecrets[]>`
    select signature, secret, previous_secret, previous_secret_until > now() as previous_is_signing
    from deployment_hooks
    where id = ${hook.id} and organization_id = ${hook.organization_id}
  `
  if (!stored) throw notFound('hook')
  const headers = normalizeNames(given.headers)
  const ids = [headers['x-signalbox-delivery'] ?? '', headers['webhook-id'] ?? ''].filter(isUuid)
  const [sent] = await tx<SentRequest[]>`
    select coalesce(dispatch.redelivery_of, dispatch.id) as webhook_id, dispatch.body, dispatch.encrypted_body,
      array(
        select floor(extract(epoch from attempt.started_at))::double precision
        from dispatch_attempts as attempt
        where attempt.dispatch_id = dispatch.id and attempt.organization_id = ${hook.organization_id}
      ) as timestamps
    from dispatches as dispatch
    where dispatch.hook_id = ${hook.id}
      and dispatch.organization_id = ${hook.organization_id}
      and dispatch.id = any(${ids}::uuid[])
      and dispatch.body is not null
    order by array_position(${ids}::uuid[], dispatch.id)
    limit 1
  `
  const judge = stored.signature === 'ed25519' ? judgePublicKeyRequest : judgeRequest
  return judge({
    headers,
    body: given.body,
    sent: sent ? await decryptSent(sent) : null,
    secret: stored.secret && (await decrypt(stored.secret)),
    previous: stored.previous_secret && { secret: await decrypt(stored.previous_secret), is_signing: stored.previous_is_signing },
    now: epochSeconds(),
  })
}

// The only signature of a private key covers id, timestamp and body together. To tell which was altered, each is replaced by what was sent.
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
type Match = { id: string; timestamp: string; isOld: boolean }

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
  const differ = altered.length === 1 ? 'differs' : 'differ'
  return fail('id_and_time', `${altered.join(' and ')} ${differ} from what was sent and signed.`)
}

/** Runs all checks in order, for a hook with the signature `ed25519`. Checks that cannot be decided are left out. */
function judgePublicKeyRequest(evidence: Evidence): Verdict {
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
  return verdictOf(checks)
}
