/** When hooks are disabled: their receivers answer 410, or have failed for too long. The workspace admins are notified. */

import { resetHealth } from '../../core/delivery/lanes.ts'
import { type HookRow, hookColumns, shownHook } from '../../core/deployment-hooks/view.ts'
import { emit } from '../../core/events/outbox.ts'
import type { EventHook } from '../../core/events/subjects.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { record } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import type { Health } from '../delivery/destination.ts'
import { type DispatchAttempt, SUCCESS_INTERVAL_SECONDS } from './hook.ts'
import { isWithheld } from './outcome.ts'

/** Tests, responses of a former url and attempts that sent nothing do not count for the health of a hook. */
export const counts = ({ item, targetChanged, outcome }: DispatchAttempt): boolean =>
  item.event !== 'test.ping' && !targetChanged && !isWithheld(outcome)

const GONE = 'The receiver answered 410 Gone.'
const FAILING_TOO_LONG = 'All dispatches have failed for too long.'

export function reasonToDisable(attempt: DispatchAttempt, health: Health | null): string | null {
  const { hook, outcome } = attempt
  if (outcome.kind === 'succeeded' || !counts(attempt)) return null
  if (outcome.kind === 'failed' && outcome.gone) return GONE
  return health && hasFailedTooLong(health, hook.target_since) ? FAILING_TOO_LONG : null
}

/** @param target_since when the url of the hook was set: an earlier success was a success of the former url */
function hasFailedTooLong({ failures, first_failure_at, last_failure_at, last_success_at }: Health, target_since: string) {
  const [first, last] = [Date.parse(first_failure_at ?? ''), Date.parse(last_failure_at ?? '')]
  const lastSuccess = Math.max(Date.parse(last_success_at ?? target_since), Date.parse(target_since))
  return (
    failures >= 10 &&
    last - first >= (config.HOOK_DISABLE_SECONDS * 1000) / 10 &&
    last - lastSuccess >= (config.HOOK_DISABLE_SECONDS + SUCCESS_INTERVAL_SECONDS) * 1000
  )
}

/**
 * Disables a hook, unless it is disabled already, or its target was changed since it failed. The worker that serves its lane cancels
 * what is waiting. Its health is reset: otherwise the first failure after it is enabled again would disable it at once.
 */
export async function disable(tx: Tx, scope: ProjectScope, attempt: DispatchAttempt, reason: string): Promise<void> {
  const { target_since } = attempt
  const { id } = attempt.hook
  const [hook] = await tx<HookRow<EventHook & { body_template: unknown }>[]>`
    update deployment_hooks
    set enabled = false, disabled_reason = ${reason}
    where id = ${id}
      and organization_id = ${scope.organization_id}
      and enabled
      and target_since = ${target_since}
    returning ${hookColumns}
  `
  if (!hook) return
  await resetHealth(tx, scope.organization_id, id)
  await emit(tx, SYSTEM, scope, 'hook.disabled', { hook: shownHook(hook), reason })
  await record(tx, SYSTEM, scope, {
    action: 'hook.disabled',
    resource_type: 'deployment_hook',
    resource_id: id,
    detail: `Signalbox disabled the deployment hook ${hook.name}: ${reason}`,
  })
  await addJob(tx, 'mail_hook_disabled', { organization_id: scope.organization_id, hook_id: id })
}
