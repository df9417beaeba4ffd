/** Time from the commit of an event to the arrival of its request, at half of the rate that the worker can sustain. */
import { Failure } from '../support/failure.ts'
import { percentile } from './figures.ts'
import { createHooks, HOOKS, hasWaitingEvents, notifyDrain, writeEvents } from './flood.ts'
import { localReceiver } from './local-receiver.ts'
import type { Part } from './part.ts'
import { type Stage, until } from './stage.ts'

const TIMEOUT_MS = 60_000
const COMMIT_EVERY_MS = 20

const scaleOf = (quick: boolean) => (quick ? { flood: 2_000, seconds: 3 } : { flood: 20_000, seconds: 15 })

async function measure(stage: Stage, { flood, seconds }: ReturnType<typeof scaleOf>) {
  const { sql } = stage
  const commits = new Map<string, number>()
  let latencies: number[] = []
  let received = 0
  await using receiver = localReceiver((body, at) => {
    received++
    // A request can arrive before the generator has read the answer to its commit.
    latencies.push(Math.max(0, at - (commits.get(JSON.parse(body).data.gate.name) ?? at)))
  })
  const untilReceived = (count: number) => until('All requests arrive', async () => received >= count, TIMEOUT_MS, 1)

  const target = await createHooks(stage, receiver.url)
  // The first requests of each hook open its connections.
  await writeEvents(sql, target, HOOKS * 10, 'warm-up')
  await notifyDrain(sql)
  await untilReceived(HOOKS * 10)

  const begun = performance.now()
  await writeEvents(sql, target, flood, 'flood')
  await notifyDrain(sql)
  await untilReceived(HOOKS * 10 + flood)
  const fullRate = flood / ((performance.now() - begun) / 1000)
  await until('Every event is drained', async () => !(await hasWaitingEvents(sql)))

  latencies = []
  const before = received
  const eventsPerCommit = Math.max(1, Math.round((fullRate / 2) * (COMMIT_EVERY_MS / 1000)))
  let sent = 0
  const start = performance.now()
  for (let turn = 0; performance.now() - start < seconds * 1000; turn++) {
    await writeEvents(sql, target, eventsPerCommit, `${turn}`)
    commits.set(`${turn}`, performance.now())
    void notifyDrain(sql)
    sent += eventsPerCommit
    await Bun.sleep(Math.max(0, start + (turn + 1) * COMMIT_EVERY_MS - performance.now()))
  }
  const offeredRate = sent / ((performance.now() - start) / 1000)
  await untilReceived(before + sent)
  if (received !== before + sent) throw new Failure(`${sent} dispatches were expected, ${received - before} arrived.`)
  return { fullRate, offeredRate, latencies }
}

export const halfLoad: Part = {
  name: 'half-load',
  describe(quick) {
    const { flood, seconds } = scaleOf(quick)
    return `half-load   events committed every ${COMMIT_EVERY_MS} ms for ${seconds} s, at half the rate of a flood of ${flood.toLocaleString('en')} in the same run, until the request reaches the receiver. Generator and receiver use the same cores.`
  },
  async run(stage, quick) {
    const { fullRate, offeredRate, latencies } = await measure(stage, scaleOf(quick))
    return [
      { name: 'commit to request at half load, p50', value: percentile(latencies, 0.5), unit: 'ms', atMost: 15 },
      { name: 'commit to request at half load, p99', value: percentile(latencies, 0.99), unit: 'ms', atMost: 60 },
      { name: 'half load, to full load', value: offeredRate, unit: '/s', baseline: fullRate },
    ]
  },
}
