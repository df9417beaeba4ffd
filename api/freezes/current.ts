/** What policies of environments hold back now, for pages. */
import { type FreezesRow, freezeColumns, heldUntilOf } from '../../core/freezes/windows.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'

/** Until when the freezes of an environment hold; null if none does. */
export async function frozenEnvironment(
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  environment: string,
): Promise<string | null> {
  const [row] = await db<FreezesRow[]>`
    select ${freezeColumns}
    from environment_policies as policy
    where policy.project_id = ${id}
      and policy.environment = ${environment}
      and policy.organization_id = ${organization_id}
      and policy.freezes <> '[]'
  `
  return heldUntilOf(row)
}

/** What the policy of the environment of a hook says about what is sent to it. */
interface SendingPolicy {
  /** Until when its freezes hold; null if none does. */
  frozen_until: string | null
  gate_required: boolean
}

/** What the policy of the environment of a hook says about what is sent to it. */
export async function getSendingPolicy(db: Queryable, { id, organization_id }: ResourceKey<'hook'>): Promise<SendingPolicy> {
  const [row] = await db<(FreezesRow & { gate_required: boolean })[]>`
    select ${freezeColumns}, policy.gate_required
    from deployment_hooks as hook
    join environment_policies as policy
      on policy.project_id = hook.project_id
      and policy.environment = hook.environment
      and policy.organization_id = hook.organization_id
    where hook.id = ${id}
      and hook.organization_id = ${organization_id}
  `
  return { frozen_until: heldUntilOf(row), gate_required: row?.gate_required ?? false }
}
