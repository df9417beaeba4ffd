/** Switches off hooks whose receivers are gone for good, and tells whoever looks after them. */
import { SYSTEM } from '../../core/actors.ts'
import { emit } from '../../core/events/outbox.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { resetHealth } from '../../core/lanes.ts'
import { config } from '../../core/platform/config.ts'
import { record } from '../../core/security/audit.ts'
import { MASK } from '../../core/security/secrets.ts'
import type { Tx } from '../../sql/index.ts'
import type { Health } from '../delivery/health.ts'
import type { DispatchAttempt } from './attempt.ts'
import { SUCCESS_SECONDS } from './responses.ts'

const GONE = 'The receiver answered 410 Gone.'
const WORN_OUT = 'Its dispatches have failed for too long, and none got through.'

/**
 * Whether a hook has failed for so long that it is to be switched off, once one of its attempts has just failed.
 *
 * @param target_since since when it has led to its url: an earlier success was that of another one
 */
function isWornOut({ failures, first_failure_at, last_failure_at, last_success_at }: Health, target_since: string): boolean {
  const [first, last] = [Date.parse(first_failure_at ?? ''), Date.parse(last_failure_at ?? '')]
  const aliveAt = Math.max(Date.parse(last_success_at ?? target_since), Date.parse(target_since))
  return (
    failures >= 10 &&
    last - first >= config.HOOK_DISABLE_SECONDS * 100 &&
    last - aliveAt >= (config.HOOK_DISABLE_SECONDS + SUCCESS_SECONDS) * 1000
  )
}

/**
 * The attempts that show their hooks to be gone for good, one a hook, and why. A test shows nothing, nor does an answer of a
 * former url.
 */
export function reasonsToDisable(attempts: DispatchAttempt[], healths: Health[]): [DispatchAttempt, string][] {
  const byLane = new Map(healths.map((health) => [health.lane_id, health]))
  const found = attempts.flatMap((attempt): [string, [DispatchAttempt, string]][] => {
    const { lane, item, hook, outcome, isStale } = attempt
    if (item.event === 'test.ping' || outcome.kind === 'succeeded' || isStale) return []
    const health = byLane.get(lane.id)
    if (outcome.kind === 'failed' && outcome.gone) return [[lane.id, [attempt, GONE]]]
    return health && isWornOut(health, hook.target_since) ? [[lane.id, [attempt, WORN_OUT]]] : []
  })
  return [...new Map(found).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reason]) => reason)
}

/** A hook that is to be switched off, and why. */
export interface Failing {
  id: string
  organization_id: string
  workspace_id: string
  project_id: string
  /** Of the hook that failed; one that leads elsewhere by now stays on. */
  target_since: string
  reason: string
}

/**
 * Switches a hook off; one that is off already stays as it is. Whoever serves its lane ends what waits. Switched on
 * again it starts afresh: else its next failure would be one too many.
 */
export async function switchOff(tx: Tx, { reason, id, target_since, ...place }: Failing): Promise<void> {
  const [hook] = await tx<{ name: string; data: Record<string, unknown> }[]>`
    update deployment_hooks
    set enabled = false, disabled_reason = ${reason}
    where id = ${id}
      and organization_id = ${place.organization_id}
      and enabled
      and target_since = ${target_since}
    returning name, jsonb_build_object(
      'id', id, 'project_id', project_id, 'name', name, 'url', url, 'trigger_on', trigger_on, 'environment', environment,
      'headers', coalesce((select jsonb_object_agg(header, ${MASK}::text) from unnest(header_names) as header), '{}'),
      'enabled', enabled, 'disabled_reason', disabled_reason, 'max_age_seconds', max_age_seconds, 'supersede', supersede,
      'paused', paused, 'has_secret', secret is not null,
      'created_at', created_at, 'updated_at', updated_at
    ) as data
  `
  if (!hook) return
  await resetHealth(tx, place.organization_id, id)
  await emit(tx, SYSTEM, place, 'hook.disabled', { hook: hook.data, reason })
  await record(tx, SYSTEM, place, {
    action: 'hook.disabled',
    resource_type: 'deployment_hook',
    resource_id: id,
    detail: `Signalbox switched the deployment hook ${hook.name} off: ${reason}`,
  })
  await addJob(tx, 'mail_hook_disabled', { hook_id: id }, place.organization_id)
}
