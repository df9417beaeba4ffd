/** A hook as its lane reads it, and what is sent to it: with secrets decrypted. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { decryptTemplateSecrets } from '../../core/dispatches/bodies.ts'
import type { SignedDispatch, SigningHook } from '../../core/dispatches/request-headers.ts'
import { type FreezesRow, freezeColumns, joinFreezes } from '../../core/freezes/held-until.ts'
import type { DatabaseClock } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import type { Span } from '../../core/platform/traces.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import { secretsOfHeader, secretsOfSigning } from '../../core/security/secret-forms.ts'
import { decrypt } from '../../core/security/secrets.ts'
import { type SignatureKind, signerOf } from '../../core/security/signing.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import { batched } from '../delivery/batched.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import type { DispatchOutcome } from './outcome.ts'

/** A hook with its secrets decrypted; it must not leave this process. */
export interface DecryptedHook extends SigningHook {
  id: string
  organization_id: string
  url: string
  target_since: string
  clock: DatabaseClock
  /** All of them, as responses may contain them. */
  secrets: string[]
  /** Removes all secrets from responses. */
  mask: Mask
  /** Whether it succeeded recently and has not failed since. Another success then need not be recorded. */
  isHealthy: boolean
}

export interface DueDispatch extends SignedDispatch {
  workspace_id: string
  project_id: string
  /** When it was read, on the monotonic clock. */
  readAt: number
  expires_at: string | null
  /** Removes also the secrets of its body from responses; null if those of the hook are all. */
  mask: Mask | null
  /** The only origin that its body may be sent to; null if it contains no template secrets. */
  origin: string | null
  max_attempts: number
  request_id: string | null
  traceparent: string | null
}

export interface DispatchAttempt extends AttemptResult<DueDispatch> {
  hook: DecryptedHook
  started_at: string
  /** Masked and cut, as it is stored. */
  result: OutboundResult
  outcome: DispatchOutcome
  span: Span | null
}

/** How often the success of a healthy hook is recorded: a write for each would be wasteful. */
export const SUCCESS_INTERVAL_SECONDS = Math.min(60, config.HOOK_DISABLE_SECONDS / 10)

interface HookRow extends FreezesRow {
  id: string
  url: string
  target_since: string
  signature: SignatureKind
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  headers: Uint8Array | null
  template_secrets: Uint8Array | null
  timed_out: boolean
  is_healthy: boolean
  version: number
  revision: number
  only_tests: boolean
  max_age_seconds: number | null
  has_unsendable: boolean
  /** When this was read. `now` is when the transaction began. */
  read_at: string
}

/** The hook of a lane; null if the hook or its organization is deleted. */
export const readHook = batched(async (lanes: Pick<Lane, 'id' | 'organization_id'>[]): Promise<(HookRow | null)[]> => {
  const found = await sql<HookRow[]>`
    select
      hook.id, hook.url, hook.target_since, hook.signature, hook.secret, hook.headers, hook.template_secrets,
      case when hook.previous_secret_until > now() then hook.previous_secret end as previous_secret,
      coalesce(health.timed_out, false) as timed_out,
      coalesce(
        health.failures = 0
          and not health.timed_out
          and health.last_success_at > now() - ${SUCCESS_INTERVAL_SECONDS} * interval '1 second',
        false
      ) as is_healthy,
      lane.version,
      lane.revision,
      not hook.enabled or hook.paused as only_tests,
      hook.max_age_seconds,
      not hook.enabled
        or hook.supersede
        or exists (
          select from deliveries where lane_id = lane.id and organization_id = lane.organization_id and cancel_requested
        ) as has_unsendable,
      statement_timestamp() as read_at,
      ${freezeColumns}
    from unnest(
      ${lanes.map(({ id }) => id)}::uuid[],
      ${lanes.map(({ organization_id }) => organization_id)}::uuid[]
    ) as wanted (id, organization_id)
    join lanes as lane on lane.id = wanted.id and lane.organization_id = wanted.organization_id
    join deployment_hooks as hook on hook.id = wanted.id and hook.organization_id = wanted.organization_id
    ${joinFreezes(sql`hook`)}
    left join lane_health as health on health.lane_id = wanted.id and health.organization_id = wanted.organization_id
    where ${isActiveOrganization(sql`wanted.organization_id`)}
  `
  const byId = new Map(found.map((hook) => [hook.id, hook]))
  return lanes.map(({ id }) => byId.get(id) ?? null)
})

/**
 * @param isUsed whether there is something to send. If not, no secret is decrypted: reads of a paused hook mostly find nothing.
 * @throws UnreadableSecret if no key decrypts a secret
 */
export async function openHook(
  { id, organization_id }: Lane,
  row: HookRow,
  clock: DatabaseClock,
  isUsed: boolean,
): Promise<DecryptedHook> {
  const { secret, previous_secret, headers: encryptedHeaders, template_secrets } = row
  const signing = isUsed ? [secret, previous_secret].filter((each) => each !== null) : []
  const secrets = await Promise.all(signing.map(decrypt))
  const headers: Record<string, string> = isUsed && encryptedHeaders ? JSON.parse(await decrypt(encryptedHeaders)) : {}
  const inTemplate = await decryptTemplateSecrets(isUsed ? template_secrets : null)
  const all = [
    ...secrets.flatMap(secretsOfSigning),
    ...Object.values(headers).flatMap(secretsOfHeader),
    ...[...inTemplate.values()].flatMap(secretsOfHeader),
  ]
  return {
    id,
    organization_id,
    url: row.url,
    target_since: row.target_since,
    clock,
    sign: signerOf(row.signature, secrets),
    headers,
    secrets: all,
    mask: maskOf(all),
    isHealthy: row.is_healthy,
  }
}
