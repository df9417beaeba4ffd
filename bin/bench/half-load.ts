/** Time from the commit of an event to the arrival of its request, at half of the rate that the worker can sustain. */
import { costOf } from './cpu.ts'
import { ms, percentile, perSecond } from './figures.ts'
import { type Flood, HOOKS, openFlood } from './flood.ts'
import { startReceiver } from './receiver.ts'
import type { Part, Stage } from './stage.ts'

const COMMIT_EVERY_MS = 20

/** Dispatches per second of a flood, from the commit of their events to the record of the last one. */
export async function fullRate(stage: Stage, flood: Flood): Promise<number> {
  // The first requests of each hook open its connections.
  await flood.fromEvents(HOOKS * 10)
  const count = stage.quick ? 2_000 : 20_000
  return (await costOf(stage, count, () => flood.fromEvents(count))).perSecond
}

/**
 * Commits events at a steady rate for some seconds, and waits for their requests.
 *
 * @returns the rate that was reached, and when each event was committed, in milliseconds since 1970, by the name of its gate
 */
export async function commitAtRate({ quick }: Stage, flood: Flood, rate: number, seconds = quick ? 3 : 15) {
  const commits = new Map<string, number>()
  const eventsPerCommit = Math.max(1, Math.round(rate * (COMMIT_EVERY_MS / 1000)))
  const start = performance.now()
  for (let turn = 0; performance.now() - start < seconds * 1_000; turn++) {
    commits.set(`${turn}`, performance.timeOrigin + (await flood.write(eventsPerCommit, `${turn}`)))
    await Bun.sleep(Math.max(0, start + (turn + 1) * COMMIT_EVERY_MS - performance.now()))
  }
  const sent = commits.size * eventsPerCommit
  const reached = sent / ((performance.now() - start) / 1000)
  await flood.receiver.untilReceived(sent)
  flood.receiver.clear()
  return { rate: reached, commits }
}

export const part: Part = {
  about: `events committed every ${COMMIT_EVERY_MS} ms for 15 s, at half the rate of a flood of 20,000 in the same run, until the request reaches the receiver. Generator and receiver use the same cores.`,
  async run(stage) {
    const arrivals: { gate: string; at: number }[] = []
    const receiver = startReceiver(0, (body, at) => arrivals.push({ gate: JSON.parse(body).data.gate.name, at }))
    await using flood = await openFlood(stage, HOOKS, receiver)
    const baseline = await fullRate(stage, flood)
    arrivals.length = 0
    const { rate, commits } = await commitAtRate(stage, flood, baseline / 2)
    const latencies = arrivals.map(({ gate, at }) => {
      const arrived = performance.timeOrigin + at
      // A request can arrive before the generator has read the answer to its commit.
      return Math.max(0, arrived - (commits.get(gate) ?? arrived))
    })
    return [
      ms('commit to request at half load, p50', percentile(latencies, 0.5), { target: '≤ 15 ms' }),
      ms('commit to request at half load, p99', percentile(latencies, 0.99), { target: '≤ 60 ms' }),
      perSecond('half load, to full load', rate, { baseline }),
    ]
  },
}
