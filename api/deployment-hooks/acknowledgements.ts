/** Acknowledging claimed dispatches. */
import { retryDelay } from '../../core/deployment-hooks.ts'
import { decryptBody, decryptTemplateSecrets } from '../../core/dispatch-bodies.ts'
import { endLeases, type Lease, type LeaseOutcome, lockLease } from '../../core/pull-leases.ts'
import { maskOf, secretsOfHeader, secretsOfSigning } from '../../core/security/masking.ts'
import { reportToken } from '../../core/security/report-token.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { Tx } from '../../sql/index.ts'
import type { ProjectResource } from '../plugins/request-context.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import { notAPullHook } from './claims.ts'
import { getDispatch } from './dispatches.ts'
import type { Acknowledgement } from './pull-schema.ts'
import type { Dispatch } from './schema.ts'

const MAX_DETAIL_BYTES = 16_384

interface Secrets {
  mode: 'push' | 'pull'
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  template_secrets: Uint8Array | null
  encrypted_body: Uint8Array | null
}

async function readSecrets(tx: Tx, { id, organization_id }: ProjectResource): Promise<Secrets> {
  const [found] = await tx<Secrets[]>`
    select hook.mode, hook.secret, hook.previous_secret, hook.template_secrets, body.encrypted_body
    from dispatches as dispatch
    join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
    left join dispatch_bodies as body on body.dispatch_id = dispatch.id and body.organization_id = dispatch.organization_id
    where dispatch.id = ${id}
      and dispatch.organization_id = ${organization_id}
  `
  if (!found) throw notFound('dispatch')
  return found
}

/** The detail as members of the workspace may read it: the output of a command may contain secrets of the hook. */
async function masked(detail: string, dispatch_id: string, found: Secrets): Promise<string> {
  const keys = [found.secret, found.previous_secret].filter((each) => each !== null)
  const signing = await Promise.all(keys.map(decrypt))
  const template = [...(await decryptTemplateSecrets(found.template_secrets)).values()]
  const sent = found.encrypted_body ? (await decryptBody(found.encrypted_body)).secrets : []
  const mask = maskOf([
    ...signing.flatMap(secretsOfSigning),
    ...[...template, ...sent].flatMap(secretsOfHeader),
    reportToken(dispatch_id),
  ])
  return storable(mask(detail))
}

/** What an acknowledgement means for the dispatch. */
function outcomeOf({ number, max_attempts }: Lease, outcome: Acknowledgement['outcome'], detail: string | null): LeaseOutcome {
  const response_body = detail
  if (outcome === 'succeeded') return { status: 'succeeded', after_seconds: null, response_body, error: null }
  if (outcome === 'retry' && number < max_attempts) {
    const error = { code: 'retry_requested', detail: 'The claimer asked for another attempt.' }
    return { status: 'pending', after_seconds: retryDelay(number), response_body, error }
  }
  const error =
    outcome === 'retry'
      ? { code: 'retry_requested', detail: 'The claimer asked for another attempt, but this was the last one.' }
      : { code: 'claimer_failed', detail: 'The claimer acknowledged the dispatch as failed.' }
  return { status: 'failed', after_seconds: null, response_body, error }
}

/**
 * Ends the lease of a claimed dispatch.
 *
 * @throws Problem `not_a_pull_hook`; `lease_lost` if it ran out, was given to another, or never was
 */
export async function acknowledge(tx: Tx, place: ProjectResource, input: Acknowledgement): Promise<Dispatch> {
  const { outcome, detail = null, lease_until } = input
  if (detail !== null && Buffer.byteLength(detail) > MAX_DETAIL_BYTES)
    throw invalidField('/detail', 'too_long', `must not be longer than ${MAX_DETAIL_BYTES} bytes`)
  const secrets = await readSecrets(tx, place)
  if (secrets.mode !== 'pull') throw notAPullHook()
  const lease = await lockLease(tx, place.organization_id, place.id, lease_until)
  if (!lease) {
    throw new Problem(
      'lease_lost',
      'The dispatch is not leased until this lease_until: the lease ran out, or the dispatch was claimed again or is finished.',
    )
  }
  const shown = detail === null ? null : await masked(detail, place.id, secrets)
  await endLeases(tx, [{ ...lease, ...outcomeOf(lease, outcome, shown) }])
  return getDispatch(tx, place)
}
