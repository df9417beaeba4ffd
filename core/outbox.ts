/** The outbox: events are written with the change that they tell of, and drained by the worker afterwards. */
import { type Json, PostgresError, type Sql, type Tx } from '../sql/index.ts'
import type { Actor, Place } from './actors.ts'
import { sql } from './database.ts'
import { patternsOf } from './event-patterns.ts'
import type { EventName } from './events.ts'
import { wakeDrain } from './jobs.ts'
import { log } from './log.ts'

/** What is to be done once a transaction has committed. */
const afterwards = new WeakMap<Tx, Set<() => void>>()

/** Has something done after the commit of the open transaction, each thing once; a crash in between swallows it. */
export function afterCommit(tx: Tx, work: () => void): void {
  afterwards.get(tx)?.add(work)
}

/**
 * Does some of a transaction's work so that it can fail alone. What it would have done after the commit is done all the
 * same: each is something that may be done once too often.
 */
export async function savepoint<Result>(tx: Tx, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const result = await tx.savepoint((inner) => {
    const works = afterwards.get(tx)
    if (works) afterwards.set(inner as Tx, works)
    return work(inner as Tx)
  })
  return result as Result
}

/** Statements of open transactions whose end nobody has waited for yet. */
const underway = new WeakMap<Tx, Promise<unknown>[]>()

/**
 * Sends a statement whose answer nobody needs before the commit, so that the next one, or the commit itself, goes with it
 * in one round trip. Where it fails, so does the transaction: PostgreSQL answers the COMMIT of a failed one with ROLLBACK.
 */
export async function sendAlong(tx: Tx, statement: { execute(): Promise<unknown> }): Promise<void> {
  const others = underway.get(tx)
  const sent = statement.execute()
  if (!others) return void (await sent)
  // It is waited for after the commit; until then its failure is not unhandled.
  sent.catch(() => {})
  others.push(sent)
}

/**
 * Has the statements of the open transaction planned by the sizes that tables have now: for batches that are joined to a
 * table which is nearly empty most of the time. A kept plan would read all of that table once it has grown.
 */
export const planAnew = (tx: Tx): Promise<void> =>
  sendAlong(tx, tx`select set_config('plan_cache_mode', 'force_custom_plan', true)`)

/** One event that is to be told. */
export interface NewEvent {
  place: Place
  name: EventName
  /** What the event is about, as the API shows it, under the names of the catalogue. */
  data: Record<string, unknown> | (() => Record<string, unknown>)
  /** Where it came from, if not from what its actor does now. */
  request_id?: string | null
  traceparent?: string | null
}

/** There is one of these for each dispatch, so that they are written only where a subscription matches them at that moment. */
const OPTIONAL: ReadonlySet<string> = new Set<EventName>(['deployment.succeeded', 'deployment.failed'])

/** Leaves out optional events that no subscription matches. */
async function withSubscribers(tx: Tx, events: NewEvent[]): Promise<NewEvent[]> {
  const optional = events.filter(({ name }) => OPTIONAL.has(name))
  if (optional.length === 0) return events
  const subscriptions = await tx<{ workspace_id: string; event_pattern: string; filter_project_id: string | null }[]>`
    select distinct workspace_id, event_pattern, filter_project_id
    from subscriptions
    where organization_id = any(${[...new Set(optional.map(({ place }) => place.organization_id))]}::uuid[])
      and event_pattern = any(${[...new Set(optional.flatMap(({ name }) => patternsOf(name)))]})
  `
  const isMatched = ({ place, name }: NewEvent) =>
    subscriptions.some(
      ({ workspace_id, event_pattern, filter_project_id }) =>
        workspace_id === place.workspace_id &&
        patternsOf(name).includes(event_pattern) &&
        (filter_project_id === null || filter_project_id === place.project_id),
    )
  return events.filter((event) => !OPTIONAL.has(event.name) || isMatched(event))
}

/** The statement that writes events; the first of an open transaction has its commit ask for a drain. */
function insertion(tx: Tx, by: Actor, events: NewEvent[]) {
  afterCommit(tx, askForDrain)
  const rows = events.map(({ place, name, data, request_id, traceparent }) => ({
    organization_id: place.organization_id,
    workspace_id: place.workspace_id,
    project_id: place.project_id,
    name,
    data: typeof data === 'function' ? data() : data,
    request_id: request_id ?? by.request_id,
    traceparent: traceparent ?? by.traceparent,
  }))
  return tx<{ id: string }[]>`
    insert into outbox (organization_id, workspace_id, project_id, name, data, actor_id, request_id, traceparent)
    select organization_id, workspace_id, project_id, name, data, ${by.id}::uuid, request_id, traceparent
    from jsonb_to_recordset(${tx.json(rows as Json)}) as event (
      organization_id uuid, workspace_id uuid, project_id uuid, name text, data jsonb, request_id text, traceparent text
    )
    returning id
  `
}

/**
 * Writes events into the open transaction: they are sent if, and only if, that transaction commits.
 *
 * @returns the ids of those that were written, in the order given
 */
export async function emitAll(tx: Tx, by: Actor, events: NewEvent[]): Promise<string[]> {
  const wanted = await withSubscribers(tx, events)
  if (wanted.length === 0) return []
  const emitted = await insertion(tx, by, wanted)
  return emitted.map(({ id }) => id)
}

/** Writes one event into the open transaction. */
export const emit = (tx: Tx, by: Actor, place: Place, name: EventName, data: Record<string, unknown>): Promise<void> =>
  sendAlong(tx, insertion(tx, by, [{ place, name, data }]))

/**
 * A deadlock, a lost race between snapshots, or an answer that another kept under the same key: nothing was written, and a
 * second try sees the other's work.
 */
const isPassing = (error: unknown): boolean =>
  error instanceof PostgresError &&
  (error.code === '40P01' || error.code === '40001' || error.constraint_name === 'idempotency_keys_pkey')

/**
 * Runs one short transaction and, where it told an event, asks for a drain.
 *
 * The asking comes after the commit, in a statement of its own: the job has one key for all, and it notifies; inside,
 * writers would wait for each other. What a crash swallows here, the worker's poll finds.
 */
export async function commit<Result>(work: (tx: Tx) => Promise<Result>, db: Sql = sql): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const works = new Set<() => void>()
    const statements: Promise<unknown>[] = []
    try {
      const result = await db.begin((tx) => {
        afterwards.set(tx, works)
        underway.set(tx, statements)
        return work(tx)
      })
      await Promise.all(statements)
      for (const each of works) each()
      return result as Result
    } catch (error) {
      if (tries === 3 || !isPassing(error)) throw error
    }
  }
}

/** A busy moment's commits ask together. */
const ASK_MS = 5

let asking = false
let askAgain = false

/** Asks for a drain, at once where nobody has just asked; commits that come soon after ask once more, together. */
export async function askForDrain(): Promise<void> {
  askAgain = asking
  if (asking) return
  asking = true
  try {
    do {
      askAgain = false
      await wakeDrain(sql)
      await Bun.sleep(ASK_MS)
    } while (askAgain)
  } catch (error) {
    log.warn({ error }, 'a drain could not be asked for; the poll of the workers will')
  } finally {
    asking = false
  }
}
