import { markLanesChanged } from '../../core/delivery/lanes.ts'
import { type HookRow, hookColumns, shownHook } from '../../core/deployment-hooks/view.ts'
import { decryptBody } from '../../core/dispatches/bodies.ts'
import { epochSeconds } from '../../core/platform/clock.ts'
import { record } from '../../core/security/audit.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import type { SignatureKind } from '../../core/security/signing.ts'
import { isUuid } from '../../core/values/uuids.ts'
import type { Tx } from '../../sql/index.ts'
import { type Caller, contextOf } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { lockHook } from './hooks.ts'
import { newKeys } from './keys.ts'
import { judgePublicKeyRequest } from './public-key-verification.ts'
import type { Hook, RotatedHook, Rotation } from './schema.ts'
import { readOr } from './unreadable-secrets.ts'
import { type Evidence, judgeRequest } from './verification.ts'
import type { Verdict, Verification } from './verification-schema.ts'

const DEFAULT_OVERLAP_SECONDS = 86_400

/**
 * Gives a hook a new secret or key pair. The previous one is stored beyond the overlap, though it no longer signs, so that
 * `verifyRequest` can report that a request was signed with it.
 */
export async function rotateSecret(
  tx: Tx,
  by: Caller,
  hook: Resource<'hook'>,
  { overlap_seconds }: Rotation,
): Promise<RotatedHook> {
  const { signature, secret: stored } = await lockHook(tx, hook)
  // One that no key decrypts cannot sign beside the new one.
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
    where id = ${hook.id}
      and organization_id = ${hook.organization_id}
    returning ${hookColumns}, case when ${overlap} > 0 then previous_secret_until end as previous_secret_until
  `
  const shown = shownHook(rotated)
  // The worker that serves the lane caches the hook; a new revision makes it read the hook again.
  await markLanesChanged(tx, [hook.organization_id], [hook.id])
  const { previous_secret_until: until } = shown
  const what = signature === 'ed25519' ? 'key pair' : 'secret'
  await record(tx, by, hook, {
    action: 'deployment_hook.secret_rotated',
    resource_type: 'deployment_hook',
    resource_id: hook.id,
    detail: `${by.name} rotated the ${what} of the deployment hook ${shown.name}${until ? `; the old ${what} is valid until ${until}` : ''}.`,
  })
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

/** A request as it was sent. */
async function decryptSent({ encrypted_body, ...sent }: SentRequest): Promise<Evidence['sent']> {
  if (encrypted_body === null) return { ...sent, isSecret: false }
  return { ...sent, body: (await decryptBody(encrypted_body)).body, isSecret: true }
}

/** Verifies a request as its receiver should, and compares it with what was sent. */
export async function verifyRequest(tx: Tx, hook: Resource<'hook'>, given: Verification): Promise<Verdict> {
  const [stored] = await tx<StoredSecrets[]>`
    select signature, secret, previous_secret, previous_secret_until > now() as previous_is_signing
    from deployment_hooks
    where id = ${hook.id}
      and organization_id = ${hook.organization_id}
  `
  if (!stored) throw notFound('hook')
  const headers = normalizeNames(given.headers)
  const ids = [headers['x-signalbox-delivery'] ?? '', headers['webhook-id'] ?? ''].filter(isUuid)
  const [sent] = await tx<SentRequest[]>`
    select coalesce(dispatch.redelivery_of, dispatch.id) as webhook_id, body.body, body.encrypted_body,
      array(
        select floor(extract(epoch from attempt.started_at))::double precision
        from dispatch_attempts as attempt
        where attempt.dispatch_id = dispatch.id
          and attempt.organization_id = ${hook.organization_id}
      ) as timestamps
    from dispatches as dispatch
    join dispatch_bodies as body on body.dispatch_id = dispatch.id and body.organization_id = ${hook.organization_id}
    where dispatch.hook_id = ${hook.id}
      and dispatch.organization_id = ${hook.organization_id}
      and dispatch.id = any(${ids}::uuid[])
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
