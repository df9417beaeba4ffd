/** Time from the commit of an event to the arrival of its request, at half of the rate that the worker can sustain. */
import { percentile } from './figures.ts'
import { HOOKS, openFlood, untilDrained, writeEvents } from './flood.ts'
import { startReceiver } from './receiver.ts'
import type { Part } from './stage.ts'

const COMMIT_EVERY_MS = 20

export const halfLoad: Part = {
  name: 'half-load',
  about: `events committed every ${COMMIT_EVERY_MS} ms for 15 s, at half the rate of a flood of 20,000 in the same run, until the request reaches the receiver. Generator and receiver use the same cores.`,
  async run(stage) {
    const { sql, quick } = stage
    const commits = new Map<string, number>()
    const latencies: number[] = []
    const receiver = startReceiver(0, (body, at) => {
      // A request can arrive before the generator has read the answer to its commit.
      latencies.push(Math.max(0, at - (commits.get(JSON.parse(body).data.gate.name) ?? at)))
    })
    await using flood = await openFlood(stage, HOOKS, receiver)
    const run = async (count: number): Promise<number> => {
      const committed = await writeEvents(sql, flood.projects, count)
      await receiver.untilReceived(count)
      const seconds = (performance.now() - committed) / 1000
      await untilDrained(sql)
      receiver.clear()
      return count / seconds
    }
    // The first requests of each hook open its connections.
    await run(HOOKS * 10)
    const fullRate = await run(quick ? 2_000 : 20_000)

    latencies.length = 0
    const eventsPerCommit = Math.max(1, Math.round((fullRate / 2) * (COMMIT_EVERY_MS / 1000)))
    let sent = 0
    const start = performance.now()
    for (let turn = 0; performance.now() - start < (quick ? 3_000 : 15_000); turn++) {
      commits.set(`${turn}`, await writeEvents(sql, flood.projects, eventsPerCommit, `${turn}`))
      sent += eventsPerCommit
      await Bun.sleep(Math.max(0, start + (turn + 1) * COMMIT_EVERY_MS - performance.now()))
    }
    const offeredRate = sent / ((performance.now() - start) / 1000)
    await receiver.untilReceived(sent)
    receiver.clear()
    return [
      { name: 'commit to request at half load, p50', value: percentile(latencies, 0.5), unit: 'ms', target: '≤ 15 ms' },
      { name: 'commit to request at half load, p99', value: percentile(latencies, 0.99), unit: 'ms', target: '≤ 60 ms' },
      { name: 'half load, to full load', value: offeredRate, unit: '/s', baseline: fullRate },
    ]
  },
}
