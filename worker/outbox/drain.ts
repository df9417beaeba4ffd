/** drain_outbox: takes events in their order, fans them out, and marks them drained, one transaction a batch. */

import { wakeLanesOf } from '../../core/jobs.ts'
import { commit } from '../../core/outbox.ts'
import type { Tx } from '../../sql/index.ts'
import { fanOutToChannels } from '../notification-channels/fan-out.ts'
import { fanOutToUsers } from '../notifications/fan-out.ts'
import { isStopping } from '../process.ts'
import { type DrainedEvent, fanOutToHooks } from './fan-out.ts'
import { observeDrain } from './observe.ts'

const BATCH = 500

/** Tenants take turns: the first event of each, then the second of each, so that one tenant's flood holds nobody up. */
function nextEvents(tx: Tx): Promise<DrainedEvent[]> {
  return tx<DrainedEvent[]>`
    with recursive tenants as (
      (
        select organization_id
        from outbox
        where drained_at is null
        order by organization_id
        limit 1
      )
      union all
      select (
        select organization_id
        from outbox
        where drained_at is null
          and organization_id > tenants.organization_id
        order by organization_id
        limit 1
      )
      from tenants
      where tenants.organization_id is not null
    ),
    turns as (
      select waiting.id, row_number() over (partition by tenants.organization_id order by waiting.id) as turn
      from tenants
      join organizations as organization
        on organization.id = tenants.organization_id
        and organization.deleted_at is null
      cross join lateral (
        select id
        from outbox
        where organization_id = tenants.organization_id
          and drained_at is null
        order by id
        limit ${BATCH}
      ) as waiting
      order by turn, waiting.id
      limit ${BATCH}
    )
    select
      event.id, event.name, event.data, event.actor_id, event.request_id, event.traceparent, event.created_at,
      event.organization_id, organization.name as organization_name,
      event.workspace_id, workspace.name as workspace_name,
      event.project_id, project.name as project_name
    from turns
    join outbox as event on event.id = turns.id
    join organizations as organization on organization.id = event.organization_id
    left join workspaces as workspace on workspace.id = event.workspace_id
    left join projects as project on project.id = event.project_id
    order by turns.turn, event.id
  `
}

/** @returns how many events were drained */
async function drainBatch(): Promise<number> {
  let drained = () => {}
  const count = await commit(async (tx) => {
    // One drain at a time over all workers: two would give the newer event the lower sequence. The lock
    // goes with its connection, so a killed worker holds nobody up. Statements that need no answer of each
    // other are sent together; the server still works them off one after the other.
    const [, events] = await Promise.all([tx`select pg_advisory_xact_lock(hashtext('signalbox.drain'))`, nextEvents(tx)])
    if (events.length === 0) return 0
    drained = observeDrain(events)
    const ids = events.map(({ id }) => id)
    await Promise.all([
      fanOutToHooks(tx, events),
      fanOutToChannels(tx, events),
      fanOutToUsers(tx, events),
      tx`update outbox set drained_at = now() where id = any(${ids}::uuid[])`,
    ])
    await wakeLanesOf(tx, ids)
    return events.length
  })
  drained()
  return count
}

let draining = false
let asked = false

/**
 * Drains until nothing waits. One drain at a time in this process, too: others would wait for its lock, each on
 * a connection that lanes and records need.
 */
export async function drainOutbox(): Promise<void> {
  asked = true
  if (draining) return
  draining = true
  try {
    while (asked && !isStopping()) {
      asked = false
      while (!isStopping() && (await drainBatch()) > 0);
    }
  } finally {
    draining = false
  }
}
