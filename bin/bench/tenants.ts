/** Tenants beside each other: how long the single events of some take while others have much to send. */
import { residentBytes } from './cpu.ts'
import { bytes, ms, percentile, times } from './figures.ts'
import { openFlood, untilDrained, writeEvents } from './flood.ts'
import { startReceiver } from './receiver.ts'
import { createHook, createProject, createTenants, type Part, type Stage, settle } from './stage.ts'

const [BUSY, QUIET] = [50, 100]
const DISPATCHES = 9_000
const BODY_BYTES = 64 * 1024
const FLOOD = 20_000
/** The most that a project can have. */
const HOOKS = 100
const SLOW_MS = 10_000
/** Between two single events, each of another tenant. */
const EVERY_MS = 40

/** Milliseconds from the commit of an event until the requests of all hooks of its project have arrived. */
async function measureWide(stage: Stage, hooks: number, turns: number): Promise<number> {
  await using receiver = startReceiver()
  const { id } = await createProject(stage)
  for (let made = 0; made < hooks; made++) await createHook(stage, id, { url: receiver.url })
  const ready = () => settle(stage.sql)
  const samples = await times(turns, ready, async () => {
    await writeEvents(stage.sql, [id], 1)
    await receiver.untilReceived(hooks)
    receiver.clear()
  })
  return percentile(samples, 0.5)
}

/** Tenants with single events. */
async function openQuiet(stage: Stage, count: number) {
  /** When each event was committed, by the name of its gate. */
  const commits = new Map<string, number>()
  const latencies: number[] = []
  const receiver = startReceiver(0, (at, _, body) => {
    // A request can arrive before the answer to its commit has been read.
    latencies.push(Math.max(0, at - (commits.get(JSON.parse(body).data.gate.name) ?? at)))
  })
  const { projects } = await openFlood(stage, receiver, await createTenants(stage.url, count))
  return {
    /** Measures single events and the memory of the worker for as long as something else runs. */
    async beside(run: () => Promise<unknown>) {
      let isRunning = true
      let memory = 0
      await settle(stage.sql)
      const running = run().finally(() => {
        isRunning = false
      })
      for (let turn = 0; isRunning; turn++) {
        const gate = `${commits.size}`
        commits.set(gate, await writeEvents(stage.sql, [projects[turn % count] ?? ''], 1, gate))
        memory = Math.max(memory, await residentBytes(stage.worker.pid))
        await Bun.sleep(EVERY_MS)
      }
      await running
      await receiver.untilReceived(commits.size)
      return { p99: percentile(latencies.splice(0), 0.99), memory }
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}

export const part: Part = {
  about: `single events of ${QUIET} tenants, one every ${EVERY_MS} ms, until their requests arrive: while ${DISPATCHES.toLocaleString('en')} dispatches of ${BUSY} others, with bodies of 64 KiB, become due at the same moment; during a flood of ${FLOOD.toLocaleString('en')} events of one tenant; and while ${BUSY} tenants have more dispatches than fit in flight, to receivers that take ${SLOW_MS / 1000} s. First request: of each of the ${BUSY}, after all were resumed; the slowest. Wide event: until the requests of all ${HOOKS} hooks of its project have arrived, median of 10.`,
  async run(stage) {
    const { sql, quick } = stage
    const share = quick ? 10 : 1
    await using quiet = await openQuiet(stage, QUIET / share)
    const first = new Map<string, number>()
    const receiver = startReceiver(0, (at, path) => void first.set(path, first.get(path) ?? at))
    await using busy = await openFlood(stage, receiver, await createTenants(stage.url, BUSY / share))
    const count = DISPATCHES / share
    await busy.setPaused(true)
    for (let written = 0; written < count; written += 500)
      await writeEvents(sql, busy.projects, Math.min(500, count - written), 'Review', BODY_BYTES)
    await untilDrained(sql)
    let begun = 0
    const besideLarge = await quiet.beside(async () => {
      await busy.setPaused(false)
      begun = performance.now()
      await receiver.untilReceived(count)
    })
    const slowest = Math.max(...[...first.values()].map((at) => at - begun))
    const recovered = first.size
    receiver.clear()
    const besideFlood = await quiet.beside(async () => {
      await writeEvents(sql, busy.projects.slice(0, 1), FLOOD / share)
      await receiver.untilReceived(FLOOD / share)
    })
    // Before the slow requests, which occupy the worker after their hooks are deleted.
    const wide = await measureWide(stage, quick ? 10 : HOOKS, quick ? 3 : 10)
    await using slow = await openFlood(stage, startReceiver(SLOW_MS), await createTenants(stage.url, BUSY / share))
    const besideSlow = await quiet.beside(async () => {
      for (const project of slow.projects) await writeEvents(sql, [project], 20)
      await Bun.sleep(2 * SLOW_MS)
    })
    await Promise.all(slow.hooks.map(({ api, id }) => api.delete(`/deployment-hooks/${id}`)))
    return [
      ms(`first request of ${recovered} tenants`, slowest, '≤ 2000 ms'),
      ms('single events beside them, p99', besideLarge.p99, '≤ 300 ms'),
      bytes('memory of the worker', besideLarge.memory, '≤ 209715200 B'),
      ms('single events beside a flood, p99', besideFlood.p99, '≤ 150 ms'),
      ms('single events beside slow receivers, p99', besideSlow.p99, '≤ 150 ms'),
      ms('wide event, last request', wide),
    ]
  },
}
