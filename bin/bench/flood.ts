/** Floods: many events of one commit, and the time until all of their dispatches are recorded. */
import { newSecret } from '../../core/security/signing.ts'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { startReceiver } from './receiver.ts'
import { createProjects, type Stage, untilEmpty } from './stage.ts'

export const HOOKS = 20
/** Text that brings a body to about 600 bytes. */
export const filler = (bytes: number): string => 'The release review was passed. '.repeat(20).slice(0, bytes)

/**
 * Commits events, spread over projects, and notifies the worker, as the API does after each commit.
 *
 * @returns the time of the commit by `performance.now()`
 */
export async function writeEvents(sql: Sql, projects: string[], count: number, gate = 'Release review'): Promise<number> {
  await sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      project.organization_id, project.workspace_id, project.id, 'gate.approved',
      jsonb_build_object(
        'gate',
        jsonb_build_object('id', uuidv7(), 'name', ${gate}::text, 'status', 'approved', 'note', ${filler(45)}::text)
      )
    from generate_series(1, ${count}::integer) as number
    join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
  `
  const committed = performance.now()
  void sql`select pg_notify('signalbox_outbox', '')`.execute()
  return committed
}

export const untilDrained = (sql: Sql): Promise<void> =>
  untilEmpty('events that are not drained', () => sql`select 1 from outbox where drained_at is null limit 1`)

/** Hooks, each in a project of its own, so that one event becomes one dispatch, and their receiver. */
export async function openFlood(stage: Stage, count = HOOKS, receiver = startReceiver()) {
  const { sql, api } = stage
  const projects = (await createProjects(stage, count)).map(({ id }) => id)
  const input = { name: 'Flood', url: receiver.url, secret: newSecret(), trigger_on: 'gate_approved' }
  const hooks: string[] = []
  for (const project of projects) hooks.push((await api.post(`/projects/${project}/deployment-hooks`, input)).id)

  const setPaused = (paused: boolean) => Promise.all(hooks.map((id) => api.put(`/deployment-hooks/${id}`, { paused })))

  /** Fails unless every dispatch succeeds at its first attempt. */
  async function secondsUntilRecorded(dispatches: number, begun: number, everyMs = 2): Promise<number> {
    await receiver.untilReceived(dispatches)
    const open = () => sql`select 1 from deliveries where lane_id = any(${hooks}::uuid[]) limit 1`
    await untilEmpty('dispatches without a record', open, everyMs)
    const seconds = (performance.now() - begun) / 1000
    const [{ good, attempts }] = await sql<[{ good: number; attempts: number }]>`
      select count(*) as attempts, count(*) filter (where status = 'succeeded' and attempt_count = 1) as good
      from dispatches
      join dispatch_attempts as attempt on dispatch_id = dispatches.id and attempt.organization_id = dispatches.organization_id
      where hook_id = any(${hooks}::uuid[])
    `
    made += dispatches
    if (good !== made || attempts !== made) throw new Failure(`${made} dispatches, ${attempts} attempts, ${good} good ones.`)
    receiver.clear()
    return seconds
  }
  let made = 0

  const flood = {
    projects,
    receiver,
    /** Drains events into dispatches of paused hooks. */
    async prepare(dispatches: number): Promise<void> {
      await setPaused(true)
      await writeEvents(sql, projects, dispatches)
      await untilDrained(sql)
      await sql`vacuum (analyze)`
    },
    /** Resumes the hooks. @param everyMs how often the database is asked. @returns seconds until the record of the last dispatch */
    async deliver(dispatches: number, everyMs?: number): Promise<number> {
      const begun = performance.now()
      await setPaused(false)
      return secondsUntilRecorded(dispatches, begun, everyMs)
    },
    /** Dispatches per second, from resuming their paused hooks to the record of the last one. */
    async fromPaused(dispatches: number): Promise<number> {
      await flood.prepare(dispatches)
      return dispatches / (await flood.deliver(dispatches))
    },
    /** Dispatches per second including drain and fan-out: from the commit of their events to the record of the last one. */
    async fromEvents(dispatches: number): Promise<number> {
      const committed = await writeEvents(sql, projects, dispatches)
      return dispatches / (await secondsUntilRecorded(dispatches, committed))
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
  return flood
}
export type Flood = Awaited<ReturnType<typeof openFlood>>
