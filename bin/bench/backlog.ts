/** Whether jobs that wait for a later moment slow down those that are due. */
import type { Sql } from '../../sql/index.ts'
import { type Compared, compared, median, versus } from './figures.ts'
import { PATIENCE_MS, roundsOf } from './flood.ts'
import type { Part } from './part.ts'
import { idle, type Stage, until } from './stage.ts'

const waitingOf = (quick: boolean): number => (quick ? 50_000 : 1_000_000)
const jobsOf = (quick: boolean): number => (quick ? 2_000 : 10_000)
/** More in one statement would take longer for each. */
const BATCH = 10_000

/** Jobs that wake the lanes of deleted hooks: each finds nothing to lease, and ends. */
async function addJobs(sql: Sql, count: number, delay: string): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    await sql`
      select from graphile_worker.add_jobs(array(
        select (
          'dispatch_hook', json_build_object('lane_id', uuidv7()), null, now() + ${delay}::interval, null, null, null, null
        )::graphile_worker.job_spec
        from generate_series(1, ${Math.min(BATCH, left)}::integer)
      ))
    `
  }
}

/** Jobs a second, from their commit until none is left. */
async function work({ sql }: Stage, count: number): Promise<number> {
  await idle(sql)
  await addJobs(sql, count, '0 seconds')
  const begun = performance.now()
  await until(
    'Every job is done',
    async () => {
      // In the words of the indexes: to look must not cost what is measured.
      const [{ open }] = await sql<[{ open: boolean }]>`
        select exists (
          select
          from graphile_worker._private_jobs
          where task_id = (select id from graphile_worker._private_tasks where identifier = 'dispatch_hook')
            and run_at <= now()
            and locked_at is null
            and attempts < max_attempts
        ) or exists (select from graphile_worker._private_jobs where locked_at is not null) as open
      `
      return !open
    },
    PATIENCE_MS,
    50,
  )
  return count / ((performance.now() - begun) / 1000)
}

async function removeJobs(sql: Sql): Promise<void> {
  await sql`delete from graphile_worker._private_jobs where run_at > now()`
  await sql`vacuum (analyze) graphile_worker._private_jobs`
}

async function measureBacklog(stage: Stage, waiting: number, count: number, rounds: number): Promise<Compared> {
  const { sql } = stage
  // The worker is as slow at first as any process that has just begun.
  await work(stage, count)
  const ours: number[] = []
  const baseline: number[] = []
  for (let round = 0; round < rounds; round++) baseline.push(await work(stage, count))
  await addJobs(sql, waiting, '1 day')
  await sql`vacuum (analyze) graphile_worker._private_jobs`
  for (let round = 0; round < rounds; round++) ours.push(await work(stage, count))
  await removeJobs(sql)
  return { ours: median(ours), baseline: median(baseline) }
}

export const backlog: Part = {
  name: 'backlog',
  conditions: (quick) =>
    `backlog   ${jobsOf(quick).toLocaleString('en')} jobs that find nothing to do, beside ${waitingOf(quick).toLocaleString('en')} that are due tomorrow; baseline: without those. Median of ${roundsOf(quick)}.`,
  async run(stage, quick) {
    const figures = await measureBacklog(stage, waitingOf(quick), jobsOf(quick), roundsOf(quick))
    return {
      rows: [{ ...versus(`jobs, ${waitingOf(quick).toLocaleString('en')} wait`, figures), limit: '≥ 0.9' }],
      figures: { jobs_beside_waiting_per_second: compared(figures) },
    }
  },
}
