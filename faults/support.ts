/** What the long runs share: load that goes on whatever happens, and the sums that must be right afterwards. */
import type { Actor, Answer, Box, Site } from '../test/support/signalbox.ts'

/** An answer, and how long it took to come. */
export interface Told extends Answer {
  ms: number
}

/** Opens gates that can be approved one after another, 50 on each execution. */
export async function openGates(box: Box, actor: Actor, project_id: string, count: number): Promise<string[]> {
  const gates: string[] = []
  while (gates.length < count) {
    const execution = await box.running(actor, project_id)
    const some = Math.min(50, count - gates.length)
    const made = await Promise.all(
      Array.from({ length: some }, () => actor.make(`/api/v1/executions/${execution.id}/gates`, { name: 'Release review' })),
    )
    gates.push(...made.map(({ id }) => id as string))
  }
  return gates
}

/** Makes hooks that wait for approved gates, and has the outcomes of their dispatches raise events. */
export async function makeHooks(
  actor: Actor,
  { workspace, project }: Site,
  url: string,
  count: number,
): Promise<Answer['body'][]> {
  await actor.subscribeToOutcomes(workspace.id, null)
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      actor.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
        name: `Hook ${index}`,
        url: `${url}/${index}`,
        trigger_on: 'gate_approved',
      }),
    ),
  )
}

/** Whether nobody answered: the process itself is away. */
export const isAway = (error: Error & { code?: string }): boolean =>
  /Unable to connect|ECONNREFUSED|ECONNRESET|socket connection was closed|Was there a typo/i.test(
    `${error.message} ${error.code}`,
  )

/**
 * Asks until there is an answer that settles it; every answer on the way is kept.
 *
 * @param settles whether this answer is the last one
 */
export async function insist(told: Told[], ask: () => Promise<Answer>, settles: (answer: Answer) => boolean): Promise<Answer> {
  for (const end = performance.now() + 90_000; performance.now() < end; ) {
    const begun = performance.now()
    const answer = await ask().catch((error: Error) => {
      if (isAway(error)) return null
      throw error
    })
    if (answer) {
      told.push({ ...answer, ms: performance.now() - begun })
      if (settles(answer)) return answer
    }
    await Bun.sleep(100)
  }
  throw new Error(`It was never settled: ${JSON.stringify(told.at(-1))}`)
}

/** Approves gates, some at a time, until each is. Where the answer to the first try was lost, a 409 says that it was done. */
export async function approveAll(actor: Actor, gates: string[], told: Told[], atOnce = 4): Promise<void> {
  const left = [...gates]
  const approver = async () => {
    for (let gate = left.pop(); gate; gate = left.pop()) {
      const path = `/api/v1/gates/${gate}/approve`
      await insist(
        told,
        () => actor.post(path),
        ({ status, body }) => status === 200 || (status === 409 && body.detail.includes('is approved')),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, approver))
}

/** What the database says of the dispatches of all hooks. */
export interface Sums {
  events: number
  /** Hook and event pairs that are there not exactly once. */
  not_once: number
  /** Hooks whose sequence is not 1, 2, 3 … as long as their dispatches are many. */
  gaps: number
  dispatches: number
  succeeded: number
  undrained: number
  /** Attempts that a dispatch counts and that are not on record, or the reverse. */
  unrecorded: number
  /** Events that tell of a delivery: each dispatch has exactly one. */
  told: number
  /** What ops are told has failed for good. */
  failed: number
}

export async function sumsOf(box: Box): Promise<Sums> {
  // A database that crashed has lost its statistics.
  await box.sql`analyze`
  const [sums] = await box.sql<[Sums]>`
    select
      (select count(*) from outbox where name = 'gate.approved') as events,
      (
        select count(*)
        from (
          select hook.id, event.id, count(dispatch.id) as found
          from deployment_hooks as hook
          join outbox as event on event.project_id = hook.project_id and event.name = 'gate.approved'
          left join dispatches as dispatch on dispatch.hook_id = hook.id and dispatch.event_id = event.id
          group by hook.id, event.id
        ) as pair
        where found <> 1
      ) as not_once,
      (
        select count(*)
        from (
          select hook_id from dispatches
          group by hook_id
          having min(sequence) <> 1 or max(sequence) <> count(*) or count(distinct sequence) <> count(*)
        ) as broken
      ) as gaps,
      (select count(*) from dispatches) as dispatches,
      (select count(*) from dispatches where status = 'succeeded') as succeeded,
      (select count(*) from outbox where drained_at is null) as undrained,
      (
        select count(*)
        from dispatches as dispatch
        where attempt_count <> (select count(*) from dispatch_attempts where dispatch_id = dispatch.id)
      ) as unrecorded,
      (select count(distinct data -> 'dispatch' ->> 'id') from outbox where name = 'deployment.succeeded')
        + (
          select count(*) - count(distinct data -> 'dispatch' ->> 'id') from outbox where name = 'deployment.succeeded'
        ) * 1000000 as told,
      (select count(*) from ops.failed_jobs) as failed
  `
  return sums
}

/** Everything told once, delivered, and on record. */
export const allTold = (events: number, hooks: number): Sums => ({
  events,
  not_once: 0,
  gaps: 0,
  dispatches: events * hooks,
  succeeded: events * hooks,
  undrained: 0,
  unrecorded: 0,
  told: events * hooks,
  failed: 0,
})

/** Waits until nothing is left to do; where that never comes, says what stands still and what the processes said. */
export async function settle(box: Box, patience = 30_000): Promise<void> {
  try {
    await box.settled(patience)
  } catch (error) {
    const { sql } = box
    const state = {
      workers: await sql`select id, pid, pool_id, seen_at, now() as now from workers`,
      lanes: await sql`select id, version, sequence, owner_id from lanes`,
      dispatches:
        await sql`select hook_id, status, count(*), min(due_at) from dispatches left join deliveries using (id) group by 1, 2`,
      undrained: await sql`select name, count(*) from outbox where drained_at is null group by 1`,
      activity:
        await sql`select application_name, state, wait_event_type, wait_event, now() - state_change as since, left(query, 90) as query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      jobs: await sql`select task_identifier, key, attempts, max_attempts, run_at, locked_at, locked_by, last_error from graphile_worker.jobs`,
    }
    const said = [box.api, ...box.workers].map(({ pid, lines }) => ({
      pid,
      lines: lines.filter((line) => !line.includes('"message":"dispatch"')).slice(-25),
    }))
    // What stands still comes last: of a long output the end is what is read first.
    throw new Error(`Something stands still: ${JSON.stringify({ said, ...state }, null, 1)}`, { cause: error })
  }
}
