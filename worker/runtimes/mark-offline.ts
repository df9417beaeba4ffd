/** Emits `runtime.offline` for runtimes without a recent heartbeat, once per outage. */

import { isActiveOrganization } from '../../core/active-organizations.ts'
import { SYSTEM } from '../../core/actors.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { isOffline, type Runtime, runtimeColumns } from '../../core/runtimes.ts'
import type { Fragment } from '../../sql/index.ts'
import { type DueRows, serveDue } from '../process/tenant-groups.ts'

const BATCH = 500

const overdue: DueRows = {
  table: sql`runtimes`,
  organization_id: sql`runtimes.organization_id`,
  condition: sql`
    offline_at is null
    and ${isOffline}
    -- A deleted organization gets no more events.
    and ${isActiveOrganization(sql`runtimes.organization_id`)}
  `,
}

/** @returns the number of runtimes that were marked */
function mark(condition: Fragment): Promise<number> {
  return transaction(async (tx) => {
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
        where runtime.id = overdue.id
          and runtime.organization_id = overdue.organization_id
        returning runtime.id, runtime.organization_id
      )
      select runtime.organization_id, ${runtimeColumns}
      from marked
      join runtimes as runtime
        on runtime.id = marked.id
        and runtime.organization_id = marked.organization_id
      left join people as owner on owner.id = runtime.owner_id
      order by runtime.last_heartbeat, runtime.id
    `
    await emitAll(
      tx,
      SYSTEM,
      marked.map(({ organization_id, ...runtime }) => ({
        scope: { organization_id, workspace_id: null, project_id: null },
        name: 'runtime.offline',
        data: { runtime },
      })),
    )
    return marked.length
  })
}

/** Marks the runtimes that stopped sending heartbeats. */
export async function markOffline(): Promise<void> {
  while ((await serveDue(overdue, mark)) >= BATCH);
}
