/** Hands dispatches that the drain has just written to the lanes that send them, so that they are not read back. */

import type { ChangedLane, TakenSequences } from '../../core/delivery/lanes.ts'
import { commonParts, hookPart, joinParts } from '../../core/dispatches/bodies.ts'
import type { CreatedDispatch } from '../../core/dispatches/create.ts'
import { freezeWindow } from '../../core/freezes/held-until.ts'
import { databaseClock, monotonicMs } from '../../core/platform/clock.ts'
import type { Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import type { LaneSnapshot, Written } from '../delivery/destination.ts'
import type { DecryptedHook, DueDispatch } from './attempt.ts'
import { type HookRow, limitOf, openHook, readHooks, staleAt } from './hook.ts'

/** With more, the lanes read: they have more to send than this process should hold in memory. */
const MAX_DISPATCHES = 200

interface HookLane extends ChangedLane {
  written?: Written<DecryptedHook, DueDispatch>
}

/** What may be sent as it was created: not what is cancelled, and not rendered bodies, which may be large and contain secrets. */
const isPlain = ({ hook, cancelled }: CreatedDispatch): boolean => hook.body_template === null && !cancelled

/** A dispatch as its lane would read it. */
function dueDispatch(created: CreatedDispatch, parts: [head: string, tail: string]): DueDispatch {
  const { id, event, hook, scope, sequence, max_attempts, request_id, traceparent } = created
  return {
    id,
    event: event.name,
    workspace_id: scope.workspace.id,
    project_id: scope.project.id,
    sequence,
    attempt_count: 0,
    max_attempts,
    report_within_seconds: hook.report_within_seconds,
    redelivery_of: null,
    request_id,
    traceparent,
    readAt: null,
    expires_at: null,
    body: joinParts(parts, hookPart(hook), sequence),
    mask: null,
    origin: null,
  }
}

/** The lane of a hook that was read before the commit, with dispatches to send. Null if the hook is paused, frozen or the like. */
async function snapshotOf(
  lane: ChangedLane,
  row: HookRow | undefined,
  due: DueDispatch[],
  readAt: number,
): Promise<LaneSnapshot<DecryptedHook, DueDispatch> | null> {
  const window = row ? freezeWindow(row) : null
  if (!row || row.only_tests || row.has_unsendable || window?.holds) return null
  return {
    target: await openHook(lane, row, databaseClock(row.read_at), true),
    version: row.version,
    revision: row.revision,
    due,
    // What else is due, such as a retry, is read afterwards.
    hasMore: true,
    ...limitOf(row),
    staleAt: window ? staleAt(row, window, readAt) : null,
    targetReadAt: row.is_healthy ? readAt : null,
  }
}

/**
 * Hands dispatches to their lanes. Lanes that this process does not serve yet also get their hooks, which are read in the round trip of
 * the commit.
 */
export async function handOver(
  tx: Tx,
  lanes: ChangedLane[],
  created: CreatedDispatch[],
  taken: ReadonlyMap<string, TakenSequences>,
  isServed: (lane_id: string) => boolean,
): Promise<HookLane[]> {
  if (created.length > MAX_DISPATCHES) return lanes
  const parts = new Map<string, [head: string, tail: string]>()
  const byLane = Map.groupBy(created, ({ hook }) => hook.id)
  // What expires is read: the database knows when.
  const isHanded = ({ id }: ChangedLane) => taken.get(id)?.max_age_seconds === null && (byLane.get(id) ?? []).every(isPlain)
  const unserved = lanes.filter((lane) => isHanded(lane) && !isServed(lane.id))
  const readAt = monotonicMs()
  const hooks = unserved.length > 0 ? readHooks(tx, unserved) : null
  if (hooks) await pipeline(tx, hooks)
  return lanes.map((lane): HookLane => {
    if (!isHanded(lane)) return lane
    const items = (byLane.get(lane.id) ?? []).map((each) => {
      const partsOfEvent = parts.get(each.event.id) ?? commonParts(each.event, each.scope)
      parts.set(each.event.id, partsOfEvent)
      return dueDispatch(each, partsOfEvent)
    })
    const snapshot = async () => {
      const row = (await hooks)?.find(({ id }) => id === lane.id)
      return snapshotOf(lane, row, items, readAt)
    }
    return { ...lane, written: { items, snapshot: unserved.includes(lane) ? snapshot : null } }
  })
}
