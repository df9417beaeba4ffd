/** Time from the commit of an event to the arrival of its request, at half of the rate that the worker can sustain. */
import { percentile } from './figures.ts'
import { type Flood, HOOKS, openFlood, untilDrained, writeEvents } from './flood.ts'
import { startReceiver } from './receiver.ts'
import type { Part, Stage } from './stage.ts'

const COMMIT_EVERY_MS = 20

/** Dispatches per second of a flood, from the commit of their events until the last request arrives. */
export async function fullRate({ sql, quick }: Stage, { projects, receiver }: Flood): Promise<number> {
  const run = async (count: number): Promise<number> => {
    const committed = await writeEvents(sql, projects, count)
    await receiver.untilReceived(count)
    const seconds = (performance.now() - committed) / 1000
    await untilDrained(sql)
    receiver.clear()
    return count / seconds
  }
  // The first requests of each hook open its connections.
  await run(HOOKS * 10)
  return await run(quick ? 2_000 : 20_000)
}

/**
 * Commits events at a steady rate for some seconds, and waits for their requests.
 *
 * @returns the rate that was reached, and when each event was committed, in milliseconds since 1970, by the name of its gate
 */
export async function commitAtRate(
  { sql, quick }: Stage,
  { projects, receiver }: Flood,
  perSecond: number,
  seconds = quick ? 3 : 15,
) {
  const commits = new Map<string, number>()
  const eventsPerCommit = Math.max(1, Math.round(perSecond * (COMMIT_EVERY_MS / 1000)))
  let sent = 0
  const start = performance.now()
  for (let turn = 0; performance.now() - start < seconds * 1_000; turn++) {
    commits.set(`${turn}`, performance.timeOrigin + (await writeEvents(sql, projects, eventsPerCommit, `${turn}`)))
    sent += eventsPerCommit
    await Bun.sleep(Math.max(0, start + (turn + 1) * COMMIT_EVERY_MS - performance.now()))
  }
  const rate = sent / ((performance.now() - start) / 1000)
  await receiver.untilReceived(sent)
  receiver.clear()
  return { rate, commits }
}

export const halfLoad: Part = {
  name: 'half-load',
  about: `events committed every ${COMMIT_EVERY_MS} ms for 15 s, at half the rate of a flood of 20,000 in the same run, until the request reaches the receiver. Generator and receiver use the same cores.`,
  async run(stage) {
    const arrivals: { gate: string; at: number }[] = []
    const receiver = startReceiver(0, (body, at) => arrivals.push({ gate: JSON.parse(body).data.gate.name, at }))
    await using flood = await openFlood(stage, HOOKS, receiver)
    const full = await fullRate(stage, flood)
    arrivals.length = 0
    const { rate, commits } = await commitAtRate(stage, flood, full / 2)
    const latencies = arrivals.map(({ gate, at }) => {
      const arrived = performance.timeOrigin + at
      // A request can arrive before the generator has read the answer to its commit.
      return Math.max(0, arrived - (commits.get(gate) ?? arrived))
    })
    return [
      { name: 'commit to request at half load, p50', value: percentile(latencies, 0.5), unit: 'ms', target: '≤ 15 ms' },
      { name: 'commit to request at half load, p99', value: percentile(latencies, 0.99), unit: 'ms', target: '≤ 60 ms' },
      { name: 'half load, to full load', value: rate, unit: '/s', baseline: full },
    ]
  },
}
