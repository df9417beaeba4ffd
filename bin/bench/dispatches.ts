/** Dispatches per second of the worker, against plain jobs and plain requests that record nothing, and what they cost PostgreSQL. */
import type { Sql } from '../../sql/index.ts'
import { addCost, type Cost } from './cpu.ts'
import { median, medians } from './figures.ts'
import { filler, HOOKS, openFlood } from './flood.ts'
import { IN_FLIGHT, runLoad } from './load.ts'
import { startProcess } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { type Part, settle, untilEmpty } from './stage.ts'

const BODY = JSON.stringify({ note: filler(588) })

/** Plain jobs per second, from their commit until none is left. */
async function runPlainJobs(sql: Sql, count: number): Promise<number> {
  await using receiver = startReceiver()
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
  const open = () => sql`select 1 from graphile_worker.jobs where task_identifier = 'plain_fetch' limit 1`
  await untilEmpty('plain jobs', open, 2)
  return count / ((performance.now() - begun) / 1000)
}

/** Requests per second of a loop of fetch that records nothing. */
async function runPlainFetches(seconds: number): Promise<number> {
  await using receiver = startReceiver()
  const targets = [{ url: receiver.url, headers: { 'Content-Type': 'application/json' } }]
  const load = await runLoad({ method: 'POST', targets, body: BODY, status: 200, contains: 'ok', seconds })
  return load.requests / load.seconds
}

export const dispatches: Part = {
  name: 'dispatches',
  about: `20,000 signed dispatches of about 600 bytes to ${HOOKS} hooks, from resuming the paused hooks to the record of the last one; median of 3, in turns. With fan-out: from the commit of as many events to the record of the last dispatch.
Baselines: as many graphile-worker jobs that send one request each and record nothing (concurrency 24, localQueue 500, completed in batches); a loop of fetch with ${IN_FLIGHT} in flight.
PostgreSQL: processor time of all of its processes, and WAL, for each dispatch of these floods.`,
  async run(stage) {
    const { sql, environment, quick } = stage
    await using flood = await openFlood(stage)
    const sizeOf = (isWarmUp: boolean): number => (quick ? 2_000 : 20_000) / (isWarmUp ? 10 : 1)
    const [sending, fanningOut]: [Cost[], Cost[]] = [[], []]
    const { oneWorker, withFanOut, plainJob, plainFetch } = await medians(quick ? 1 : 3, {
      async oneWorker(isWarmUp) {
        await settle(sql)
        const size = sizeOf(isWarmUp)
        await flood.prepare(size)
        return size / (await addCost(isWarmUp ? [] : sending, sql, size, () => flood.deliver(size)))
      },
      async withFanOut(isWarmUp) {
        await settle(sql)
        const size = sizeOf(isWarmUp)
        return await addCost(isWarmUp ? [] : fanningOut, sql, size, () => flood.fromEvents(size))
      },
      async plainJob(isWarmUp) {
        await using worker = startProcess('bin/bench/plain-worker.ts', environment)
        await worker.firstLine
        await runPlainJobs(sql, sizeOf(isWarmUp) / 4)
        return await runPlainJobs(sql, sizeOf(isWarmUp))
      },
      plainFetch: (isWarmUp) => runPlainFetches(isWarmUp ? 0.5 : 2),
    })
    const row = { unit: '/s' as const }
    return [
      { ...row, name: 'dispatches, one worker, to a plain job', value: oneWorker, baseline: plainJob, target: '≥ 1.15' },
      { ...row, name: 'dispatches with fan-out, to a plain job', value: withFanOut, baseline: plainJob, target: '≥ 0.8' },
      { ...row, name: 'dispatches, one worker, to a loop of fetch', value: oneWorker, baseline: plainFetch, target: '≥ 0.25' },
      { name: 'PostgreSQL per dispatch', value: median(sending.map(({ ms }) => ms)), unit: 'ms', target: '≤ 0.08 ms' },
      { name: 'PostgreSQL per dispatch, with fan-out', value: median(fanningOut.map(({ ms }) => ms)), unit: 'ms' },
      { name: 'WAL per dispatch', value: median(sending.map(({ walBytes }) => walBytes)), unit: 'B' },
      {
        name: 'WAL per dispatch, with event and fan-out',
        value: median(fanningOut.map(({ walBytes }) => walBytes)),
        unit: 'B',
        target: '≤ 1800 B',
      },
    ]
  },
}
