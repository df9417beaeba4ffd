/** Dispatches that fail or are cancelled when they are created: their rendered body is too large, or their hook is disabled. */

import type { Tx } from '../../sql/index.ts'
import { SYSTEM } from '../actors.ts'
import type { Event } from '../events/catalogue.ts'
import { emitAll } from '../events/outbox.ts'
import type { Rollout } from '../rollouts.ts'
import { type NamedProjectScope, scopeOf } from '../scopes.ts'
import { PAYLOAD_TOO_LARGE } from './errors.ts'

/** The rollout of a dispatch that is never delivered, as a trigger creates it. */
const NOT_DELIVERED: Rollout = {
  state: 'not_delivered',
  version: null,
  url: null,
  description: null,
  reported_by: null,
  reported_at: null,
  deadline_at: null,
}

interface FailedDispatch {
  id: string
  scope: NamedProjectScope
  hook: { id: string; environment: string; report_within_seconds: number | null }
  event: Event
  sequence: number | null
  max_attempts: number
  request_id: string | null
  traceparent: string | null
}

/** Emits `deployment.failed` for dispatches that were created as failed; not for tests. */
export async function emitTooLarge(tx: Tx, failed: FailedDispatch[]): Promise<void> {
  const dispatches = failed.filter(({ event }) => event.name !== 'test.ping')
  if (dispatches.length === 0) return
  const [{ now }] = await tx<[{ now: string }]>`select now()::timestamptz(3) as now`
  await emitAll(
    tx,
    SYSTEM,
    dispatches.map(({ id, scope, hook, event, sequence, max_attempts, request_id, traceparent }) => ({
      scope: scopeOf(scope),
      name: 'deployment.failed' as const,
      references: { hook_id: hook.id },
      request_id,
      traceparent,
      data: {
        dispatch: {
          id,
          hook_id: hook.id,
          project_id: scope.project.id,
          event: event.name,
          environment: hook.environment,
          status: 'failed',
          attempt_count: 0,
          max_attempts,
          next_attempt_at: null,
          response_status: null,
          duration_ms: null,
          error: PAYLOAD_TOO_LARGE,
          sequence,
          redelivery_of: null,
          superseded_by: null,
          rollout: hook.report_within_seconds === null ? null : NOT_DELIVERED,
          created_at: now,
          completed_at: now,
        },
      },
    })),
  )
}
