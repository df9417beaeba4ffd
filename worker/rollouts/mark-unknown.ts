/** Marks rollouts as unknown whose receivers have not reported in time, and emits `rollout.unknown`, once per dispatch. */

import { eventDispatches } from '../../core/dispatches/view.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import { type DueRows, serveAllDue } from '../process/tenant-groups.ts'

const BATCH = 500

const overdue: DueRows = {
  table: sql`rollouts`,
  organization_id: sql`rollouts.organization_id`,
  condition: sql`
    state in ('awaiting', 'in_progress')
    and deadline_at is not null
    and deadline_at <= now()
    -- A deleted organization gets no more events.
    and ${isActiveOrganization(sql`rollouts.organization_id`)}
  `,
}

export const markUnknown = () =>
  serveAllDue(overdue, BATCH, async (tx, condition) => {
    const marked = await tx<{ id: string; organization_id: string; is_first: boolean }[]>`
      with overdue as (
        select id, organization_id, unknown_at is null as is_first
        from rollouts
        where ${condition}
        order by deadline_at
        limit ${BATCH}
        -- A report in progress decides instead.
        for no key update skip locked
      )
      update rollouts as rollout
      set state      = 'unknown',
          unknown_at = least(rollout.unknown_at, now())
      from overdue
      where rollout.id = overdue.id and rollout.organization_id = overdue.organization_id
      returning rollout.id, rollout.organization_id, overdue.is_first
    `
    const first = marked.filter(({ is_first }) => is_first)
    if (first.length === 0) return marked.length
    // Without its dispatch, which may be deleted by now, a rollout has nothing to show in an event.
    const organizations = [...new Set(first.map(({ organization_id }) => organization_id))]
    const ids = first.map(({ id }) => id)
    const dispatches = await eventDispatches(tx, organizations, ids)
    const events = dispatches.flatMap(({ organization_id, workspace_id, request_id, traceparent, dispatch }) => {
      const scope = { organization_id, workspace_id, project_id: dispatch.project_id }
      const { rollout } = dispatch
      return rollout ? { scope, name: 'rollout.unknown' as const, data: { dispatch, rollout }, request_id, traceparent } : []
    })
    await emitAll(tx, SYSTEM, events)
    return marked.length
  })
