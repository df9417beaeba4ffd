/** Whether jobs that are due later slow down jobs that are due now. */
import type { Sql } from '../../sql/index.ts'
import { medians } from './figures.ts'
import { roundsIn, TIMEOUT_MS } from './flood.ts'
import type { Part } from './part.ts'
import { type Stage, until, untilIdle } from './stage.ts'

const waitingIn = (quick: boolean): number => (quick ? 50_000 : 1_000_000)
const jobsIn = (quick: boolean): number => (quick ? 2_000 : 10_000)
/** A larger statement takes longer per job. */
const BATCH = 10_000

/** Adds jobs for lanes of hooks that do not exist: each finds nothing to lease and ends. */
async function addJobs(sql: Sql, count: number, delay: string): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    await sql`
      select from graphile_worker.add_jobs(array(
        select (
          'dispatch_hook', json_build_object('organization_id', uuidv7(), 'lane_id', uuidv7()), null, now() + ${delay}::interval, null, null, null, null
        )::graphile_worker.job_spec
        from generate_series(1, ${Math.min(BATCH, left)}::integer)
      ))
    `
  }
}

/** Jobs per second, from their commit until none is left. */
async function runJobs({ sql }: Stage, count: number): Promise<number> {
  await untilIdle(sql)
  await addJobs(sql, count, '0 seconds')
  const begun = performance.now()
  await until(
    'Every job is completed',
    async () => {
      // Phrased so that it uses the index: polling must not cost what is measured.
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
    TIMEOUT_MS,
    50,
  )
  return count / ((performance.now() - begun) / 1000)
}

export const backlog: Part = {
  name: 'backlog',
  describe: (quick) =>
    `backlog     ${jobsIn(quick).toLocaleString('en')} jobs that find no work, beside ${waitingIn(quick).toLocaleString('en')} jobs that are due tomorrow; baseline: without those. Median of ${roundsIn(quick)}.`,
  async run(stage, quick) {
    const { sql } = stage
    const measure = () => runJobs(stage, jobsIn(quick))
    const { rate: baseline } = await medians(roundsIn(quick), { rate: measure })
    await addJobs(sql, waitingIn(quick), '1 day')
    await sql`vacuum (analyze) graphile_worker._private_jobs`
    const { rate } = await medians(roundsIn(quick), { rate: measure })
    await sql`delete from graphile_worker._private_jobs where run_at > now()`
    await sql`vacuum (analyze) graphile_worker._private_jobs`
    const name = `jobs beside ${waitingIn(quick).toLocaleString('en')} that wait`
    return [{ name, value: rate, unit: '/s', baseline, ratioAtLeast: 0.9 }]
  },
}
