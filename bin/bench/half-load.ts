/** Time from the commit of an event to the arrival of its request, at half of the rate that the worker can sustain. */
import { ms, percentile, perSecond } from './figures.ts'
import { COMMIT_EVERY_MS, openFlood } from './flood.ts'
import { startReceiver } from './receiver.ts'
import type { Part } from './stage.ts'

export const part: Part = {
  about: `events committed every ${COMMIT_EVERY_MS} ms for 15 s, at half the rate of a flood of 20,000 in the same run, until the request reaches the receiver. Generator and receiver use the same cores.`,
  async run(stage) {
    const arrivals: { gate: string; at: number }[] = []
    const receiver = startReceiver(0, (at, _, body) => arrivals.push({ gate: JSON.parse(body).data.gate.name, at }))
    await using flood = await openFlood(stage, receiver)
    const baseline = await flood.fullRate()
    arrivals.length = 0
    const { rate, commits } = await flood.commitAtRate(baseline / 2)
    const latencies = arrivals.map(({ gate, at }) => {
      const arrived = performance.timeOrigin + at
      // A request can arrive before the generator has read the answer to its commit.
      return Math.max(0, arrived - (commits.get(gate) ?? arrived))
    })
    return [
      ms('commit to request at half load, p50', percentile(latencies, 0.5), '≤ 15 ms'),
      ms('commit to request at half load, p99', percentile(latencies, 0.99), '≤ 60 ms'),
      perSecond('half load, to full load', { value: rate, baseline }),
    ]
  },
}
