/** The same bytes once more: of one dispatch, or of all that did not get through. */
import { record } from '../../core/audit.ts'
import { lockLanes, MAX_ATTEMPTS, wakeHook } from '../../core/deployment-hooks.ts'
import { invalidField, invalidTransition } from '../../core/problems.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller, LocatedInProject } from '../plugins/exchange.ts'
import { getDispatch } from './dispatches.ts'
import { getHook } from './hooks.ts'
import type { Dispatch, Recovered, RecoverInput } from './schema.ts'
import { requireEnabled } from './triggers.ts'

/** So many a call: what is left is there for the next one. */
const MOST = 10_000

/**
 * Writes redeliveries of dispatches, in the order of their own; the hook's lane is held.
 *
 * @param made_after the hook's sequence now
 */
async function redeliverAll(
  tx: Tx,
  by: Caller,
  { organization_id }: LocatedInProject,
  dispatch_ids: string[],
  made_after: number,
): Promise<string[]> {
  const made = await tx<{ id: string }[]>`
    insert into dispatches (
      organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, body,
      max_attempts, redelivery_of, made_after, request_id, traceparent
    )
    select
      organization_id, workspace_id, project_id, hook_id, event_id, event, environment, sequence, body,
      case event when 'test.ping' then 1 else ${MAX_ATTEMPTS} end, coalesce(redelivery_of, id), ${made_after}, ${by.request_id},
      ${by.traceparent}
    from dispatches
    where id = any(${dispatch_ids}::uuid[])
      and organization_id = ${organization_id}
    order by created_at, id
    returning id
  `
  return made.map(({ id }) => id)
}

/** Sends the bytes of a finished dispatch again, as a new one that bears the first one's number. */
export async function redeliver(tx: Tx, by: Caller, place: LocatedInProject): Promise<Dispatch> {
  const dispatch = await getDispatch(tx, place)
  const hook = await getHook(tx, { ...place, id: dispatch.hook_id })
  const [lane] = await lockLanes(tx, [hook.id])
  const { status } = await getDispatch(tx, place)
  if (status === 'pending') throw invalidTransition('dispatch', status, 'redelivered')
  requireEnabled(hook)
  const [redelivery_id = ''] = await redeliverAll(tx, by, place, [place.id], lane?.sequence ?? 0)
  await record(tx, by, place, {
    action: 'dispatch.redelivered',
    resource_type: 'dispatch',
    resource_id: place.id,
    detail: `${by.name} redelivered a ${dispatch.event} to the deployment hook ${hook.name}.`,
  })
  await wakeHook(tx, hook.id)
  return getDispatch(tx, { ...place, id: redelivery_id })
}

/** The newest dispatch of each payload that did not get through, oldest first; one that is under way again is none of them. */
async function unsuccessful(tx: Tx, hook_id: string, { since, until = null }: RecoverInput): Promise<string[]> {
  const found = await tx<{ id: string }[]>`
    select id
    from (
      select distinct on (coalesce(redelivery_of, id)) id, created_at
      from dispatches as dispatch
      where hook_id = ${hook_id}
        and status in ('failed', 'cancelled')
        and event <> 'test.ping'
        and created_at >= ${since}::timestamptz
        and (${until}::timestamptz is null or created_at < ${until}::timestamptz)
        and not exists (
          select
          from dispatches as other
          -- All of one payload are younger than its first dispatch: older partitions need no look.
          where other.id >= coalesce(dispatch.redelivery_of, dispatch.id)
            and (
              other.id = coalesce(dispatch.redelivery_of, dispatch.id)
              or other.redelivery_of = coalesce(dispatch.redelivery_of, dispatch.id)
            )
            and (other.status = 'pending' or other.status = 'succeeded' and other.completed_at >= dispatch.created_at)
        )
      order by coalesce(redelivery_of, id), created_at desc, id desc
    ) as payload
    order by created_at, id
    limit ${MOST}
  `
  return found.map(({ id }) => id)
}

/** Redelivers what did not get through in a span of time. Two calls at once add nothing twice: the lane is held. */
export async function recover(tx: Tx, by: Caller, place: LocatedInProject, input: RecoverInput): Promise<Recovered> {
  if (input.until != null && Date.parse(input.until) < Date.parse(input.since))
    throw invalidField('/until', 'before_since', 'must not be earlier than since')
  const hook = await getHook(tx, place)
  requireEnabled(hook)
  const [lane] = await lockLanes(tx, [hook.id])
  const found = await unsuccessful(tx, hook.id, input)
  if (input.dry_run) return { redelivered: found.length }
  await redeliverAll(tx, by, place, found, lane?.sequence ?? 0)
  await record(tx, by, place, {
    action: 'deployment_hook.recovered',
    resource_type: 'deployment_hook',
    resource_id: hook.id,
    detail: `${by.name} redelivered ${found.length} dispatches of the deployment hook ${hook.name}.`,
  })
  if (found.length > 0) await wakeHook(tx, hook.id)
  return { redelivered: found.length }
}
