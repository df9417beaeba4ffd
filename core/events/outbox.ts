/** The outbox: events are written in the transaction of the change that they report, which then requests that a worker drains them. */
import type { Json, Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { announcer } from '../platform/announcements.ts'
import { sql } from '../platform/database.ts'
import type { Actor } from '../tenants/actors.ts'
import { announceChange, scopePath } from '../tenants/changes.ts'
import type { Scope } from '../tenants/scopes.ts'
import type { EventName, GivenData, ReferencesOf } from './catalogue.ts'
import type { References } from './subjects.ts'
import { type Subscribed, withSubscribers } from './subscriptions.ts'

/**
 * Workers listen on this channel. A job alone could have to wait for a free slot. The payload names organizations with new events; if it is
 * empty, any may have some.
 */
export const OUTBOX_CHANNEL = 'signalbox_outbox'

/** Commits within 5 ms share one request for a drain. */
const { announce: requestDrain } = announcer(OUTBOX_CHANNEL, 5)

export interface NewEvent<Name extends EventName = EventName> {
  scope: Scope
  name: Name
  /** The subject of the event as the API shows it. */
  data: GivenData<Name>
  /** What `data` names besides its subject. */
  references?: ReferencesOf<Name>
  /** Where the event originates, if not in the current request of its actor. */
  request_id?: string | null
  traceparent?: string | null
}

/** A requirement as events show it. */
const requirement = sql`
  jsonb_build_object('id', requirement.id, 'number', requirement.number, 'title', requirement.title)
`

/**
 * SQL: the data of the row `event` of `jsonb_to_recordset`, with what its references name. Scalar subqueries, because a join could
 * change the order of the rows.
 */
const dataWithReferences = sql`
  event.data
  || coalesce(
    (
      select jsonb_build_object('requirement', ${requirement})
      from requirements as requirement
      where requirement.id = event.requirement_id and requirement.organization_id = event.organization_id
    ),
    '{}'
  )
  || case when event.requirement_ids is null then '{}' else (
    select jsonb_build_object('requirements', coalesce(jsonb_agg(${requirement} order by requirement.number), '[]'))
    from requirements as requirement
    where requirement.id = any(event.requirement_ids)
      and requirement.organization_id = event.organization_id
  ) end
  || coalesce(
    (
      select jsonb_build_object('hook', jsonb_build_object('id', hook.id, 'name', hook.name))
      from deployment_hooks as hook
      where hook.id = event.hook_id and hook.organization_id = event.organization_id
    ),
    '{}'
  )
`

/** The data and the references of an event. A requirement that may be absent is null then. */
function referred(data: object, { optional_requirement_id, ...references }: Partial<References> = {}) {
  if (optional_requirement_id === undefined) return { data, ...references }
  return { data: { ...data, requirement: null }, requirement_id: optional_requirement_id, ...references }
}

function insertEvents(tx: Tx, by: Actor, events: NewEvent[]) {
  requestDrain(tx, ...events.map(({ scope }) => scope.organization_id))
  announceChange(tx, ...events.map(({ scope }) => scopePath(scope)))
  const rows = events.map(({ scope, name, data, references, request_id, traceparent }) => ({
    organization_id: scope.organization_id,
    workspace_id: scope.workspace_id,
    project_id: scope.project_id,
    name,
    ...referred(data, references),
    request_id: request_id ?? by.request_id,
    traceparent: traceparent ?? by.traceparent,
  }))
  // The trigger outbox_inserted adds the rows to the queue of the drain (`waiting_events`).
  return tx<{ id: string }[]>`
    insert into outbox (organization_id, workspace_id, project_id, name, data, actor_id, request_id, traceparent)
    select organization_id, workspace_id, project_id, name, ${dataWithReferences}, ${by.id}::uuid, request_id, traceparent
    from jsonb_to_recordset(${tx.json(rows as Json)}) as event (
      organization_id uuid, workspace_id uuid, project_id uuid, name text, data jsonb, request_id text, traceparent text,
      requirement_id uuid, requirement_ids uuid[], hook_id uuid
    )
    returning id
  `
}

/**
 * Writes events into the open transaction. They exist if and only if that transaction commits. Those that are `onlyIfSubscribed`
 * are left out if no subscription matches them now, so only channels may depend on them.
 *
 * @param known the subscriptions to them, if the caller has read them
 * @returns the ids of the events that were written, in the order given
 */
export async function emitAll<Name extends EventName>(tx: Tx, by: Actor, events: NewEvent<Name>[], known?: Subscribed[]) {
  const wanted = await withSubscribers(tx, events as NewEvent[], known)
  if (wanted.length === 0) return []
  const emitted = await insertEvents(tx, by, wanted)
  return emitted.map(({ id }) => id)
}

/** Writes one event into the open transaction: none that is `onlyIfSubscribed`, which `emitAll` writes. */
export const emit = <Name extends EventName>(
  tx: Tx,
  by: Actor,
  scope: Scope,
  name: Name,
  data: GivenData<Name>,
  ...[references]: keyof ReferencesOf<Name> extends never ? [] : [references: ReferencesOf<Name>]
): Promise<void> => pipeline(tx, insertEvents(tx, by, [{ scope, name, data, references } as NewEvent]))
