/** What an open snapshot costs: until it is closed, dead rows of the queue cannot be removed. */
import { costOf } from './cpu.ts'
import { ms } from './figures.ts'
import { openFlood } from './flood.ts'
import { type Part, settle } from './stage.ts'

const HELD_SECONDS = Number(process.env.BENCH_HELD_SECONDS ?? 60)
const RATE = 1_000
const MEASURED_SECONDS = 10

export const part: Part = {
  about: `PostgreSQL's processor time for each dispatch at ${RATE} per second, after a transaction has held its snapshot for ${HELD_SECONDS} s (BENCH_HELD_SECONDS). Baseline: before.`,
  async run(stage) {
    await using flood = await openFlood(stage)
    const run = (seconds: number) => flood.commitAtRate(RATE, seconds)
    const measure = async () => (await costOf(stage, RATE * MEASURED_SECONDS, () => run(MEASURED_SECONDS))).postgres
    await run(MEASURED_SECONDS)
    await settle(stage.sql)
    const baseline = await measure()
    const value = await stage.sql.begin('isolation level repeatable read', async (holder) => {
      await holder`select 1`
      await run(HELD_SECONDS)
      return measure()
    })
    return [ms('PostgreSQL per dispatch, snapshot held', { value, baseline }, '≤ 2')]
  },
}
