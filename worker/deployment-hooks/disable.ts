/** Switches off hooks whose receivers are gone for good, and tells whoever looks after them. */
import { SYSTEM } from '../../core/actors.ts'
import { record } from '../../core/audit.ts'
import { addJob } from '../../core/jobs.ts'
import { emit } from '../../core/outbox.ts'
import { MASK } from '../../core/secrets.ts'
import type { Tx } from '../../sql/index.ts'

export const GONE = 'The receiver answered 410 Gone.'
export const WORN_OUT = 'Its dispatches have failed for too long, and none got through.'

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
  await tx`delete from hook_receivers where hook_id = ${id}`
  await emit(tx, SYSTEM, place, 'hook.disabled', { hook: hook.data, reason })
  await record(tx, SYSTEM, place, {
    action: 'hook.disabled',
    resource_type: 'deployment_hook',
    resource_id: id,
    detail: `Signalbox switched the deployment hook ${hook.name} off: ${reason}`,
  })
  await addJob(tx, 'mail_hook_disabled', { hook_id: id }, place.organization_id)
}
