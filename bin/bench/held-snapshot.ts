/** What a snapshot costs that somebody holds open: until it is closed, dead rows of the queue cannot be removed. */
import { addCost, type Cost } from './cpu.ts'
import { openFlood } from './flood.ts'
import { commitAtRate } from './half-load.ts'
import { type Part, settle } from './stage.ts'

const HELD_SECONDS = Number(process.env.BENCH_HELD_SECONDS ?? 60)
const RATE = 1_000
const MEASURED_SECONDS = 10

export const heldSnapshot: Part = {
  name: 'held-snapshot',
  onlyByName: true,
  about: `PostgreSQL's processor time for each dispatch at ${RATE} per second, after a transaction has held its snapshot for ${HELD_SECONDS} s (BENCH_HELD_SECONDS). Baseline: before.`,
  async run(stage) {
    const { sql } = stage
    await using flood = await openFlood(stage)
    const costs: Cost[] = []
    const measure = () => addCost(costs, sql, RATE * MEASURED_SECONDS, () => commitAtRate(stage, flood, RATE, MEASURED_SECONDS))
    await commitAtRate(stage, flood, RATE, MEASURED_SECONDS)
    await settle(sql)
    await measure()
    const holder = await sql.reserve()
    await holder`set idle_in_transaction_session_timeout = 0`
    await holder`begin isolation level repeatable read`
    await holder`select 1`
    await commitAtRate(stage, flood, RATE, HELD_SECONDS)
    await measure()
    await holder`rollback`
    holder.release()
    const [before, after] = costs
    return [
      {
        name: 'PostgreSQL per dispatch, snapshot held',
        value: after?.ms ?? null,
        baseline: before?.ms,
        unit: 'ms',
        target: '≤ 2',
      },
    ]
  },
}
