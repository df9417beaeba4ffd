/** Acknowledging claimed dispatches. */
import { retryDelay } from '../../core/dispatches/attempts.ts'
import { endedLease, endLeases, type Lease, type LeaseOutcome, lockLease } from '../../core/dispatches/pull-leases.ts'
import type { Tx } from '../../sql/index.ts'
import { getDispatch } from '../dispatches/dispatches.ts'
import type { Resource } from '../plugins/resources.ts'
import { invalidField, Problem } from '../problems.ts'
import { maskOfKnown, readKnownSecrets } from '../rollouts/reports.ts'
import { notAPullHook, requireCurrentToken } from './claims.ts'
import type { Acknowledgement } from './schema.ts'

const MAX_DETAIL_BYTES = 16_384

/** The error codes of the attempts that acknowledgements end; null for a success. */
const CODES = { succeeded: null, failed: 'claimer_failed', retry: 'retry_requested' } as const

function outcomeOf({ number, max_attempts }: Lease, outcome: Acknowledgement['outcome'], detail: string | null): LeaseOutcome {
  const response_body = detail
  if (outcome === 'succeeded') return { status: 'succeeded', after_seconds: null, response_body, error: null }
  if (outcome === 'retry' && number < max_attempts) {
    const error = { code: CODES.retry, detail: 'The claimer asked for another attempt.' }
    return { status: 'pending', after_seconds: retryDelay(number), response_body, error }
  }
  const why =
    outcome === 'retry'
      ? 'The claimer asked for another attempt, but this was the last one.'
      : 'The claimer acknowledged the dispatch as failed.'
  return { status: 'failed', after_seconds: null, response_body, error: { code: CODES[outcome], detail: why } }
}

/**
 * Ends the lease of a claimed dispatch. The same acknowledgement again changes nothing: the response of the first was lost.
 * @param presented the token of the caller, which is masked in the detail
 * @throws Problem `not_a_pull_hook`; `lease_lost` if it ran out, was given to another, or never was
 */
export async function acknowledge(tx: Tx, dispatch: Resource<'dispatch'>, input: Acknowledgement, presented: string | null) {
  const { outcome, detail = null, lease_until } = input
  if (detail !== null && Buffer.byteLength(detail) > MAX_DETAIL_BYTES)
    throw invalidField('/detail', 'too_long', `must not be longer than ${MAX_DETAIL_BYTES} bytes`)
  // In one round trip; the hook is read as it is after the lock.
  const [lease, secrets] = await Promise.all([
    lockLease(tx, dispatch.organization_id, dispatch.id, lease_until),
    readKnownSecrets(tx, dispatch),
  ])
  requireCurrentToken(secrets, presented)
  if (secrets.mode !== 'pull') throw notAPullHook()
  if (!lease) {
    // Read after the lock: an acknowledgement that was in progress is committed by now.
    const code = await endedLease(tx, dispatch.organization_id, dispatch.id, lease_until)
    if (code === CODES[outcome]) return getDispatch(tx, dispatch)
    throw new Problem(
      'lease_lost',
      'The dispatch is not leased until this lease_until: the lease ran out or was acknowledged otherwise, or the dispatch was claimed again or is finished.',
    )
  }
  const shown = detail === null ? null : (await maskOfKnown(dispatch.id, secrets, presented))(detail)
  const ended = { ...lease, ...outcomeOf(lease, outcome, shown) }
  if (ended.status === 'pending') {
    // It may be cancelled instead of retried.
    await endLeases(tx, [ended])
    return getDispatch(tx, dispatch)
  }
  // In the round trip that records it, and after that.
  const [, acknowledged] = await Promise.all([endLeases(tx, [ended]), getDispatch(tx, dispatch)])
  return acknowledged
}
