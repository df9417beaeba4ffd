/** Dispatches per second of the worker, against plain jobs, and what they cost PostgreSQL. */
import type { Sql } from '../../sql/index.ts'
import { costOf } from './cpu.ts'
import { bytes, medians, ms, perSecond, rateOf } from './figures.ts'
import { filler, HOOKS, openFlood } from './flood.ts'
import { startProcess } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { type Part, settle, untilEmpty } from './stage.ts'

const BODY = JSON.stringify({ note: filler(588) })

/** @returns plain jobs per second, from their commit until none is left */
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
  return await rateOf(count, async () => {
    await receiver.untilReceived(count)
    await untilEmpty('plain jobs', () => sql`select 1 from graphile_worker.jobs where task_identifier = 'plain_fetch' limit 1`, 2)
  })
}

export const part: Part = {
  about: `20,000 signed dispatches of about 600 bytes to ${HOOKS} hooks, from resuming the paused hooks to the record of the last one; median of 3, in turns. With fan-out: from the commit of as many events to the record of the last dispatch.
Baseline: as many graphile-worker jobs that send one request each and record nothing (concurrency 24, localQueue 500, completed in batches).
PostgreSQL: processor time of all of its processes, and WAL, for each dispatch of these floods.`,
  async run(stage) {
    const { sql, environment, quick } = stage
    await using flood = await openFlood(stage)
    const sizeOf = (isWarmUp: boolean): number => (quick ? 2_000 : 20_000) / (isWarmUp ? 10 : 1)
    const flooded = async (size: number, deliver: (size: number) => Promise<void>) => {
      await settle(sql)
      return costOf(stage, size, () => deliver(size))
    }
    const { sent, fannedOut, plain } = await medians(quick ? 1 : 3, {
      async sent(isWarmUp) {
        await flood.prepare(sizeOf(isWarmUp))
        return flooded(sizeOf(isWarmUp), flood.deliver)
      },
      fannedOut: (isWarmUp) => flooded(sizeOf(isWarmUp), flood.fromEvents),
      async plain(isWarmUp) {
        await using worker = startProcess('bin/bench/plain-worker.ts', environment)
        await worker.firstLine
        await runPlainJobs(sql, sizeOf(isWarmUp) / 4)
        return await runPlainJobs(sql, sizeOf(isWarmUp))
      },
    })
    return [
      perSecond('dispatches, one worker, to a plain job', { value: sent.perSecond, baseline: plain }, '≥ 1.15'),
      perSecond('dispatches with fan-out, to a plain job', { value: fannedOut.perSecond, baseline: plain }, '≥ 0.8'),
      ms('PostgreSQL per dispatch', sent.postgres, '≤ 0.08 ms'),
      ms('PostgreSQL per dispatch, with fan-out', fannedOut.postgres),
      bytes('WAL per dispatch, with event and fan-out', fannedOut.wal, '≤ 1800 B'),
    ]
  },
}
