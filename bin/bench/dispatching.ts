/** A flood of dispatches through the worker, against plain jobs that send the same and record nothing. */
import type { Sql } from '../../sql/index.ts'
import { median, rounded, versus } from './figures.ts'
import { countOf, filler, flood, HOOKS, makeHooks, PATIENCE_MS, type Receiver, receiverAt, roundsOf } from './flood.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import { idle, type Stage, until, workersReady } from './stage.ts'

/** As many requests as the plain loop has under way. */
const LOOP_IN_FLIGHT = 16

/** Dispatches per second; medians of the rounds. */
interface Dispatching {
  one_worker: number
  two_workers: number
  plain_job: number
  /** A loop of fetches that keeps 16 under way and knows nothing of events, limits and records. */
  plain_fetch: number
  body_bytes: number
  /** Resident memory of the workers at the end, in MB. */
  memory: (number | null)[]
}

async function measureDispatching(stage: Stage, count: number, rounds: number): Promise<Dispatching> {
  const { sql, environment } = stage
  await using receiving = startProcess('bin/bench/receiver.ts', environment)
  const receiver = receiverAt(await receiving.firstLine)
  const target = await makeHooks(stage, receiver.url)

  const one: number[] = []
  const plain: number[] = []
  const loop: number[] = []
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up.
    const size = round === 0 ? Math.ceil(count / 10) : count
    await tidy(sql)
    const rate = await flood(stage, receiver, target, size)
    if (round > 0) one.push(rate)
    await using worker = startProcess('bin/bench/plain-worker.ts', environment)
    await worker.firstLine
    const plainRate = await floodPlain(sql, receiver, size)
    if (round > 0) plain.push(plainRate)
    const loopRate = await loopPlain(receiver, round === 0 ? 0.5 : 2)
    if (round > 0) loop.push(loopRate)
  }

  await using second = startProcess('worker/main.ts', environment)
  await workersReady(sql, 2)
  const two: number[] = []
  for (let round = 0; round <= rounds; round++) {
    await tidy(sql)
    const rate = await flood(stage, receiver, target, round === 0 ? Math.ceil(count / 10) : count)
    if (round > 0) two.push(rate)
  }

  const [{ bytes }] = await sql<
    [{ bytes: number }]
  >`select round(avg(octet_length(body))) as bytes from dispatches where event = 'gate.approved' and body like '%"note"%'`
  return {
    one_worker: median(one),
    two_workers: median(two),
    plain_job: median(plain),
    plain_fetch: median(loop),
    body_bytes: bytes,
    memory: await Promise.all([stage.worker.memory(), second.memory()]),
  }
}

/** Both begin with tables as autovacuum would leave them, whatever the rounds before them wrote. */
async function tidy(sql: Sql): Promise<void> {
  await idle(sql)
  await sql`vacuum (analyze)`
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

/** What the receiver can take at all. */
async function loopPlain(receiver: Receiver, seconds: number): Promise<number> {
  const load = await runHelper<Load>('bin/bench/load.ts', {
    urls: [receiver.url],
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ note: filler(588) }),
    inFlight: LOOP_IN_FLIGHT,
    seconds,
    status: 200,
    contains: 'ok',
  } satisfies LoadOrder)
  await fetch(receiver.url, { method: 'DELETE' })
  return load.requests / load.seconds
}

export const dispatching: Part = {
  name: 'dispatches',
  conditions: (quick) =>
    [
      `dispatch  ${countOf(quick).toLocaleString('en')} dispatches that wait for ${HOOKS} paused hooks, bodies of about 600 bytes, signed; from letting them go until the last is on record; median of ${roundsOf(quick)}.`,
      `          Baseline: as many graphile-worker jobs, added in one transaction, one fetch each on kept connections, nothing recorded; concurrency 24, localQueue 500. The loop of fetch has ${LOOP_IN_FLIGHT} under way.`,
      `          Tables are vacuumed and analysed before each flood, of either side.`,
    ].join('\n'),
  async run(stage, quick) {
    const { one_worker, two_workers, plain_job, plain_fetch, body_bytes, memory } = await measureDispatching(
      stage,
      countOf(quick),
      roundsOf(quick),
    )
    return {
      rows: [
        { ...versus('dispatches, one worker', { ours: one_worker, baseline: plain_job }), limit: '≥ 0.8' },
        versus('dispatches, two workers', { ours: two_workers, baseline: plain_job }),
        { ...versus('dispatches, to a loop of fetch', { ours: one_worker, baseline: plain_fetch }), limit: '≥ 0.25' },
        ...memory.map((each, index) => ({ name: `memory, worker ${index + 1}`, ours: `${each ?? '?'} MB` })),
      ],
      figures: {
        dispatches_per_second: {
          one_worker: rounded(one_worker),
          two_workers: rounded(two_workers),
          plain_job: rounded(plain_job),
          plain_fetch: rounded(plain_fetch),
          ratio: rounded(one_worker / plain_job),
          ratio_two_workers: rounded(two_workers / plain_job),
          ratio_fetch: rounded(one_worker / plain_fetch),
          body_bytes,
        },
        worker_memory_mb: memory,
      },
    }
  },
}
