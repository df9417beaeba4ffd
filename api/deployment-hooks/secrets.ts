import { touchLanes } from '../../core/lanes.ts'
import { epochSeconds } from '../../core/platform/clock.ts'
import { record } from '../../core/security/audit.ts'
import { seal, unseal } from '../../core/security/secrets.ts'
import { newSecret } from '../../core/security/signing.ts'
import type { Tx } from '../../sql/index.ts'
import { type Caller, contextOf, type LocatedInProject } from '../plugins/request-context.ts'
import { notFound } from '../problems.ts'
import { hookColumns, lockHook } from './hooks.ts'
import type { Hook, RotatedHook, Rotation, Verdict, Verification } from './schema.ts'
import { verdictOn } from './verdict.ts'

const DAY = 86_400

/**
 * Gives a hook a new secret. The one before is kept beyond its overlap, though nothing is signed with it any more:
 * `verifyRequest` can say then that a request was signed with it.
 */
export async function rotateSecret(
  tx: Tx,
  by: Caller,
  place: LocatedInProject,
  { overlap_seconds }: Rotation,
): Promise<RotatedHook> {
  await lockHook(tx, place)
  const secret = newSecret()
  const overlap = overlap_seconds ?? DAY
  const [hook] = await tx<[Hook & { previous_secret_until: string | null }]>`
    update deployment_hooks
    set secret                = ${await seal(secret)},
        previous_secret       = secret,
        previous_secret_until = case when secret is not null then now() + ${overlap} * interval '1 second' end
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${hookColumns}, case when ${overlap} > 0 then previous_secret_until end as previous_secret_until
  `
  // Whoever serves the lane signs with what it read; the version tells it to read again.
  await touchLanes(tx, [place.organization_id], [place.id])
  const { previous_secret_until: until } = hook
  await record(tx, by, place, {
    action: 'deployment_hook.secret_rotated',
    resource_type: 'deployment_hook',
    resource_id: place.id,
    detail: `${by.name} replaced the secret of the deployment hook ${hook.name}${until ? `; the old one signs until ${until}` : ''}.`,
  })
  return { ...hook, secret }
}

/** What is to be verified, as it was sent: text that every body is read in (NFC) would hide that a body was altered. */
export const rawVerification = (request: Request): Verification => JSON.parse(Buffer.from(contextOf(request).bytes).toString())

interface Known {
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  previous_counts: boolean
}

interface Sent {
  webhook_id: string
  body: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Names as everybody can write them: in lower case, and without what CGI makes of them. */
const plainNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name
        .toLowerCase()
        .replace(/^http_/, '')
        .replaceAll('_', '-'),
      value.trim(),
    ]),
  )

/** Checks a request as its receiver should, with the stored secrets and beside what was sent. Changes nothing. */
export async function verifyRequest(tx: Tx, place: LocatedInProject, given: Verification): Promise<Verdict> {
  const [hook] = await tx<Known[]>`
    select secret, previous_secret, previous_secret_until > now() as previous_counts
    from deployment_hooks
    where id = ${place.id}
      and organization_id = ${place.organization_id}
  `
  if (!hook) throw notFound('hook')
  const headers = plainNames(given.headers)
  const ids = [headers['x-signalbox-delivery'] ?? '', headers['webhook-id'] ?? ''].filter((id) => UUID.test(id))
  const [sent] = await tx<Sent[]>`
    select coalesce(dispatch.redelivery_of, dispatch.id) as webhook_id, text.body
    from dispatches as dispatch
    join dispatch_bodies as text on text.dispatch_id = dispatch.id and text.organization_id = dispatch.organization_id
    where dispatch.hook_id = ${place.id}
      and dispatch.organization_id = ${place.organization_id}
      and dispatch.id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], dispatch.id)
    limit 1
  `
  return verdictOn({
    headers,
    body: given.body,
    sent: sent ?? null,
    secret: hook.secret && (await unseal(hook.secret)),
    previous: hook.previous_secret && { secret: await unseal(hook.previous_secret), counts: hook.previous_counts },
    now: epochSeconds(),
  })
}
