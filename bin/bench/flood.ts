/** Events, from the commit to the request or the record of their dispatches. */
import { Failure } from '../support/command.ts'
import { createProject, type Stage, type Tenant, until, untilEmpty } from './stage.ts'

export const HOOKS = 20
/** Text that brings a body to about 600 bytes. */
export const filler = (bytes: number): string => 'The release review was passed. '.repeat(Math.ceil(bytes / 31)).slice(0, bytes)

/** Receives dispatches, in the process of the benchmark, so that one clock times both ends. */
export function startReceiver() {
  const dispatches = new Set<string>()
  let requests = 0
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const at = performance.now()
      const body = await request.text()
      requests++
      dispatches.add(request.headers.get('x-signalbox-delivery') ?? '')
      receiver.onRequest?.(at, body)
      return new Response('ok')
    },
  })
  const receiver = {
    url: server.url.origin,
    /** Gets the time of arrival by `performance.now()`, and the body. */
    onRequest: undefined as ((at: number, body: string) => void) | undefined,
    untilReceived: (count: number) => until(`${count} requests arrive`, async () => dispatches.size >= count, 1),
    /** Sets the counters to zero. Fails if a dispatch arrived twice. */
    clear() {
      if (requests !== dispatches.size) throw new Failure(`${requests - dispatches.size} of ${requests} requests came twice.`)
      dispatches.clear()
      requests = 0
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return receiver
}

interface WriteOptions {
  /** The name of the gate. */
  gate?: string
  noteBytes?: number
  /** The projects. */
  among?: string[]
  /** The ids of gates that `approve` has made since events were written last; otherwise events are about none that exist. */
  gates?: string[]
}

/** Hooks, each in a project of its own, so that one event becomes one dispatch, and their receiver. */
export async function openFlood(stage: Stage, owners: Tenant[] = Array(HOOKS).fill(stage)) {
  const { sql } = stage
  const receiver = startReceiver()
  const projects: string[] = []
  const hooks: { id: string; api: Tenant['api'] }[] = []
  for (const owner of owners) {
    const project = await createProject(owner)
    projects.push(project.id)
    const input = { name: 'Bench', url: receiver.url, trigger_on: 'gate_approved' }
    const { id } = await owner.api.post(`/projects/${project.id}/deployment-hooks`, input)
    hooks.push({ id, api: owner.api })
  }
  const setPaused = (paused: boolean) => Promise.all(hooks.map(({ id, api }) => api.put(`/deployment-hooks/${id}`, { paused })))
  let written = 0

  /**
   * Commits events, one for each dispatch, to projects in turn, and notifies the worker, as the API does after each commit.
   *
   * @returns the time of the commit by `performance.now()`
   */
  async function write(count: number, options: WriteOptions = {}): Promise<number> {
    const { gate = 'Release review', noteBytes = 45, among = projects, gates = [] } = options
    await sql`
      insert into outbox (organization_id, workspace_id, project_id, name, data)
      select
        project.organization_id, project.workspace_id, project.id, 'gate.approved',
        jsonb_build_object(
          'gate',
          jsonb_build_object(
            'id', coalesce((${gates}::uuid[])[number - ${written} + 1], uuidv7()),
            'name', ${gate}::text, 'status', 'approved', 'note', ${filler(noteBytes)}::text
          )
        )
      from generate_series(${written}::integer, ${written + count - 1}::integer) as number
      join projects as project on project.id = (${among}::uuid[])[1 + number % ${among.length}]
    `
    const committed = performance.now()
    written += count
    void sql`
      select pg_notify('signalbox_outbox', string_agg(distinct organization_id::text, ' '))
      from projects
      where id = any(${among}::uuid[])
    `.execute()
    return committed
  }

  /** Fails unless every dispatch succeeds at its first attempt. */
  async function untilRecorded(dispatches: number, everyMs = 2): Promise<void> {
    await receiver.untilReceived(dispatches)
    const ids = hooks.map(({ id }) => id)
    // In one organization: Citus runs such a join on one node only.
    const open = () => sql`
      select 1 from deliveries where lane_id = any(${ids}::uuid[]) and organization_id = ${stage.organization.id} limit 1
    `
    await untilEmpty('dispatches without a record', open, everyMs)
    const [{ good, attempts }] = await sql<[{ good: number; attempts: number }]>`
      select count(*) as attempts, count(*) filter (where status = 'succeeded' and attempt_count = 1) as good
      from dispatches
      join dispatch_attempts as attempt on dispatch_id = dispatches.id and attempt.organization_id = dispatches.organization_id
      where hook_id = any(${ids}::uuid[])
    `
    if (good !== written || attempts !== written)
      throw new Failure(`${written} dispatches, ${attempts} attempts, ${good} good ones.`)
    receiver.clear()
  }

  /** Makes gates that are approved for production, for `write`. Each is for a commit of its own, which has run in staging. @returns the ids */
  async function approve(count: number): Promise<string[]> {
    const gates = await sql<{ id: string }[]>`
      with approved as (
        select
          uuidv7() as id, project.id as project_id, project.organization_id, project.workspace_id, project.created_by, number,
          encode(sha256(convert_to(project.id::text || number, 'UTF8')), 'hex') as sha256
        from generate_series(${written}::integer, ${written + count - 1}::integer) as number
        join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
      ),
      gate as (
        insert into gates (
          id, organization_id, workspace_id, project_id, name, environment, subject, binding, status, created_by, decided_by,
          decided_via, decided_at, triggers_hooks, gate_required, promotes_from, soak_seconds
        )
        select
          approved.id, approved.organization_id, approved.workspace_id, approved.project_id, 'Release review', 'production',
          jsonb_build_object('uri', 'pkg:generic/bench', 'digest', jsonb_build_object('sha256', sha256)), sha256, 'approved',
          created_by, created_by, 'api', now(), true, true, policy.promotes_from, policy.soak_seconds
        from approved
        left join environment_policies as policy
          on policy.project_id = approved.project_id
          and policy.organization_id = approved.organization_id
          and policy.promotes_from is not null
      )
      select id from approved order by number
    `
    await sql`
      insert into environments (organization_id, workspace_id, project_id, environment)
      select organization_id, workspace_id, id, 'staging' from projects where id = any(${projects}::uuid[])
      on conflict do nothing
    `
    await sql`
      insert into environment_runs (organization_id, project_id, environment, digest, subject, since, rollout_id)
      select organization_id, project_id, 'staging', 'sha256:' || binding, subject, created_at - interval '1 hour', id
      from gates
      where id = any(${gates.map(({ id }) => id)}::uuid[])
    `
    return gates.map(({ id }) => id)
  }

  return {
    receiver,
    projects,
    write,
    approve,
    /** Drains events into dispatches of paused hooks. */
    async prepare(dispatches: number, noteBytes?: number): Promise<void> {
      await setPaused(true)
      // Not all in one statement: large bodies take hundreds of megabytes.
      for (let left = dispatches; left > 0; left -= 500) await write(Math.min(left, 500), { noteBytes })
      await untilEmpty('events to drain', () => sql`select 1 from waiting_events limit 1`)
    },
    resume: () => setPaused(false),
    untilRecorded,
    /** Commits events, and waits for the record of the last of their dispatches. */
    async fromEvents(dispatches: number, gates: string[] = []): Promise<void> {
      await write(dispatches, { gates })
      await untilRecorded(dispatches)
    },
    /**
     * Commits events at a steady pace for as long as something else runs.
     *
     * @returns milliseconds from each commit to the arrival of its requests
     */
    async latenciesDuring(running: Promise<unknown>, everyMs: number, events = 1): Promise<number[]> {
      const commits = new Map<string, number>()
      const arrivals: { gate: string; at: number }[] = []
      receiver.onRequest = (at, body) => arrivals.push({ gate: JSON.parse(body).data.gate.name, at })
      let isRunning = true
      const ended = running.finally(() => {
        isRunning = false
      })
      const start = performance.now()
      for (let turn = 1; isRunning; turn++) {
        commits.set(`${turn}`, await write(events, { gate: `${turn}` }))
        await Bun.sleep(Math.max(0, start + turn * everyMs - performance.now()))
      }
      await ended
      await receiver.untilReceived(commits.size * events)
      receiver.onRequest = undefined
      receiver.clear()
      // A request can arrive before the answer to its commit has been read.
      return arrivals.map(({ gate, at }) => Math.max(0, at - (commits.get(gate) ?? at)))
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
