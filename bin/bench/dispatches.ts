/** What a dispatch costs compared with a plain job, and what it writes. */
import { costOf, writtenBy } from './costs.ts'
import { compareCpu, inTurns } from './figures.ts'
import { filler, HOOKS, openFlood, startReceiver } from './flood.ts'
import { type Part, settle, startProcess, untilEmpty } from './stage.ts'

const BODY = JSON.stringify({ note: filler(588) })

export const part: Part = {
  about: `processor time of worker and PostgreSQL for each of 20,000 signed dispatches of about 600 bytes to ${HOOKS} hooks, from resuming the paused hooks to the record of the last one; with fan-out, from the commit of as many events. Three rounds, in turns.
Baseline: as many graphile-worker jobs that send one request each and record nothing (concurrency 24, localQueue 500, completed in batches).`,
  async run(stage) {
    const { sql, environment, quick, processes } = stage
    await using flood = await openFlood(stage)
    await using receiver = startReceiver()
    await using plainWorker = startProcess('bin/bench/plain-worker.ts', environment)
    await plainWorker.firstLine

    type Step = (count: number) => Promise<unknown>
    const measure = (prepare: Step, work: Step, worker: number[]) => async (isWarmUp: boolean) => {
      const count = (quick ? 2_000 : 20_000) / (isWarmUp ? 10 : 1)
      await prepare(count)
      const run = () => costOf({ worker, postgres: processes.postgres }, () => work(count).then(() => count))
      const { result, wal, rows } = await writtenBy(sql, run)
      return { ...result, wal: wal / count, rows: rows / count }
    }
    const { sent, fannedOut, plain } = await inTurns(quick ? 1 : 3, {
      sent: measure(
        (count) => flood.prepare(count).then(() => settle(sql)),
        (count) => flood.resume().then(() => flood.untilRecorded(count)),
        processes.worker,
      ),
      fannedOut: measure(() => settle(sql), flood.fromEvents, processes.worker),
      plain: measure(
        async (count) => {
          receiver.clear()
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
        },
        async (count) => {
          await receiver.untilReceived(count)
          const left = () => sql`select 1 from graphile_worker.jobs where task_identifier = 'plain_fetch' limit 1`
          await untilEmpty('plain jobs', left, 2)
        },
        [plainWorker.pid],
      ),
    })
    return [
      compareCpu('CPU of a dispatch, to a plain job', ['worker', 'postgres'], sent, plain, 1.4),
      compareCpu('with event, drain and fan-out', ['worker', 'postgres'], fannedOut, plain, 2),
      { name: 'WAL, with event and fan-out', unit: 'B', value: fannedOut.wal, atMost: 2_400 },
      { name: 'rows and index entries of these', unit: '', value: fannedOut.rows, atMost: 13 },
    ]
  },
}
