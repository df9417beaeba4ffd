/** Dispatches per second of the worker, against plain jobs and plain requests that record nothing. */
import type { Sql } from '../../sql/index.ts'
import { medians } from './figures.ts'
import {
  createHooks,
  dispatchesIn,
  filler,
  flood,
  floodFromEvents,
  HOOKS,
  type Receiver,
  roundsIn,
  startReceiver,
  TIMEOUT_MS,
} from './flood.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { runHelper, startProcess } from './processes.ts'
import { type Stage, settle, until, untilWorkersReady } from './stage.ts'

const LOOP_IN_FLIGHT = 16
const BODY = JSON.stringify({ note: filler(588) })

async function measure(stage: Stage, count: number, rounds: number) {
  const { sql, environment } = stage
  await using receiver = await startReceiver(environment)
  const target = await createHooks(stage, receiver.url)
  const sizeOf = (isWarmUp: boolean): number => (isWarmUp ? Math.ceil(count / 10) : count)

  return await medians(rounds, {
    async oneWorker(isWarmUp) {
      await settle(sql)
      return await flood(stage, receiver, target, sizeOf(isWarmUp))
    },
    async withFanOut(isWarmUp) {
      await settle(sql)
      return await floodFromEvents(stage, receiver, target, sizeOf(isWarmUp))
    },
    async twoWorkers(isWarmUp) {
      await using _second = startProcess('worker/main.ts', environment)
      await untilWorkersReady(sql, 2)
      // A new process is slower until its code is compiled.
      await flood(stage, receiver, target, Math.ceil(sizeOf(isWarmUp) / 4))
      await settle(sql)
      return await flood(stage, receiver, target, sizeOf(isWarmUp))
    },
    async plainJob(isWarmUp) {
      await using worker = startProcess('bin/bench/plain-worker.ts', environment)
      await worker.firstLine
      await runPlainJobs(sql, receiver, Math.ceil(sizeOf(isWarmUp) / 4))
      return await runPlainJobs(sql, receiver, sizeOf(isWarmUp))
    },
    plainFetch: (isWarmUp) => runPlainFetches(receiver, isWarmUp ? 0.5 : 2),
  })
}

/** Plain jobs per second, from their commit until none is left. */
async function runPlainJobs(sql: Sql, receiver: Receiver, count: number): Promise<number> {
  await settle(sql)
  await sql`
    select from graphile_worker.add_jobs((
      select array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
        'identifier', 'plain_fetch',
        'payload', ${sql.json({ url: receiver.url, body: BODY })}::json
      )))
      from generate_series(1, ${count}::integer)
    ))
  `
  const begun = performance.now()
  await receiver.untilReceived(count)
  await until(
    'Every plain job is completed',
    async () => {
      const [{ open }] = await sql<[{ open: boolean }]>`
        select exists (select from graphile_worker.jobs where task_identifier = 'plain_fetch') as open
      `
      return !open
    },
    TIMEOUT_MS,
    2,
  )
  const seconds = (performance.now() - begun) / 1000
  await receiver.clear()
  return count / seconds
}

/** Requests per second of a loop of fetch that records nothing. */
async function runPlainFetches(receiver: Receiver, seconds: number): Promise<number> {
  const load = await runHelper<Load>('bin/bench/load.ts', {
    urls: [receiver.url],
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: BODY,
    inFlight: LOOP_IN_FLIGHT,
    seconds,
    status: 200,
    contains: 'ok',
  } satisfies LoadOrder)
  await fetch(receiver.url, { method: 'DELETE' })
  return load.requests / load.seconds
}

export const dispatches: Part = {
  name: 'dispatches',
  describe: (quick) =>
    [
      `dispatches  ${dispatchesIn(quick).toLocaleString('en')} signed dispatches of about 600 bytes to ${HOOKS} hooks, from resuming the paused hooks to the record of the last one; median of ${roundsIn(quick)}, in turns.`,
      '            With fan-out: from the commit of as many events to the record of the last dispatch.',
      `            Baselines: as many graphile-worker jobs that send one request each and record nothing (concurrency 24, localQueue 500, completed in batches); a loop of fetch with ${LOOP_IN_FLIGHT} in flight.`,
    ].join('\n'),
  async run(stage, quick) {
    const { oneWorker, withFanOut, twoWorkers, plainJob, plainFetch } = await measure(stage, dispatchesIn(quick), roundsIn(quick))
    return [
      { name: 'dispatches, one worker, to a plain job', value: oneWorker, unit: '/s', baseline: plainJob, ratioAtLeast: 0.9 },
      { name: 'dispatches with fan-out, to a plain job', value: withFanOut, unit: '/s', baseline: plainJob, ratioAtLeast: 0.7 },
      { name: 'dispatches, two workers, to one', value: twoWorkers, unit: '/s', baseline: oneWorker, ratioAtLeast: 0.95 },
      {
        name: 'dispatches, one worker, to a loop of fetch',
        value: oneWorker,
        unit: '/s',
        baseline: plainFetch,
        ratioAtLeast: 0.25,
      },
    ]
  },
}
