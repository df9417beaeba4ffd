/** Cancels dispatches that must not be sent any more. */

import type { Queryable } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { announceChange, scopePath } from '../tenants/changes.ts'
import type { Scope } from '../tenants/scopes.ts'
import { isRevoked, isUnpromoted, lacksApproval, requiresGate } from './approval.ts'
import {
  APPROVAL_REVOKED,
  CANCELLED,
  EXPIRED,
  HOOK_DISABLED,
  LACKS_APPROVAL,
  NOT_APPROVED,
  NOT_PROMOTED,
  SUPERSEDED,
} from './errors.ts'
import { waitsInFreezes } from './freezes.ts'

/**
 * Cancels dispatches that a user cancelled, that lost their approval or their run in the environment before, that a newer one supersedes, or that are due and expired, and
 * all dispatches of a disabled hook. A `test.ping` is only cancelled by a user, and a leased dispatch not before its lease ends.
 *
 * In a freeze, `holdDue` runs before this, so that it is known what is held back. Where new dispatches can come between the two,
 * since the lanes are not locked, `isFrozen` says that those which wait in freezes are held back too.
 *
 * For a push hook, only the worker that serves its lane may call this, because only it knows what is being sent. For a pull hook
 * anyone may: leases say what is being worked on.
 *
 * @param inFlight ids of dispatches that are being sent; they are skipped
 * @param isFrozen whether a freeze holds the environments of the hooks
 */
export async function cancelUnsendable(
  db: Queryable,
  organization_ids: string[],
  lane_ids: string[],
  inFlight: string[] = [],
  isFrozen = false,
): Promise<string[]> {
  const cancelled = await db<(Scope & { id: string })[]>`
    with unsendable as (
      select
        delivery.id, delivery.organization_id,
        case
          when delivery.cancel_requested then case
            when ${isRevoked} and (dispatch.gate_id is not null or ${requiresGate}) then ${sql.json(APPROVAL_REVOKED)}::jsonb
            when ${requiresGate} and ${lacksApproval()} then ${sql.json(NOT_APPROVED)}::jsonb
            when ${isUnpromoted} then ${sql.json(NOT_PROMOTED)}::jsonb
            else ${sql.json(CANCELLED)}::jsonb
          end
          when not hook.enabled then ${sql.json(HOOK_DISABLED)}::jsonb
          when newer.id is not null then ${sql.json(SUPERSEDED)}::jsonb
          else ${sql.json(EXPIRED)}::jsonb
        end as error,
        case when hook.enabled and not delivery.cancel_requested then newer.id end as superseded_by
      from deployment_hooks as hook
      join deliveries as delivery on delivery.lane_id = hook.id and delivery.organization_id = hook.organization_id
      join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
      left join lateral (
        select later.id
        from dispatches as later
        where hook.supersede
          and not delivery.is_test
          and later.hook_id = hook.id
          and later.organization_id = hook.organization_id
          and later.redelivery_of is null
          -- What was never to be sent replaces nothing.
          and (later.error is null or later.error ->> 'code' <> all(${LACKS_APPROVAL}))
          and later.sequence > coalesce(dispatch.made_after_sequence, dispatch.sequence)
          -- It may never be sent.
          and (later.soak_until is null or later.soak_until <= now())
          -- What a freeze holds back does not yet replace what passes it, such as a rollback or an override.
          and (
            ${waitsInFreezes}
            -- Not exists(): PostgreSQL may read all deliveries of the organization for that while they are few, and keep the plan.
            or (
              select delivery.held_until > now() or ${isFrozen} and ${waitsInFreezes}
              from deliveries as delivery
              where delivery.id = later.id and delivery.organization_id = hook.organization_id
            ) is not true
          )
        order by later.sequence
        limit 1
      ) as newer on true
      where hook.id = any(${lane_ids}::uuid[])
        and hook.organization_id = any(${organization_ids}::uuid[])
        and delivery.lease_until is null
        and delivery.id <> all(${inFlight}::uuid[])
        and (
          delivery.cancel_requested
          or newer.id is not null
          or not delivery.is_test
            and (
              not hook.enabled
              or not hook.paused
                and delivery.due_at <= now()
                and dispatch.created_at <= now() - hook.max_age_seconds * interval '1 second'
            )
        )
    ),
    taken as (
      delete from deliveries as delivery
      using unsendable
      where delivery.id = unsendable.id and delivery.organization_id = unsendable.organization_id
        -- Again: it may have been claimed meanwhile.
        and delivery.lease_until is null
      returning delivery.id, delivery.organization_id, delivery.attempt_count, unsendable.error, unsendable.superseded_by
    )
    update dispatches as dispatch
    set status        = 'cancelled',
        attempt_count = taken.attempt_count,
        completed_at  = now(),
        error         = taken.error,
        superseded_by = taken.superseded_by
    from taken
    where dispatch.id = taken.id and dispatch.organization_id = taken.organization_id
    returning dispatch.id, dispatch.organization_id, dispatch.workspace_id, dispatch.project_id
  `
  announceChange(db, ...cancelled.map(scopePath))
  return cancelled.map((each) => each.id)
}
