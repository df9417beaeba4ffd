/** A flood of dispatches through the worker, against plain jobs that send the same and record nothing. */

import { newSecret } from '../../core/signing.ts'
import type { Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { median, perSecond, rounded } from './figures.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { idle, makeProjects, type Stage, until, workersReady } from './stage.ts'

const HOOKS = 20
const PATIENCE_MS = 120_000
/** Text that brings a body to about 600 bytes. */
const filler = (bytes: number) => 'The release review was passed. '.repeat(20).slice(0, bytes)

/** Dispatches per second; medians of the rounds. */
interface Dispatching {
  one_worker: number
  two_workers: number
  plain_job: number
  body_bytes: number
  /** Resident memory of the workers at the end, in MB. */
  memory: (number | null)[]
}

interface Receiver {
  url: string
  /** Waits until so many requests came, each a different one, and none twice. */
  received(count: number): Promise<void>
  clear(): Promise<void>
}

async function measureDispatching(stage: Stage, count: number, rounds: number): Promise<Dispatching> {
  const { sql, environment } = stage
  await using receiving = startProcess('bin/bench/receiver.ts', environment)
  const receiver = receiverAt(await receiving.firstLine)
  const projects = await makeHooks(stage, receiver.url)

  const one: number[] = []
  const plain: number[] = []
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up.
    const size = round === 0 ? Math.ceil(count / 10) : count
    const rate = await flood(sql, receiver, projects, size)
    if (round > 0) one.push(rate)
    await using worker = startProcess('bin/bench/plain-worker.ts', environment)
    await worker.firstLine
    const plainRate = await floodPlain(sql, receiver, size)
    if (round > 0) plain.push(plainRate)
  }

  await using second = startProcess('worker/main.ts', environment)
  await workersReady(sql, 2)
  const two: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const rate = await flood(sql, receiver, projects, round === 0 ? Math.ceil(count / 10) : count)
    if (round > 0) two.push(rate)
  }

  const [{ bytes }] = await sql<
    [{ bytes: number }]
  >`select round(avg(octet_length(body))) as bytes from dispatches where event = 'gate.approved' and body like '%"note"%'`
  return {
    one_worker: median(one),
    two_workers: median(two),
    plain_job: median(plain),
    body_bytes: bytes,
    memory: await Promise.all([stage.worker.memory(), second.memory()]),
  }
}

/** A hook for each of as many projects: one event is one dispatch. */
async function makeHooks(stage: Stage, url: string): Promise<string[]> {
  const projects = await makeProjects(stage, HOOKS)
  const hook = { name: 'Flood', url, secret: newSecret(), trigger_on: 'gate_approved' }
  for (const { id } of projects) await stage.api.post(`/projects/${id}/deployment-hooks`, hook)
  return projects.map(({ id }) => id)
}

function receiverAt(url: string): Receiver {
  const counted = async () => (await (await fetch(url)).json()) as { requests: number; distinct: number }
  return {
    url,
    async received(count) {
      // Asked of the receiver, so that the database is not kept busy with questions while it is measured.
      await until(`${count} requests arrive`, async () => (await counted()).distinct >= count, PATIENCE_MS, 10)
    },
    async clear() {
      const { requests, distinct } = await counted()
      if (requests !== distinct) throw new Failure(`${requests - distinct} of ${requests} requests came twice.`)
      await fetch(url, { method: 'DELETE' })
    },
  }
}

/** Both begin with tables as autovacuum would leave them, whatever the rounds before them wrote. */
async function tidy(sql: Sql): Promise<void> {
  await idle(sql)
  await sql`vacuum (analyze)`
}

/** Seconds from the commit of the events to the record of the last dispatch, as a rate. */
async function flood(sql: Sql, receiver: Receiver, projects: string[], count: number): Promise<number> {
  await tidy(sql)
  const [{ before }] = await sql<[{ before: number }]>`select count(*) as before from dispatches`
  await sql`
    insert into outbox (organization_id, workspace_id, project_id, name, data)
    select
      project.organization_id, project.workspace_id, project.id, 'gate.approved',
      jsonb_build_object('gate', jsonb_build_object('id', uuidv7(), 'name', 'Release review', 'status', 'approved', 'note', ${filler(45)}::text))
    from generate_series(1, ${count}::integer) as number
    join projects as project on project.id = (${projects}::uuid[])[1 + number % ${projects.length}]
  `
  const begun = performance.now()
  // As the API does after a commit.
  await sql.notify('outbox', '')
  await receiver.received(count)
  await until(
    'Every dispatch is on record',
    async () => {
      const [{ open }] = await sql<[{ open: boolean }]>`select exists (select from dispatches where status = 'pending') as open`
      return !open
    },
    PATIENCE_MS,
    2,
  )
  const seconds = (performance.now() - begun) / 1000

  const [found] = await sql<[{ made: number; good: number; attempts: number }]>`
    select
      count(*) as made,
      count(*) filter (where status = 'succeeded' and attempt_count = 1) as good,
      (select count(*) from dispatch_attempts) as attempts
    from dispatches
  `
  if (found.made - before !== count || found.good !== found.made || found.attempts !== found.made) {
    throw new Failure(
      `Of ${count} dispatches ${found.made - before} were made; in all ${found.good} of ${found.made} were delivered at once.`,
    )
  }
  await receiver.clear()
  return count / seconds
}

/** The same for plain jobs: from their commit until none is left. */
async function floodPlain(sql: Sql, receiver: Receiver, count: number): Promise<number> {
  await tidy(sql)
  const body = JSON.stringify({ note: filler(588) })
  await sql.begin(async (tx) => {
    for (let left = count; left > 0; left -= 1000) {
      await tx`
        select from graphile_worker.add_jobs((
          select array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
            'identifier', 'plain_fetch',
            'payload', ${tx.json({ url: receiver.url, body })}::json
          )))
          from generate_series(1, ${Math.min(1000, left)}::integer)
        ))
      `
    }
  })
  const begun = performance.now()
  await receiver.received(count)
  await until(
    'Every plain job is done',
    async () => {
      const [{ open }] = await sql<[{ open: boolean }]>`
        select exists (select from graphile_worker.jobs where task_identifier = 'plain_fetch') as open
      `
      return !open
    },
    PATIENCE_MS,
    2,
  )
  const seconds = (performance.now() - begun) / 1000
  await receiver.clear()
  return count / seconds
}

const countOf = (quick: boolean): number => (quick ? 2_000 : 20_000)
const roundsOf = (quick: boolean): number => (quick ? 1 : 3)

export const dispatching: Part = {
  name: 'dispatches',
  conditions: (quick) =>
    [
      `dispatch  ${countOf(quick).toLocaleString('en')} events in one insert into outbox, ${HOOKS} hooks, bodies of about 600 bytes, signed; drain, fan-out, sending and record, until the last is on record; median of ${roundsOf(quick)}.`,
      `          Baseline: as many graphile-worker jobs, added in one transaction, one fetch each on kept connections, nothing recorded; concurrency 24, localQueue 500.`,
      `          Tables are vacuumed and analysed before each flood, of either side.`,
    ].join('\n'),
  async run(stage, quick) {
    const { one_worker, two_workers, plain_job, body_bytes, memory } = await measureDispatching(
      stage,
      countOf(quick),
      roundsOf(quick),
    )
    const row = (name: string, rate: number) => ({
      name,
      ours: perSecond(rate),
      baseline: perSecond(plain_job),
      ratio: rate / plain_job,
    })
    return {
      rows: [
        row('dispatches, one worker', one_worker),
        row('dispatches, two workers', two_workers),
        ...memory.map((each, index) => ({ name: `memory, worker ${index + 1}`, ours: `${each ?? '?'} MB` })),
      ],
      figures: {
        dispatches_per_second: {
          one_worker: rounded(one_worker),
          two_workers: rounded(two_workers),
          plain_job: rounded(plain_job),
          ratio: rounded(one_worker / plain_job),
          ratio_two_workers: rounded(two_workers / plain_job),
          body_bytes,
        },
        worker_memory_mb: memory,
      },
    }
  },
}
