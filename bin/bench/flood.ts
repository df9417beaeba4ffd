/** Floods: many events of one commit, and the time until all of their dispatches are recorded. */
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { rateOf } from './figures.ts'
import { startReceiver } from './receiver.ts'
import { createHook, createProject, type Stage, type Tenant, untilEmpty } from './stage.ts'

export const HOOKS = 20
export const COMMIT_EVERY_MS = 20
/** Text that brings a body to about 600 bytes. */
export const filler = (bytes: number): string => 'The release review was passed. '.repeat(Math.ceil(bytes / 31)).slice(0, bytes)

/** Commits events, spread over projects, and notifies the worker, as the API does after each commit. */
export async function writeEvents(sql: Sql, projects: string[], count: number, gate = 'Release review', noteBytes = 45) {
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
export async function openFlood(stage: Stage, receiver = startReceiver(), owners: Tenant[] = Array(HOOKS).fill(stage)) {
  const { sql } = stage
  const projects: string[] = []
  const hooks: { id: string; api: Tenant['api'] }[] = []
  for (const [index, owner] of owners.entries()) {
    const { id } = await createProject(owner)
    projects.push(id)
    hooks.push({ api: owner.api, ...(await createHook(owner, id, { url: `${receiver.url}/${index}` })) })
  }
  const setPaused = (paused: boolean) => Promise.all(hooks.map(({ id, api }) => api.put(`/deployment-hooks/${id}`, { paused })))
  let sent = 0
  const write = (count: number, gate?: string) => {
    sent += count
    return writeEvents(sql, projects, count, gate)
  }

  /** Fails unless every dispatch succeeds at its first attempt. */
  async function untilRecorded(dispatches: number, everyMs = 2): Promise<void> {
    await receiver.untilReceived(dispatches)
    const ids = hooks.map(({ id }) => id)
    // By hook: beside a million others, PostgreSQL would read all deliveries for the first of any hook. And in one organization:
    // Citus runs such a join on one node only.
    const open = () => sql`
      select 1
      from unnest(${ids}::uuid[]) as hook (id)
      cross join lateral (
        select from deliveries where lane_id = hook.id and organization_id = ${stage.organization.id} order by due_at limit 1
      ) as waiting
      limit 1
    `
    await untilEmpty('dispatches without a record', open, everyMs)
    const [{ good, attempts }] = await sql<[{ good: number; attempts: number }]>`
      select count(*) as attempts, count(*) filter (where status = 'succeeded' and attempt_count = 1) as good
      from dispatches
      join dispatch_attempts as attempt on dispatch_id = dispatches.id and attempt.organization_id = dispatches.organization_id
      where hook_id = any(${ids}::uuid[])
    `
    if (good !== sent || attempts !== sent) throw new Failure(`${sent} dispatches, ${attempts} attempts, ${good} good ones.`)
    receiver.clear()
  }
  /** Commits events, and waits for the record of the last of their dispatches. */
  async function fromEvents(dispatches: number): Promise<void> {
    await write(dispatches)
    await untilRecorded(dispatches)
  }

  return {
    receiver,
    projects,
    hooks,
    setPaused,
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
    fromEvents,
    /** Dispatches per second of a flood, from the commit of their events to the record of the last one. */
    async fullRate(): Promise<number> {
      // The first requests of each hook open its connections.
      await fromEvents(HOOKS * 10)
      const count = stage.quick ? 2_000 : 20_000
      return rateOf(count, () => fromEvents(count))
    },
    /**
     * Commits events at a steady rate for some seconds, and waits for their requests.
     *
     * @returns the rate that was reached, and when each event was committed, in milliseconds since 1970, by the name of its gate
     */
    async commitAtRate(rate: number, seconds = stage.quick ? 3 : 15) {
      const commits = new Map<string, number>()
      const eventsPerCommit = Math.max(1, Math.round(rate * (COMMIT_EVERY_MS / 1000)))
      const start = performance.now()
      for (let turn = 0; performance.now() - start < seconds * 1_000; turn++) {
        commits.set(`${turn}`, performance.timeOrigin + (await write(eventsPerCommit, `${turn}`)))
        await Bun.sleep(Math.max(0, start + (turn + 1) * COMMIT_EVERY_MS - performance.now()))
      }
      const count = commits.size * eventsPerCommit
      const reached = (count * 1000) / (performance.now() - start)
      await receiver.untilReceived(count)
      receiver.clear()
      return { rate: reached, commits }
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
export type Flood = Awaited<ReturnType<typeof openFlood>>
