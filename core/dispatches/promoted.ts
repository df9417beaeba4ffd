/** Dispatches whose subject must have run in the environment before: when they may be sent, and the event that they are not. */

import type { Fragment, Tx } from '../../sql/index.ts'
import { emitAll } from '../events/outbox.ts'
import { type FreezesRow, freezeColumns, heldUntil, joinFreezes } from '../freezes/held-until.ts'
import { sql } from '../platform/database.ts'
import type { Actor } from '../tenants/actors.ts'
import { eventDispatches } from './view.ts'

interface Soaking extends FreezesRow {
  id: string
  held_until: string | null
  soak_until: string
  /** Null if it never does. */
  expires_at: string | null
}

/**
 * Holds back dispatches until their soak ends or, if a freeze holds then, until that ends. Their lanes are locked.
 * @param isConcerned SQL: which, of `delivery` and `dispatch`
 */
export async function holdSoaking(tx: Tx, organization_ids: string[], isConcerned: Fragment): Promise<void> {
  const soaking = await tx<Soaking[]>`
    select
      delivery.id, delivery.held_until, dispatch.soak_until,
      seconds_after(dispatch.created_at, hook.max_age_seconds)::timestamptz(3) as expires_at,
      ${freezeColumns}
    from deliveries as delivery
    join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
    join deployment_hooks as hook on hook.id = delivery.lane_id and hook.organization_id = delivery.organization_id
    ${joinFreezes(sql`hook`)}
    where delivery.organization_id = any(${organization_ids}::uuid[])
      and ${isConcerned}
      and delivery.lease_until is null
      and dispatch.soak_until > now()
  `
  const held = soaking.flatMap(({ id, held_until, soak_until, expires_at, freezes }) => {
    const until = heldUntil(freezes ?? [], new Date(soak_until))?.toISOString() ?? soak_until
    if (until === held_until) return []
    return { id, until, due_at: expires_at !== null && expires_at < until ? expires_at : until }
  })
  if (held.length === 0) return
  await tx`
    update deliveries as delivery
    set held_until = held.until,
        due_at     = held.due_at
    from jsonb_to_recordset(${tx.json(held)}) as held (id uuid, until timestamptz, due_at timestamptz)
    -- As a list, too: by it each is looked up by its key.
    where delivery.id = any(${held.map(({ id }) => id)}::uuid[])
      and delivery.organization_id = any(${organization_ids}::uuid[])
      and delivery.id = held.id
  `
}

/** Emits that dispatches were cancelled, or are to be, because their subject does not run in the environment before. */
export async function emitBlocked(tx: Tx, by: Actor, organization_ids: string[], dispatch_ids: string[]): Promise<void> {
  if (dispatch_ids.length === 0) return
  const dispatches = await eventDispatches(tx, organization_ids, dispatch_ids)
  const byEnvironment = Map.groupBy(dispatches, ({ dispatch }) => `${dispatch.project_id} ${dispatch.environment}`)
  await emitAll(
    tx,
    by,
    [...byEnvironment.values()].flatMap((group) => {
      const [first] = group
      if (!first) return []
      const { organization_id, workspace_id, dispatch } = first
      const scope = { organization_id, workspace_id, project_id: dispatch.project_id }
      const data = { environment: dispatch.environment, dispatches: group.map((each) => each.dispatch) }
      return { scope, name: 'environment.blocked' as const, data }
    }),
  )
}
