/** Holding back automatic dispatches while an environment is frozen. */
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { TRIGGERS } from '../events/catalogue.ts'
import type { FreezeWindow } from '../freezes/held-until.ts'
import { sql } from '../platform/database.ts'
import { passesFreezes } from './approval.ts'
import { holdSoaking } from './promoted.ts'

/**
 * SQL: whether `delivery` waits in a freeze: automatic dispatches do, unless a person overrode the gate, and redeliveries by someone who may not
 * override. The gates are asked: the override may have been revoked meanwhile, and a dispatch that was made before its
 * environment had freezes lacks its reason.
 */
export const waitsInFreezes = sql`(
  delivery.event = any(${Object.values(TRIGGERS)}::text[])
  and (
    select dispatch.override_reason is null and dispatch.redelivery_of is not null or ${passesFreezes} is null
    from dispatches as dispatch
    cross join lateral (select dispatch.environment) as hook
    where dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
  )
)`

/**
 * Holds back what is due in lanes until their freezes end, or until it expires. What has expired stays due, and is cancelled.
 *
 * The policy may change at the same time, and that change releases what is held. So that nothing is held afterwards, either the
 * caller holds the lanes (`lockLanes`), or the policy and the environment of the hook are locked here: if they have changed,
 * nothing is held.
 *
 * @param inFlight ids of dispatches that are being sent; they are skipped
 */
export async function holdDue(
  db: Queryable,
  lanes: { id: string; organization_id: string; window: FreezeWindow }[],
  inFlight: string[] = [],
  lock: Fragment = sql`for share of hook, policy`,
): Promise<void> {
  const frozen = lanes.map(({ id, organization_id, window }) => ({ id, organization_id, ...window }))
  await db`
    with frozen as materialized (
      select hook.id, hook.organization_id, hook.max_age_seconds, wanted.until
      from jsonb_to_recordset(${sql.json(frozen)}) as wanted (
        id uuid, organization_id uuid, until timestamptz, policy_id uuid, policy_version timestamptz
      )
      join deployment_hooks as hook on hook.id = wanted.id and hook.organization_id = wanted.organization_id
      join environment_policies as policy
        on policy.id = wanted.policy_id
        and policy.organization_id = wanted.organization_id
        and policy.project_id = hook.project_id
        and policy.environment = hook.environment
        and policy.updated_at = wanted.policy_version
      ${lock}
    )
    update deliveries as delivery
    set held_until = frozen.until,
        due_at     = least(frozen.until, seconds_after(dispatch.created_at, frozen.max_age_seconds))
    from frozen, dispatches as dispatch
    where delivery.lane_id = frozen.id
      and delivery.organization_id = frozen.organization_id
      and dispatch.id = delivery.id
      and dispatch.organization_id = delivery.organization_id
      -- Rounded as it is: what this transaction has made is due.
      and delivery.due_at <= statement_timestamp()::timestamptz(3)
      and delivery.lease_until is null
      and delivery.id <> all(${inFlight}::uuid[])
      and (seconds_after(dispatch.created_at, frozen.max_age_seconds) > now() or frozen.max_age_seconds is null)
      and ${waitsInFreezes}
  `
}

/** Makes due what freezes hold back in lanes, which are locked, but not before a soak ends. They decide again when they are read. */
export async function releaseHeld(tx: Tx, organization_id: string, lane_ids: string[]): Promise<void> {
  await tx`
    update deliveries
    set due_at     = now(),
        held_until = null
    where lane_id = any(${lane_ids}::uuid[])
      and organization_id = ${organization_id}
      and held_until > now()
  `
  await holdSoaking(tx, [organization_id], sql`delivery.lane_id = any(${lane_ids}::uuid[])`)
}
