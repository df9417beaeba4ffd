/** A flood of dispatches through the worker, against plain jobs that send the same and record nothing. */
import type { Sql } from '../../sql/index.ts'
import { median, rounded, versus } from './figures.ts'
import {
  countOf,
  filler,
  flood,
  floodFromEvents,
  HOOKS,
  makeHooks,
  PATIENCE_MS,
  type Receiver,
  receiverAt,
  roundsOf,
} from './flood.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import { type Stage, tidy, until, workersReady } from './stage.ts'

/** Requests that the plain loop has in flight. */
const LOOP_IN_FLIGHT = 16

/** Dispatches per second; medians of the rounds. */
interface Dispatching {
  one_worker: number
  /** By one worker, from the commit of the events: with the drain and the fan-out. */
  from_events: number
  two_workers: number
  plain_job: number
  /** A loop of fetches that keeps 16 in flight and knows nothing of events, limits and records. */
  plain_fetch: number
  body_bytes: number
  /** Resident memory of the workers at the end, in MiB. */
  memory: (number | null)[]
}

async function measureDispatching(stage: Stage, count: number, rounds: number): Promise<Dispatching> {
  const { sql, environment } = stage
  await using receiving = startProcess('bin/bench/receiver.ts', environment)
  const receiver = receiverAt(await receiving.firstLine)
  const target = await makeHooks(stage, receiver.url)
  let memory: (number | null)[] = []

  /** A process that has just begun compiles what it does most, and is slower meanwhile: it warms up first. */
  async function withSecondWorker(size: number): Promise<number> {
    await using second = startProcess('worker/main.ts', environment)
    await workersReady(sql, 2)
    await flood(stage, receiver, target, Math.ceil(size / 4))
    await tidy(sql)
    const rate = await flood(stage, receiver, target, size)
    memory = await Promise.all([stage.worker.memory(), second.memory()])
    return rate
  }

  async function plainJobs(size: number): Promise<number> {
    await using worker = startProcess('bin/bench/plain-worker.ts', environment)
    await worker.firstLine
    await floodPlain(sql, receiver, Math.ceil(size / 4))
    return await floodPlain(sql, receiver, size)
  }

  const rates = {
    one: [] as number[],
    fromEvents: [] as number[],
    two: [] as number[],
    plain: [] as number[],
    loop: [] as number[],
  }
  for (let round = 0; round <= rounds; round++) {
    const isWarmUp = round === 0
    const size = isWarmUp ? Math.ceil(count / 10) : count
    await tidy(sql)
    const one = await flood(stage, receiver, target, size)
    await tidy(sql)
    const fromEvents = await floodFromEvents(stage, receiver, target, size)
    const two = await withSecondWorker(size)
    const plain = await plainJobs(size)
    const loop = await loopPlain(receiver, isWarmUp ? 0.5 : 2)
    if (isWarmUp) continue
    rates.one.push(one)
    rates.fromEvents.push(fromEvents)
    rates.two.push(two)
    rates.plain.push(plain)
    rates.loop.push(loop)
  }

  const [{ bytes }] = await sql<
    [{ bytes: number }]
  >`select round(avg(octet_length(body))) as bytes from dispatch_bodies where body like '%"note"%'`
  return {
    one_worker: median(rates.one),
    from_events: median(rates.fromEvents),
    two_workers: median(rates.two),
    plain_job: median(rates.plain),
    plain_fetch: median(rates.loop),
    body_bytes: bytes,
    memory,
  }
}

/** Plain jobs a second: from their commit until none is left. */
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

/** Requests a second that the receiver can take at all. */
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
      `dispatch  ${countOf(quick).toLocaleString('en')} dispatches that wait for ${HOOKS} paused hooks, bodies of about 600 bytes, signed; from resuming the hooks to the record of the last dispatch; median of ${roundsOf(quick)}, in turns.`,
      '          With drain and fan-out: from the commit of as many events, whose hooks are not paused, to the record of the last dispatch.',
      `          Baseline: as many graphile-worker jobs, added in one transaction, one fetch each on kept connections, nothing recorded; concurrency 24, localQueue 500, jobs completed in batches. The loop of fetch has ${LOOP_IN_FLIGHT} in flight.`,
      '          Before each flood, of either side, processes are warm and tables vacuumed and analysed.',
    ].join('\n'),
  async run(stage, quick) {
    const measured = await measureDispatching(stage, countOf(quick), roundsOf(quick))
    const { one_worker, from_events, two_workers, plain_job, plain_fetch, body_bytes, memory } = measured
    return {
      rows: [
        { ...versus('dispatches, one worker', { ours: one_worker, baseline: plain_job }), limit: '≥ 0.9' },
        { ...versus('dispatches, with drain and fan-out', { ours: from_events, baseline: plain_job }), limit: '≥ 0.7' },
        versus('dispatches, two workers', { ours: two_workers, baseline: plain_job }),
        { ...versus('dispatches, two workers to one', { ours: two_workers, baseline: one_worker }), limit: '≥ 0.95' },
        { ...versus('dispatches, to a loop of fetch', { ours: one_worker, baseline: plain_fetch }), limit: '≥ 0.25' },
        ...memory.map((each, index) => ({ name: `memory, worker ${index + 1}`, ours: `${each ?? '?'} MiB` })),
      ],
      figures: {
        dispatches_per_second: {
          one_worker: rounded(one_worker),
          from_events: rounded(from_events),
          two_workers: rounded(two_workers),
          plain_job: rounded(plain_job),
          plain_fetch: rounded(plain_fetch),
          ratio: rounded(one_worker / plain_job),
          ratio_from_events: rounded(from_events / plain_job),
          ratio_two_workers: rounded(two_workers / plain_job),
          ratio_two_to_one: rounded(two_workers / one_worker),
          ratio_fetch: rounded(one_worker / plain_fetch),
          body_bytes,
        },
        worker_memory_mb: memory,
      },
    }
  },
}
