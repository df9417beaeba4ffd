/** Emits `runtime.offline` for runtimes without a recent heartbeat, once per outage. */
import { emitAll } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { isOffline, type Runtime, runtimeColumns } from '../../core/records/runtimes.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { dueRows, serveAllDue } from '../process/tenant-groups.ts'

const BATCH = 500

const overdue = dueRows(sql`runtimes`, sql`offline_at is null and ${isOffline}`)

export const markOffline = () =>
  serveAllDue(overdue, BATCH, async (tx, condition) => {
    const marked = await tx<(Runtime & { organization_id: string })[]>`
      with overdue as (
        select id, organization_id
        from runtimes
        where ${condition}
        order by last_heartbeat
        limit ${BATCH}
        for no key update skip locked
      ),
      marked as (
        update runtimes as runtime
        set offline_at = now()
        from overdue
        where runtime.id = overdue.id and runtime.organization_id = overdue.organization_id
        returning runtime.id, runtime.organization_id
      )
      select runtime.organization_id, ${runtimeColumns}
      from marked
      join runtimes as runtime on runtime.id = marked.id and runtime.organization_id = marked.organization_id
      left join people as owner on owner.id = runtime.owner_id
      order by runtime.last_heartbeat, runtime.id
    `
    const events = marked.map(({ organization_id, ...runtime }) => ({
      scope: { organization_id, workspace_id: null, project_id: null },
      name: 'runtime.offline' as const,
      data: { runtime },
    }))
    await emitAll(tx, SYSTEM, events)
    return marked.length
  })
