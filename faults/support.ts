/** Shared by the fault tests: load that continues whatever happens, and the totals that must be right afterwards. */
import type { Actor, Answer, Box, Site } from '../test/support/signalbox.ts'
import { within } from '../test/support/within.ts'

/** Every request is answered by then, whatever happens to the database. */
const RESPONSE_MS = 35_000

/** Opens gates that can be approved one after another, 50 per execution. */
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

/** Creates hooks for approved gates, and makes the outcomes of their dispatches raise events. */
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

/** Whether a request got no response, because the process is away. */
export const isAway = (error: Error & { code?: string }): boolean =>
  /Unable to connect|ECONNREFUSED|ECONNRESET|socket connection was closed|Was there a typo/i.test(
    `${error.message} ${error.code}`,
  )

/**
 * Repeats a request until a response is final. Every response is added to `responses`.
 *
 * @param isFinal whether a response is the last one
 * @throws after 90 seconds without a final response
 */
export async function retryUntilFinal(
  responses: Answer[],
  ask: () => Promise<Answer>,
  isFinal: (answer: Answer) => boolean,
): Promise<Answer> {
  for (const end = performance.now() + 90_000; performance.now() < end; ) {
    const response = ask().catch((error: Error) => {
      if (isAway(error)) return null
      throw error
    })
    const answer = await within(RESPONSE_MS, 'a response', response)
    if (answer) {
      responses.push(answer)
      if (isFinal(answer)) return answer
    }
    await Bun.sleep(100)
  }
  throw new Error(`No final response: ${JSON.stringify(responses.at(-1))}`)
}

/** Approves gates, some at a time. When the response to a first request was lost, a 409 says that the gate is approved. */
export async function approveAll(actor: Actor, gates: string[], responses: Answer[], atOnce = 4): Promise<void> {
  const left = [...gates]
  const approver = async () => {
    for (let gate = left.pop(); gate; gate = left.pop()) {
      const path = `/api/v1/gates/${gate}/approve`
      await retryUntilFinal(
        responses,
        () => actor.post(path),
        ({ status, body }) => status === 200 || (status === 409 && body.detail.includes('is approved')),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, approver))
}

/** Totals over the dispatches of all hooks. */
export interface Totals {
  events: number
  /** Pairs of hook and event with no dispatch or several. */
  not_once: number
  /** Hooks whose sequences are not 1, 2, 3 … without gaps. */
  gaps: number
  dispatches: number
  succeeded: number
  undrained: number
  /** Dispatches whose attempt_count differs from the number of attempts. */
  unrecorded: number
  /** deployment.succeeded events: each dispatch has exactly one. */
  outcome_events: number
  /** Failures in ops.failed_jobs. */
  failed: number
}

export async function fetchTotals(box: Box): Promise<Totals> {
  // A database that crashed has lost its statistics.
  await box.sql`analyze`
  const [sums] = await box.sql<[Totals]>`
    select
      (select count(*) from outbox where name = 'gate.approved') as events,
      (
        select count(*)
        from (
          select hook.id, event.id, count(dispatch.id) as found
          from deployment_hooks as hook
          join outbox as event on event.project_id = hook.project_id and event.organization_id = hook.organization_id
            and event.name = 'gate.approved'
          left join dispatches as dispatch on dispatch.hook_id = hook.id and dispatch.event_id = event.id
            and dispatch.organization_id = hook.organization_id
          group by hook.organization_id, hook.id, event.id
        ) as pair
        where found <> 1
      ) as not_once,
      (
        select count(*)
        from (
          select hook_id from dispatches
          group by organization_id, hook_id
          having min(sequence) <> 1 or max(sequence) <> count(*) or count(distinct sequence) <> count(*)
        ) as broken
      ) as gaps,
      (select count(*) from dispatches) as dispatches,
      (select count(*) from dispatches where status = 'succeeded') as succeeded,
      (select count(*) from waiting_events) as undrained,
      (
        select count(*)
        from dispatches as dispatch
        where attempt_count <> (
          select count(*)
          from dispatch_attempts
          where dispatch_id = dispatch.id and organization_id = dispatch.organization_id
        )
      ) as unrecorded,
      (select count(distinct data -> 'dispatch' ->> 'id') from outbox where name = 'deployment.succeeded')
        + (
          select count(*) - count(distinct data -> 'dispatch' ->> 'id') from outbox where name = 'deployment.succeeded'
        ) * 1000000 as outcome_events,
      (select count(*) from ops.failed_jobs) as failed
  `
  return sums
}

/** The totals when everything was sent, delivered and recorded once. */
export const expectedTotals = (events: number, hooks: number): Totals => ({
  events,
  not_once: 0,
  gaps: 0,
  dispatches: events * hooks,
  succeeded: events * hooks,
  undrained: 0,
  unrecorded: 0,
  outcome_events: events * hooks,
  failed: 0,
})

/**
 * Waits until nothing is left to do: longer than the 35 seconds after which lanes of a silent worker are taken over and a silent
 * connection is closed. On a timeout, throws the last log lines and the state of the database and the processes.
 */
export async function waitUntilIdle(box: Box, patience = 60_000): Promise<void> {
  try {
    await box.settled(patience)
  } catch (error) {
    const { sql } = box
    const pids = [box.api, ...box.workers].map(({ pid }) => pid)
    const state = {
      activity: await sql`
          select
            application_name, client_port, state, wait_event_type, wait_event, now() - state_change as since,
            left(query, 90) as query
          from pg_stat_activity
          where datname = current_database()
            and pid <> pg_backend_pid()
        `,
      jobs: await sql`
        select task_identifier, key, attempts, max_attempts, run_at, locked_at, locked_by, last_error
        from graphile_worker.jobs
      `,
      undrained: await sql`select name, count(*) from waiting_events join outbox using (id, organization_id) group by 1`,
      dispatches:
        await sql`select hook_id, status, count(*), min(due_at) from dispatches left join deliveries using (id) group by 1, 2`,
      lanes: await sql`select id, version, sequence, owner_id from lanes`,
      workers: await sql`select id, pid, pool_id, seen_at, now() as now from workers`,
      processes: Bun.spawnSync(['ps', '-L', '-o', 'pid,stat,time,wchan:20,comm', '-p', pids.join()])
        .stdout.toString()
        .split('\n'),
    }
    const said = [box.api, ...box.workers].map(({ pid, lines }) => ({
      pid,
      lines: lines.filter((line) => !line.includes('"message":"dispatch"')).slice(-25),
    }))
    // The state comes last, because the end of a long output is read first.
    throw new Error(`Work is stuck: ${JSON.stringify({ said, ...state }, null, 1)}`, { cause: error })
  }
}
