/** Tenants next to each other: how long the single events of some take while others have much to send. */
import { peakBytes } from './costs.ts'
import { inTurns, percentile } from './figures.ts'
import { openFlood } from './flood.ts'
import { createTenants, type Part, settle } from './stage.ts'

const [BUSY, QUIET] = [50, 100]
const DISPATCHES = 9_000
const BODY_BYTES = 64 * 1024
const FLOOD = 20_000
/** Between two single events, each of another tenant. */
const EVERY_MS = 40

export const part: Part = {
  about: `single events of ${QUIET} tenants, one every ${EVERY_MS} ms, until their requests arrive: alone; while ${DISPATCHES.toLocaleString('en')} dispatches of ${BUSY} others, with bodies of 64 KiB, become due at the same moment; and during a flood of ${FLOOD.toLocaleString('en')} events of one tenant. Three rounds, in turns. Memory: the most that the worker had.`,
  async run(stage) {
    const { sql, quick, url, processes } = stage
    const share = quick ? 10 : 1
    await using quiet = await openFlood(stage, await createTenants(url, QUIET / share))
    await using busy = await openFlood(stage, await createTenants(url, BUSY / share))
    const p99 = async (running: Promise<unknown>) => percentile(await quiet.latenciesDuring(running, EVERY_MS), 0.99)
    const beside = async (count: number, begin: () => Promise<unknown>) => {
      await settle(sql)
      const figures = { p99: await p99(begin().then(() => busy.receiver.untilReceived(count))) }
      busy.receiver.clear()
      return figures
    }
    const { alone, large, flood } = await inTurns(quick ? 1 : 3, {
      alone: () => settle(sql).then(async () => ({ p99: await p99(Bun.sleep(quick ? 1_000 : 10_000)) })),
      async large() {
        const count = DISPATCHES / share
        await busy.prepare(count, BODY_BYTES)
        return beside(count, busy.resume)
      },
      flood: () => beside(FLOOD / share, () => busy.write(FLOOD / share, { among: busy.projects.slice(0, 1) })),
    })
    const peak = [await peakBytes(processes.worker[0] ?? 0)]
    return [
      { name: 'single events during large bodies, p99', unit: 'ms', value: large.p99, atMost: 300 },
      { name: '  to single events alone', unit: 'ms', value: large.p99, baseline: alone.p99, atMost: 2.5 },
      { name: 'single events during a flood, p99', unit: 'ms', value: flood.p99, atMost: 90 },
      { name: 'memory of the worker', unit: 'B', value: peak, atMost: 210_000_000 },
    ]
  },
}
