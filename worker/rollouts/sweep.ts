/** What changes rollouts as time passes. */
import { eventDispatches } from '../../core/dispatches/view.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { type EnvironmentKey, type Rollout, rolloutColumn, storeFigures } from '../../core/rollouts/rollouts.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { dueRows, serveAllDue } from '../process/tenant-groups.ts'

const MAX_MARKED = 500

interface Marked extends ProjectScope {
  id: string
  environment: string
  is_first: boolean
  /** Null if it is that of a dispatch. */
  own: Rollout | null
}

const overdue = dueRows(
  sql`rollouts`,
  sql`state in ('awaiting', 'in_progress') and deadline_at is not null and deadline_at <= now()`,
)

/** Marks rollouts as unknown whose receivers have not reported in time, and emits `rollout.unknown`, once per dispatch. */
export const markUnknown = () =>
  serveAllDue(overdue, MAX_MARKED, async (tx, condition) => {
    const marked = await tx<Marked[]>`
      with overdue as (
        select id, organization_id, unknown_at is null as is_first
        from rollouts
        where ${condition}
        order by deadline_at
        limit ${MAX_MARKED}
        -- A report in progress decides instead.
        for no key update skip locked
      )
      update rollouts as rollout
      set state      = 'unknown',
          unknown_at = least(rollout.unknown_at, now())
      from overdue
      where rollout.id = overdue.id and rollout.organization_id = overdue.organization_id
      returning
        rollout.id, rollout.organization_id, rollout.workspace_id, rollout.project_id, rollout.environment, overdue.is_first,
        case when rollout.hook_id is null then ${rolloutColumn} end as own
    `
    const first = marked.filter(({ is_first }) => is_first)
    if (first.length === 0) return marked.length
    // Without its dispatch, which may be deleted by now, a rollout of a hook has nothing to show in an event.
    const organizations = [...new Set(first.map(({ organization_id }) => organization_id))]
    const ids = first.map(({ id }) => id)
    const dispatches = await eventDispatches(tx, organizations, ids)
    const events = dispatches.flatMap(({ organization_id, workspace_id, request_id, traceparent, dispatch }) => {
      const scope = { organization_id, workspace_id, project_id: dispatch.project_id }
      const { rollout, environment } = dispatch
      if (!rollout) return []
      return { scope, name: 'rollout.unknown' as const, data: { dispatch, rollout, environment }, request_id, traceparent }
    })
    const reported = first.flatMap(({ organization_id, workspace_id, project_id, environment, own }) => {
      const scope = { organization_id, workspace_id, project_id }
      return own ? { scope, name: 'rollout.unknown' as const, data: { dispatch: null, rollout: own, environment } } : []
    })
    await emitAll(tx, SYSTEM, [...events, ...reported])
    return marked.length
  })

/** Few, because reports about these environments wait meanwhile. */
const MAX_UPDATED = 20

const outdated = dueRows(sql`environments`, sql`figures_until is not null and figures_until <= now()`)

/** Updates the figures of environments in which a rollout is older than 30 days by now. */
export const updateFigures = () =>
  serveAllDue(outdated, MAX_UPDATED, async (tx, condition) => {
    const locked = await tx<EnvironmentKey[]>`
      select organization_id, project_id, environment
      from environments
      where ${condition}
      order by figures_until
      limit ${MAX_UPDATED}
      -- A report updates them as well.
      for no key update skip locked
    `
    if (locked.length > 0) await storeFigures(tx, locked)
    return locked.length
  })
