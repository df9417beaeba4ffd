/** Time from the commit of an event to the arrival of its request, on an idle worker and at half of the rate that it sustains. */
import { inTurns, median, percentile, rounded } from './figures.ts'
import { openFlood } from './flood.ts'
import { type Part, settle } from './stage.ts'

/** Longer than it takes to record a dispatch and to release its lane, and no part of the time between two sweeps. */
const IDLE_EVERY_MS = 107
const COMMIT_EVERY_MS = 20

export const part: Part = {
  about: `from the commit of an event until its request reaches the receiver. Idle: an event every ${IDLE_EVERY_MS} ms. Half load: events committed every ${COMMIT_EVERY_MS} ms, at half the rate of a flood of 20,000 before. Three rounds of 15 s in turns. Generator and receiver use the same cores.`,
  async run(stage) {
    const { quick, sql } = stage
    await using flood = await openFlood(stage)
    const measure = async (everyMs: number, events: number) => {
      await settle(sql)
      const latencies = await flood.latenciesDuring(Bun.sleep(quick ? 3_000 : 15_000), everyMs, events)
      return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), rate: (events * 1000) / everyMs }
    }
    const { idle, half } = await inTurns(quick ? 1 : 3, {
      idle: () => measure(IDLE_EVERY_MS, 1),
      half: async () => {
        const count = quick ? 2_000 : 20_000
        const begun = performance.now()
        await flood.fromEvents(count)
        const perMs = count / (performance.now() - begun)
        return measure(COMMIT_EVERY_MS, Math.round((perMs / 2) * COMMIT_EVERY_MS))
      },
    })
    return [
      { name: 'commit to request, idle, p50', unit: 'ms', value: idle.p50, atMost: 5 },
      { name: 'commit to request, idle, p99', unit: 'ms', value: idle.p99, atMost: 15 },
      { name: 'commit to request, half load, p50', unit: 'ms', value: half.p50, atMost: 15 },
      {
        name: 'commit to request, half load, p99',
        unit: 'ms',
        value: half.p99,
        atMost: 60,
        note: `${rounded(median(half.rate))}/s`,
      },
    ]
  },
}
