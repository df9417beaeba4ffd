/** Floods: many events of one commit, and the time until all of their dispatches are recorded. */
import { newSecret } from '../../core/security/signing.ts'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { startReceiver } from './receiver.ts'
import { createProject, type Stage, untilEmpty } from './stage.ts'

export const HOOKS = 20
/** Text that brings a body to about 600 bytes. */
export const filler = (bytes: number): string => 'The release review was passed. '.repeat(Math.ceil(bytes / 31)).slice(0, bytes)

/** Commits events, spread over projects, and notifies the worker, as the API does after each commit. */
export async function writeEvents(
  sql: Sql,
  projects: string[],
  count: number,
  gate = 'Release review',
  noteBytes = 45,
): Promise<number> {
  await sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      project.organization_id, project.workspace_id, project.id, 'gate.approved',
      jsonb_build_object(
        'gate',
        jsonb_build_object('id', uuidv7(), 'name', ${gate}::text, 'status', 'approved', 'note', ${filler(noteBytes)}::text)
      )
    from generate_series(1, ${count}::integer) as number
    join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
  `
  const committed = performance.now()
  void sql`
    select pg_notify('signalbox_outbox', string_agg(distinct organization_id::text, ' '))
    from projects
    where id = any(${projects}::uuid[])
  `.execute()
  return committed
}

export const untilDrained = (sql: Sql): Promise<void> =>
  untilEmpty('events that are not drained', () => sql`select 1 from outbox where drained_at is null limit 1`)

/** Hooks, each in a project of its own, so that one event becomes one dispatch, and their receiver. */
export async function openFlood(stage: Stage, count = HOOKS, receiver = startReceiver()) {
  const { sql, api } = stage
  const input = { name: 'Flood', url: receiver.url, secret: newSecret(), trigger_on: 'gate_approved' }
  const projects: string[] = []
  const hooks: string[] = []
  for (let made = 0; made < count; made++) {
    const { id } = await createProject(stage)
    projects.push(id)
    hooks.push((await api.post(`/projects/${id}/deployment-hooks`, input)).id)
  }
  const setPaused = (paused: boolean) => Promise.all(hooks.map((id) => api.put(`/deployment-hooks/${id}`, { paused })))
  let sent = 0
  const write = (count: number, gate?: string) => {
    sent += count
    return writeEvents(sql, projects, count, gate)
  }

  /** Fails unless every dispatch succeeds at its first attempt. */
  async function untilRecorded(dispatches: number, everyMs = 2): Promise<void> {
    await receiver.untilReceived(dispatches)
    // By hook: beside a million others, PostgreSQL would read all deliveries for the first of any hook.
    const open = () => sql`
      select 1
      from unnest(${hooks}::uuid[]) as hook (id)
      cross join lateral (select from deliveries where lane_id = hook.id order by due_at limit 1) as waiting
      limit 1
    `
    await untilEmpty('dispatches without a record', open, everyMs)
    const [{ good, attempts }] = await sql<[{ good: number; attempts: number }]>`
      select count(*) as attempts, count(*) filter (where status = 'succeeded' and attempt_count = 1) as good
      from dispatches
      join dispatch_attempts as attempt on dispatch_id = dispatches.id and attempt.organization_id = dispatches.organization_id
      where hook_id = any(${hooks}::uuid[])
    `
    if (good !== sent || attempts !== sent) throw new Failure(`${sent} dispatches, ${attempts} attempts, ${good} good ones.`)
    receiver.clear()
  }

  return {
    receiver,
    /** Commits events, one for each dispatch. @returns the time of the commit by `performance.now()` */
    write,
    /** Drains events into dispatches of paused hooks. */
    async prepare(dispatches: number): Promise<void> {
      await setPaused(true)
      await write(dispatches)
      await untilDrained(sql)
      await sql`vacuum (analyze)`
    },
    /** Resumes the hooks, and waits for the record of the last dispatch. @param everyMs between two queries */
    async deliver(dispatches: number, everyMs?: number): Promise<void> {
      await setPaused(false)
      await untilRecorded(dispatches, everyMs)
    },
    /** Commits events, and waits for the record of the last of their dispatches. */
    async fromEvents(dispatches: number): Promise<void> {
      await write(dispatches)
      await untilRecorded(dispatches)
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
export type Flood = Awaited<ReturnType<typeof openFlood>>
